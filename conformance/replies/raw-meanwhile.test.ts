// `reply.raw` is first read while a stream is being sent, as plugins do that ask for its status in between.
import { finished, Readable, Transform } from 'node:stream'
import type { ServerResponse } from 'node:http'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { createGate } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

type Moment = 'before it is sent' | 'as it is sent' | 'with the first piece' | 'in between' | 'at its end'
const MOMENTS: readonly Moment[] = [
  'before it is sent',
  'as it is sent',
  'with the first piece',
  'in between',
  'at its end',
]
const CONTENTS: Readonly<Record<string, readonly string[]>> = {
  'no content': [],
  'one piece': ['piece'],
  'some pieces': ['one', 'two', 'three'],
}
const LENGTHS = ['its length', 'no length']

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const LAST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

interface Case {
  readonly moment: Moment
  readonly pieces: readonly string[]
  readonly hasLength: boolean
}

/** A route that reads `reply.raw` at a moment, and notes what becomes of it. */
function define(app: App, { moment, pieces, hasLength }: Case): string[] {
  const seen: string[] = []
  app.get('/', (_request, reply) => {
    let raw: ServerResponse | undefined
    const read = (now: Moment): void => {
      if (now !== moment || raw !== undefined) return
      raw = reply.raw
      const { statusCode } = raw
      if (now === 'in between') seen.push(`sent: ${raw.headersSent}`)
      seen.push(`status ${statusCode}`)
      if (!raw.headersSent) {
        raw.setHeader('X-Late', 'yes')
        seen.push('set')
      }
      raw.once('finish', () => seen.push('finish')).once('close', () => seen.push('close'))
    }
    let count = 0
    const stream = new Transform({
      transform(piece, _encoding, done) {
        read(count++ === 0 ? 'with the first piece' : 'in between')
        setImmediate(done, null, piece)
      },
      flush(done) {
        read('at its end')
        done()
      },
    })
    read('before it is sent')
    if (hasLength) reply.header('content-length', pieces.join('').length)
    setImmediate(() => Readable.from(pieces).pipe(stream))
    reply.send(stream)
    read('as it is sent')
    return reply
  })
  app.get('/last', () => 'last')
  return seen
}

describeTransports(
  'replies: reply.raw is read while a stream is sent',
  ({ createApp, it, expect }) => {
    for (const moment of MOMENTS) {
      for (const [name, pieces] of Object.entries(CONTENTS)) {
        for (const length of LENGTHS) {
          if (moment === 'in between' && pieces.length < 2) continue
          if (moment === 'with the first piece' && pieces.length === 0) continue
          it(`serves the next request: ${moment}, with ${name} and ${length}`, async () => {
            const app = createApp()
            const seen = define(app, { moment, pieces, hasLength: length === 'its length' })
            const { statuses, text } = await rawSocket(app, GET + GET + LAST)
            expect(statuses).toEqual([200, 200, 200])
            expect(text.endsWith('last')).toBe(true)
            for (const piece of pieces) expect(text.split(piece)).toHaveLength(3)
            const isSet = ['before it is sent', 'as it is sent', 'with the first piece'].includes(moment)
            const sets = seen.filter((event) => event === 'set').length
            if (isSet) expect(sets).toBe(2)
            expect(text.match(/\r\nX-Late: yes\r\n/gi) ?? []).toHaveLength(sets)
            const once = [...(moment === 'in between' ? ['sent: true'] : []), 'status 200', 'finish', 'close']
            // Requests behind each other may begin before the one before them is on its way.
            expect(seen.filter((event) => event !== 'set').toSorted()).toEqual([...once, ...once].toSorted())
          })
        }
      }
    }
  },
  ['socket', 'wire'],
)

describeTransports(
  'replies: reply.raw is first read behind a whole response',
  ({ createApp, it, expect }) => {
    for (const moment of ['in an onResponse hook', 'in a timer'] as const)
      it(`looks sent, ${moment}`, async () => {
        const app = createApp()
        const seen: unknown[] = []
        const look = (request: Request, reply: Reply): void => {
          const { raw } = reply
          const { headersSent, writableEnded, writableFinished, statusCode } = raw
          seen.push([headersSent, writableEnded, writableFinished, statusCode, request.raw.complete])
          expect(() => raw.setHeader('X-Late', 'yes')).toThrow(/after they are sent/)
        }
        if (moment === 'in an onResponse hook')
          app.addHook('onResponse', async (request, reply) => look(request, reply))
        app.post('/', (request, reply) => {
          reply.code(201).send(request.body)
          if (moment === 'in a timer') setTimeout(look, 5, request, reply)
        })
        app.get('/last', (_request, reply) => {
          setTimeout(() => reply.send('last'), 20)
        })
        const body = '{"a":1}'
        const head = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
        const { statuses } = await rawSocket(app, `POST / HTTP/1.1\r\n${head}${body}${LAST}`)
        expect(statuses).toEqual([201, 200])
        expect(seen[0]).toEqual([true, true, true, 201, true])
      })
  },
  ['socket', 'wire'],
)

/** Where an application starts to watch the raw response. */
const WATCHES = ['onRequest', 'preHandler', 'onSend', 'onResponse'] as const

describeTransports(
  'replies: reply.raw tells its end',
  ({ createApp, it, expect }) => {
    for (const stage of WATCHES)
      for (const [content, payload] of Object.entries({ object: { a: 1 }, stream: ['a', 'b'] }))
        it(`as finished, to who watches it from ${stage}, of the content ${content}`, async () => {
          const app = createApp()
          const seen: string[] = []
          const isClosed = createGate()
          app.addHook(stage, async (_request: Request, { raw }: Reply) => {
            raw.on('close', () => seen.push(`close ${raw.writableFinished}`))
            finished(raw, (error) => {
              seen.push(`end ${error?.message ?? 'good'}`)
              isClosed.open()
            })
          })
          app.addHook('onResponse', async (_request, { raw }) => {
            seen.push(`onResponse ${raw.writableFinished} ${raw.writableEnded}`)
          })
          app.get('/', (_request, reply) => {
            reply.send(Array.isArray(payload) ? Readable.from(payload) : payload)
          })
          const { statuses } = await rawSocket(app, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
          expect(statuses).toEqual([200])
          await isClosed.promise
          // Behind the end on Node's server, `close` may have been emitted before.
          expect(seen.filter((event) => event !== 'close true').toSorted()).toEqual([
            'end good',
            'onResponse true true',
          ])
        })
  },
  ['socket', 'wire'],
)
