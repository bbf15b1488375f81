// Bodies that never come whole, read as streams: the reader gets one error, and a client that waits gets a response.
import { EventEmitter, once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Socket } from 'node:net'
import { openSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: x/stream\r\n'

/** The beginning of a request, and how it then breaks off. */
const BREAKS: Readonly<Record<string, readonly [string, (client: Socket) => void]>> = {
  'the client ends within a length': [`${HEAD}Content-Length: 9\r\n\r\nabc`, (client) => void client.end()],
  'the client ends between chunks': [
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    (client) => void client.end(),
  ],
  'a chunk is malformed': [
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    (client) => void client.write('zz\r\n'),
  ],
}

/** Sends the beginning of a request, and breaks off once the reader has begun; resolves with the errors of the reader. */
function breaking(
  bytes: string,
  breakOff: (client: Socket) => void,
): { readonly steps: EventEmitter; readonly errorsOf: (client: Socket) => Promise<unknown> } {
  const steps = new EventEmitter()
  const errorsOf = async (client: Socket): Promise<unknown> => {
    const closed = once(steps, 'closed')
    const begun = once(steps, 'begun')
    client.write(bytes)
    await begun
    breakOff(client)
    return closed
  }
  return { steps, errorsOf }
}

describeTransports(
  'bodies: streams that never come whole',
  ({ createApp, it, expect }) => {
    for (const [kind, [bytes, breakOff]] of Object.entries(BREAKS)) {
      it(`fail once, as Node's do, and the client gets a 400: ${kind}`, async () => {
        const app = createApp()
        app.addContentTypeParser('x/stream', (_request, payload, done) => done(null, payload))
        const { steps, errorsOf } = breaking(bytes, breakOff)
        app.post('/', ({ body }, reply) => {
          const errors: unknown[] = []
          const stream = body as Readable
          stream.on('error', (error: NodeJS.ErrnoException) => errors.push([error.code, error.message]))
          stream.on('close', () => steps.emit('closed', errors))
          stream.once('data', () => steps.emit('begun'))
          void reply.hijack()
        })
        const client = await openSocket(app)
        let text = ''
        client.on('data', (data) => (text += data.toString('latin1')))
        const ended = once(client, 'end')
        expect(await errorsOf(client)).toEqual([[['ECONNRESET', 'aborted']]])
        await ended
        expect(text.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
        client.destroy()
      })

      it(`fail once when the response has begun: ${kind}`, async () => {
        const app = createApp()
        app.addContentTypeParser('x/stream', (_request, payload, done) => done(null, payload))
        const { steps, errorsOf } = breaking(bytes, breakOff)
        app.post('/', ({ body }, reply) => {
          const errors: unknown[] = []
          const stream = body as Readable
          void reply.hijack()
          reply.raw.writeHead(200)
          reply.raw.write('begun')
          stream.on('error', (error: NodeJS.ErrnoException) => errors.push([error.code, error.message]))
          stream.on('close', () => {
            reply.raw.end()
            setImmediate(() => steps.emit('closed', errors))
          })
          stream.once('data', () => steps.emit('begun'))
        })
        const client = await openSocket(app)
        client.resume()
        const ended = once(client, 'end')
        expect(await errorsOf(client)).toEqual([[['ECONNRESET', 'aborted']]])
        await ended
        client.destroy()
      })
    }
  },
  ['socket', 'wire'],
)
