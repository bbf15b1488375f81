// Whatever an application says about the framing of its responses, in whatever way, each has one that is true.
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { App, Reply } from '../../harness/app-shape.ts'
import { createLogSink } from '../../harness/log-lines.ts'
import { describeConnections, describeLanes } from '../lanes.ts'
import type { Lane, Question } from '../lanes.ts'

const CONTENT = 'hello'

/** What a field is set by. */
const SETTERS: Readonly<Record<string, (reply: Reply, name: string, value: unknown) => void>> = {
  'reply.header': (reply, name, value) => void reply.header(name, value),
  'reply.raw.setHeader': ({ raw }, name, value) => {
    try {
      Reflect.apply(raw.setHeader, raw, [name, value])
    } catch {
      // HTTP/2 refuses fields of connections at once.
    }
  },
}

const FIELDS: readonly (readonly [name: string, value: unknown])[] = [
  ...['chunked', 'gzip', 'identity', 'gzip, chunked', 'Chunked', '', ['chunked', 'chunked']].map(
    (value) => ['transfer-encoding', value] as const,
  ),
  ...['0', '3', '5000', '-1', NaN, '+5', '5, 5', ['5', '5'], ['5', '6'], '0x5', ''].map(
    (value) => ['content-length', value] as const,
  ),
  ['Content-Length', '3'],
  ['CONTENT-LENGTH', CONTENT.length],
]

const PAYLOADS: Readonly<Record<string, () => unknown>> = {
  text: () => CONTENT,
  bytes: () => Buffer.from(CONTENT),
  'stream of one piece': () => Readable.from([Buffer.from(CONTENT)], { objectMode: false }),
  'stream of pieces': () => Readable.from(CONTENT.split(''), { objectMode: false }),
  'web stream': () => new Blob([CONTENT]).stream(),
}

function createApp({ createApp: create }: Lane, options?: Record<string, unknown>): App {
  const app = create(options)
  app.get('/next', () => 'next')
  return app
}

/** A length that a stream can have, and that is another. */
const isWrongLength = (name: string, value: unknown): boolean =>
  /^content-length$/i.test(name) && /^\d+$/.test(String(value)) && Number(value) !== CONTENT.length

describeLanes('the framing of a response', (lane) => {
  const setters = lane.hasRaw ? Object.entries(SETTERS) : Object.entries(SETTERS).slice(0, 1)
  for (const [by, set] of setters) {
    for (const [kind, create] of Object.entries(PAYLOADS)) {
      it(`is one, and true: fields of framing by ${by}, and a ${kind}`, async () => {
        const app = createApp(lane)
        app.get('/:index', (request, reply) => {
          const [name, value] = FIELDS[Number(request.params['index'])] ?? []
          set(reply, String(name), value)
          return reply.type('text/plain').send(create())
        })
        const judge = async ([name, value]: (typeof FIELDS)[number], index: number): Promise<unknown[]> => {
          const { first, next, faults } = await lane.ask(app, { path: `/${index}` })
          // A stream whose length is declared wrongly fails, before its first byte or later.
          const mayFail = kind.includes('stream') && isWrongLength(name, value)
          // A length that ends with a piece is found out with the next one.
          const isSeen = first === null || !first.isComplete || first.status === 500 || next === null
          const isCut = mayFail && isSeen
          const isWhole = first?.isComplete === true && first.content === CONTENT && next === 'next'
          return faults.length > 0 || !(isCut || isWhole) ? [{ name, value, faults, first, next }] : []
        }
        const wrong = await Promise.all(FIELDS.map(judge))
        expect(wrong.flat().slice(0, 2)).toEqual([])
      })
    }
  }

  it('is that of a status without content, whatever length and coding it is given', async () => {
    const app = createApp(lane)
    const statuses = [204, 304]
    app.route({
      method: ['GET', 'POST'],
      url: '/:status/:index/:by',
      handler: (request, reply) => {
        const { status, index, by } = request.params
        const [name, value] = FIELDS[Number(index)] ?? []
        SETTERS[String(by)]?.(reply, String(name), value)
        return reply.code(Number(status)).send(request.method === 'POST' ? CONTENT : null)
      },
    })
    const judge = async (status: number, method: string, path: string): Promise<unknown[]> => {
      const { first, next, faults } = await lane.ask(app, { method, path: `/${status}${path}` })
      const isEmpty = first?.status === status && first.content === '' && next === 'next'
      return isEmpty && faults.length === 0 ? [] : [{ status, method, path, faults, first, next }]
    }
    const paths = setters.flatMap(([by]) => FIELDS.map((_, index) => `/${index}/${by}`))
    const methods = ['GET', 'POST']
    const wrong = await Promise.all(
      statuses.flatMap((status) =>
        methods.flatMap((method) => paths.map((path) => judge(status, method, path))),
      ),
    )
    expect(wrong.flat().slice(0, 2)).toEqual([])
  })

  it('is that of an error, where a status without content has a field that cannot be written', async () => {
    const app = createApp(lane)
    for (const status of [204, 304]) {
      app.get(`/${status}`, (_request, reply) =>
        reply.code(status).header('x-a', 'a\r\nX-Injected: 1').send(),
      )
    }
    for (const status of [204, 304]) {
      const { first, next, faults } = await lane.ask(app, { path: `/${status}` })
      expect([status, first?.status, next, faults]).toEqual([status, 500, 'next', []])
      const length = first?.fields.get('content-length')?.[0] ?? String(first?.content.length)
      expect(Number(length)).toBe(first?.content.length)
      expect(first?.content).not.toBe('')
    }
  })

  it('contradicts an application once in the log of each route', async () => {
    const sink = createLogSink()
    const app = createApp(lane, { logger: { level: 'warn', stream: sink.stream } })
    for (const path of ['/a', '/b']) {
      app.get(path, (_request, reply) => reply.header('content-length', '3').send(CONTENT))
    }
    for (const path of ['/a', '/b', '/a', '/b', '/a']) await lane.ask(app, { path })
    expect(sink.lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(
        /^GET \/a: content-length is 3, and the content has 5 bytes\..*framing\.test\.ts:\d+/,
      ),
      expect.stringMatching(
        /^GET \/b: content-length is 3, and the content has 5 bytes\..*framing\.test\.ts:\d+/,
      ),
    ])
  })
})

const OLD: readonly Omit<Question, 'path'>[] = [
  { version: '1.0' },
  { version: '1.0', lines: ['Connection: keep-alive'] },
  { version: '1.0', lines: ['Connection: close'] },
]

describeConnections('the framing for a client of HTTP/1.0', (lane) => {
  for (const [kind, create] of Object.entries(PAYLOADS)) {
    it(`has no chunks, no trailers and no interim response: a ${kind}`, async () => {
      const app = createApp(lane)
      app.get('/', (_request, reply) => {
        reply.writeEarlyHints({ link: '</a.css>; rel=preload' })
        reply.trailer('x-end', () => Promise.resolve('1'))
        return reply.type('text/plain').send(create())
      })
      for (const question of OLD) {
        const { first, faults } = await lane.ask(app, { ...question, path: '/' })
        expect([question, faults, first?.content, first?.isComplete]).toEqual([question, [], CONTENT, true])
      }
    })
  }
})
