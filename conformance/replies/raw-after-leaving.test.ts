// `request.raw` and `reply.raw` are read, perhaps for the first time, after the client has left.
import { EventEmitter, once } from 'node:events'
import { finished, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply, Request } from '../harness/app-shape.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

const HEAD = ' / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
const REQUESTS = {
  'a GET': `GET${HEAD}\r\n`,
  'a POST': `POST${HEAD}Content-Length: 2\r\n\r\n{}`,
  'a chunked POST': `POST${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
}
const TOUCHED = ['nothing', 'request.raw', 'reply.raw', 'both'] as const

function touch(what: (typeof TOUCHED)[number], request: Request, reply: Reply): void {
  if (what === 'request.raw' || what === 'both') void request.raw.url
  if (what === 'reply.raw' || what === 'both') void reply.raw.statusCode
}

/** Waits until the server has seen that the client has left, and some time more. */
async function gone({ socket }: Request): Promise<void> {
  while (!socket.destroyed) await sleep(1)
  await sleep(5)
}

const outcomeOf = (stream: Request['raw'] | Reply['raw']): Promise<string | undefined> =>
  new Promise((resolve) => {
    finished(stream, (error) => resolve(error?.code))
  })

/** What both objects say, and do, after the client has left. */
async function look(request: Request, reply: Reply): Promise<object> {
  const { raw } = reply
  const { destroyed, writableEnded, writableFinished, headersSent } = raw
  const seen = {
    request: [request.raw.destroyed, request.raw.aborted, request.raw.complete, request.raw.readableEnded],
    response: [destroyed, raw.closed, writableEnded, writableFinished, headersSent],
    sockets: [request.raw.socket.destroyed, raw.socket?.destroyed],
    write: raw.write('x'),
  }
  const outcomes = await Promise.all([outcomeOf(request.raw), outcomeOf(raw)])
  const source = Readable.from(['a', 'b'])
  source.on('error', () => {}).pipe(raw)
  return { ...seen, outcomes, closed: [request.raw.closed, raw.closed] }
}

describeTransports(
  'replies: raw objects after the client has left',
  ({ createApp, it, expect }) => {
    for (const [kind, bytes] of Object.entries(REQUESTS))
      for (const touched of TOUCHED)
        it(`say that it has: ${kind}, ${touched} was touched before`, async () => {
          const app = createApp()
          const left = new EventEmitter()
          app.route({
            method: ['GET', 'POST'],
            url: '/',
            handler: async (request: Request, reply: Reply) => {
              touch(touched, request, reply)
              left.emit('leave')
              reply.hijack()
              await gone(request)
              left.emit('seen', await look(request, reply))
            },
          })
          const client = await openSocket(app)
          left.on('leave', () => client.destroy())
          client.write(bytes)
          const [seen]: unknown[] = await once(left, 'seen')
          const isRead = kind !== 'a GET'
          expect(seen).toEqual({
            request: [true, !isRead, true, isRead],
            response: [true, true, false, false, false],
            sockets: [true, true],
            write: false,
            outcomes: [isRead ? undefined : 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'],
            closed: [true, true],
          })
        })

    it('stop a stream of events that is begun after that', async () => {
      const app = createApp()
      const left = new EventEmitter()
      app.get('/', async (request: Request, reply: Reply) => {
        left.emit('leave')
        reply.hijack()
        await gone(request)
        const source = new Readable({ read: () => source.push('data: x\n\n') })
        source.on('close', () => left.emit('source closed'))
        finished(reply.raw, () => source.destroy())
        source.pipe(reply.raw)
      })
      const client = await openSocket(app)
      left.on('leave', () => client.destroy())
      client.write(REQUESTS['a GET'])
      await once(left, 'source closed')
    })
  },
  ['socket', 'wire'],
)
