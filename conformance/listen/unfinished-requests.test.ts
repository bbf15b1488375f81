// A request that never comes whole ends its exchange when its connection ends or its time is over, whatever is being
// sent; what was sent before arrives.
import { EventEmitter, once } from 'node:events'
import { Readable } from 'node:stream'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { describeTransports, isWireEncrypted } from '../harness/transports.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\n'
const UNFINISHED = {
  'a length that is not reached': `${HEAD}Content-Length: 5\r\n\r\nab`,
  'a length without content': `${HEAD}Content-Length: 5\r\n\r\n`,
  'half a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nab`,
  'chunks without a last one': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`,
  'trailers without an end': `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: b\r\n`,
  'a second request that is cut in its body': `GET / HTTP/1.1\r\nHost: a\r\n\r\n${HEAD}Content-Length: 5\r\n\r\nab`,
}

type Send = (reply: Reply, source: Readable) => void
const RESPONSES: Readonly<Record<string, Send>> = {
  'a stream': (reply, source) => void reply.type('text/event-stream').send(source),
  'a stream with a length': (reply, source) => void reply.header('content-length', 1000).send(source),
  'a hijacked response': (reply, source) => {
    const { raw } = reply.hijack()
    raw.writeHead(200, { 'content-type': 'text/event-stream' })
    raw.on('close', () => source.destroy())
    source.pipe(raw)
  },
}

/** A route that sends one event, and then nothing. */
function defineEvents(app: App, send: Send): string[] {
  const ends: string[] = []
  app.addHook('onRequestAbort', async () => void ends.push('onRequestAbort'))
  app.addHook('onRequest', async (request: Request) => {
    const { signal } = request
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => ends.push('signal'))
  })
  const handler = (_request: Request, reply: Reply): void => {
    const source = new Readable({ read: () => {} })
    source.on('close', () => ends.push('source'))
    source.push('data: 1\n\n')
    send(reply, source)
  }
  // Nothing reads the body.
  app.addContentTypeParser('*', (_request: unknown, _body: unknown, done: () => void) => done())
  app.route({ method: ['GET', 'POST'], url: '/', handler })
  return ends
}

describeTransports(
  'listen: a request that never comes whole, while its response is being sent',
  ({ createApp, it, expect, transport }) => {
    for (const [kind, bytes] of Object.entries(UNFINISHED))
      for (const [name, send] of Object.entries(RESPONSES)) {
        it(`ends with its connection: ${kind}, behind ${name}`, async () => {
          const app = createApp()
          const ends = defineEvents(app, send)
          const client = await openSocket(app)
          let text = ''
          client.on('data', (piece) => (text += piece.toString()))
          client.write(bytes)
          while (!text.includes('data: 1')) await once(client, 'data')
          client.end()
          await once(client, 'close')
          while (ends.length < 3) await new Promise((resolve) => setTimeout(resolve, 2))
          expect(ends.toSorted()).toEqual(['onRequestAbort', 'signal', 'source'])
        })

        // Node's server checks no request whose head has come so quickly.
        if (kind.startsWith('a second') || transport === 'socket') continue
        it(`ends with its time: ${kind}, behind ${name}`, async () => {
          const app = createApp({ requestTimeout: 50, http: { connectionsCheckingInterval: 20 } })
          const ends = defineEvents(app, send)
          const client = await openSocket(app)
          client.on('error', () => {}).resume()
          client.write(bytes)
          await once(client, 'close')
          while (ends.length < 3) await new Promise((resolve) => setTimeout(resolve, 2))
          expect(ends.toSorted()).toEqual(['onRequestAbort', 'signal', 'source'])
        })
      }
  },
  ['socket', 'wire'],
)

const countConnections = (app: App): Promise<number> =>
  new Promise((resolve) => {
    app.server.getConnections((_error: unknown, count: number) => resolve(count))
  })

describeTransports(
  'listen: a request that never comes whole, after its response',
  ({ createApp, it, expect }) => {
    for (const fields of ['', 'Connection: close\r\n'])
      it(`ends with its time, also if the client keeps its side open: ${fields.trim()}`, async () => {
        const app = createApp({ requestTimeout: 50, http: { connectionsCheckingInterval: 20 } })
        app.addContentTypeParser('*', (_request: unknown, _body: unknown, done: () => void) => done())
        app.post('/', () => 'early')
        const client = await openSocket(app)
        client.allowHalfOpen = true
        client.on('error', () => {}).resume()
        // Node checks only requests that come in pieces.
        client.write(HEAD)
        await new Promise((resolve) => setTimeout(resolve, 5))
        client.write(`${fields}Content-Type: a/b\r\nContent-Length: 5\r\n\r\nab`)
        await once(client, 'end')
        while ((await countConnections(app)) > 0) await new Promise((resolve) => setTimeout(resolve, 10))
        expect(client.writable).toBe(true)
        client.destroy()
      })
  },
  ['socket'],
)

describeTransports(
  'listen: a response whose stream fails',
  ({ createApp, transport, it, expect }) => {
    const cut = async (
      app: App,
      version: string,
      reads: 'at once' | 'later' | 'before the failure',
    ): Promise<{ size: number; code: string }> => {
      app.get('/', (_request, reply) => {
        const source = Readable.from(pieces())
        reply.type('text/plain').send(source)
      })
      const failing = new EventEmitter()
      async function* pieces(): AsyncGenerator<string> {
        for (let i = 0; i < 20; i++) yield 'x'.repeat(10_000)
        if (reads === 'before the failure') while (size < 200_000) await once(client, 'data')
        else await new Promise((resolve) => setTimeout(resolve, 20))
        failing.emit('fail')
        throw new Error('late')
      }
      const client = await openSocket(app)
      let [size, code] = [0, '']
      client.on('error', (error: NodeJS.ErrnoException) => (code = String(error.code)))
      client.on('data', (piece) => (size += piece.length))
      const closed = new Promise((resolve) => client.once('close', resolve))
      if (reads === 'later') client.pause()
      client.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`)
      await once(failing, 'fail')
      if (reads === 'later') setTimeout(() => client.resume(), 20)
      await closed
      return { size, code }
    }

    for (const reads of ['at once', 'later'] as const)
      it(`arrives as far as it was sent, at a client that reads ${reads}`, async () => {
        const { size, code } = await cut(createApp({ logger: false }), '1.1', reads)
        expect(size).toBeGreaterThan(200_000)
        expect(code).toBe('')
      })

    // Over TLS, Node can't reset a connection; the missing `close_notify` says that the response was cut.
    const itReset = transport === 'wire' && isWireEncrypted ? it.skip : it
    // A client of libuv reports a reset that it sees together with the last bytes as a plain end.
    itReset('is reset where only the end of the connection ends it', async () => {
      const { code } = await cut(createApp({ logger: false }), '1.0', 'before the failure')
      expect(code).toBe('ECONNRESET')
    })
  },
  ['socket', 'wire'],
)
