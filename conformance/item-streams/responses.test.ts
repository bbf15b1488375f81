// Handlers that are generators: each item is held to its schema and written in the format that the route declares.
import { sse } from 'cloister'
import type { App, Handler } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const EVENTS = 'text/event-stream'
const LINES = 'application/x-ndjson'
const RECORDS = 'application/json-seq'
const item = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const FAILURE =
  'event: error\ndata: {"statusCode":500,"error":"Internal Server Error","message":"Internal Server Error"}\n\n'

describeTransports(
  'item streams: responses',
  ({ createApp, send, expect, ours }) => {
    const test = ours('the peers have no such handlers')

    /** Adds a route whose response has items of these types. */
    function addRoute(app: App, types: readonly string[], handler: Handler, options: object = {}): void {
      const content = Object.fromEntries(types.map((type) => [type, { schema: item }]))
      app.get('/', { ...options, schema: { response: { 200: { content } } } }, handler)
    }

    /** Waits for several heartbeats of 20 ms, in turns: a process that is delayed sends them first. */
    async function pause(): Promise<void> {
      for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setTimeout(resolve, 10))
    }

    const isWebStream = (payload: unknown): boolean =>
      Object.prototype.toString.call(payload) === '[object ReadableStream]'

    async function* numbers(...values: unknown[]): AsyncGenerator<unknown> {
      for (const n of values) yield { n, secret: 'hidden' }
    }

    test.each([
      [EVENTS, 'data: {"n":1}\n\ndata: {"n":2}\n\n'],
      [LINES, '{"n":1}\n{"n":2}\n'],
      [RECORDS, '\u001E{"n":1}\n\u001E{"n":2}\n'],
    ])('writes each item by its schema as %s', async (type, text) => {
      const app = createApp()
      addRoute(app, [type], () => numbers(1, 2))
      const response = await send(app, { path: '/' })
      expect([response.status, response.headers['content-type'], response.text]).toEqual([200, type, text])
    })

    test('takes an async iterable from an async handler and from reply.send', async () => {
      for (const handler of [
        async () => await Promise.resolve(numbers(1)),
        (_request, reply) => void reply.send({ [Symbol.asyncIterator]: () => numbers(1) }),
      ] satisfies Handler[]) {
        const app = createApp()
        addRoute(app, [LINES], handler)
        expect((await send(app, { path: '/' })).text).toBe('{"n":1}\n')
      }
    })

    test('writes the declared type that the client prefers, or the type that the handler sets', async () => {
      const app = createApp()
      addRoute(app, [EVENTS, LINES, RECORDS], (request, reply) => {
        if (request.query['records'] !== undefined) reply.type(RECORDS)
        return numbers(1)
      })
      const typeOf = async (path: string, accept: string): Promise<unknown> =>
        (await send(app, { path, headers: { accept } })).headers['content-type']
      expect(await typeOf('/', '*/*')).toBe(EVENTS)
      expect(await typeOf('/', LINES)).toBe(LINES)
      expect(await typeOf('/', `${EVENTS};q=0.1, application/*;q=0.5`)).toBe(LINES)
      expect(await typeOf('/', `${EVENTS};q=0, ${RECORDS};q=0.2`)).toBe(RECORDS)
      expect(await typeOf('/', 'application/x-ndjsonp')).toBe(EVENTS)
      expect(await typeOf('/?records', LINES)).toBe(RECORDS)
    })

    test('writes the fields of an event, and its data by the schema', async () => {
      const app = createApp()
      addRoute(app, [EVENTS], async function* () {
        yield sse({ data: { n: 1, secret: 2 }, event: 'tick', id: 7, retry: 10, comment: 'a\nb' })
        yield sse({ comment: 'alone' })
        yield sse({ id: 8 })
        // Clients drop an event without a line of data.
        yield sse({ event: 'gap' })
      })
      const { text, headers } = await send(app, { path: '/' })
      expect(text).toBe(
        ': a\n: b\nevent: tick\nid: 7\nretry: 10\ndata: {"n":1}\n\n: alone\n\nid: 8\n\nevent: gap\ndata:\n\n',
      )
      expect([headers['cache-control'], headers['x-accel-buffering']]).toEqual(['no-cache', 'no'])
    })

    test('shows the id of the last event that the client has got', async () => {
      const app = createApp()
      addRoute(app, [EVENTS], async function* (request) {
        yield { n: Number(request['lastEventId']) + 1 }
      })
      const { text } = await send(app, { path: '/', headers: { 'last-event-id': '7' } })
      expect(text).toBe('data: {"n":8}\n\n')
    })

    test.each([EVENTS, LINES])(
      'responds with an error to what fails at the first item (%s)',
      async (type) => {
        const app = createApp()
        let isEnded = false
        addRoute(app, [type], async function* (request) {
          try {
            if (request.query['throw'] !== undefined)
              throw Object.assign(new Error('busy'), { statusCode: 429 })
            yield { n: 'many' }
          } finally {
            isEnded = true
          }
        })
        const { status, text } = await send(app, { path: '/' })
        expect([status, text, isEnded]).toEqual([
          500,
          expect.stringContaining('Item 1 of the response of GET /'),
          true,
        ])
        const handled = await send(app, { path: '/?throw' })
        expect([handled.status, handled.json()]).toEqual([429, expect.objectContaining({ message: 'busy' })])
      },
    )

    test('ends events with an event about an item that does not fit, and logs it', async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      addRoute(app, [EVENTS], () => numbers(1, 'hidden', 3))
      expect((await send(app, { path: '/' })).text).toBe(`data: {"n":1}\n\n${FAILURE}`)
      const lines = JSON.stringify(sink.lines)
      expect(lines).toContain('Item 2 of the response of GET / does not match its schema')
      expect(lines).toContain('(at /n)')
    })

    test('ends events with an event about an error of the generator, without its text', async () => {
      const app = createApp()
      addRoute(app, [EVENTS], async function* () {
        yield { n: 1 }
        throw new Error('password is 1234')
      })
      expect((await send(app, { path: '/' })).text).toBe(`data: {"n":1}\n\n${FAILURE}`)
    })

    test.each([LINES, RECORDS])('cuts %s behind the last item that fits', async (type) => {
      const app = createApp()
      addRoute(app, [type], () => numbers(1, 'hidden', 3))
      await expect(send(app, { path: '/' })).rejects.toThrow()
    })

    test('names what to declare where a generator has no declared type, and does not run it', async () => {
      let runs = 0
      async function* counting(): AsyncGenerator<unknown> {
        runs += 1
        yield { n: 1 }
      }
      for (const handler of [counting, async () => counting()]) {
        const app = createApp()
        app.get('/', handler)
        const { status, text } = await send(app, { path: '/' })
        expect(status).toBe(500)
        expect(text).toContain("content: { 'text/event-stream': { schema } }")
      }
      expect(runs).toBe(0)
    })

    test('sends an iterable of a class as a value where no stream is declared, or the reply has a serializer', async () => {
      class Numbers {
        readonly n = 1;
        [Symbol.asyncIterator](): AsyncGenerator<unknown> {
          return numbers(1)
        }
      }
      const app = createApp()
      app.get('/value', () => new Numbers())
      addRoute(app, [LINES], (_request, reply) =>
        reply.serializer((payload) => `own ${JSON.stringify(payload)}`).send(new Numbers()),
      )
      expect((await send(app, { path: '/value' })).text).toBe('{"n":1}')
      expect((await send(app, { path: '/' })).text).toBe('own {"n":1}')
    })

    test('sends what the generator of an async handler sends before its first item', async () => {
      const app = createApp()
      addRoute(app, [LINES], async (_request, reply) => {
        async function* later(): AsyncGenerator<unknown> {
          await tick()
          if (reply.statusCode === 200) return reply.code(404).send({ message: 'none' })
          yield { n: 1 }
        }
        return later()
      })
      const response = await send(app, { path: '/' })
      expect([response.status, response.json()]).toEqual([404, { message: 'none' }])
    })

    test('sends an iterable as a value where no stream is declared', async () => {
      const app = createApp()
      app.get('/', () => ({ n: 1, [Symbol.asyncIterator]: () => numbers(1) }))
      expect((await send(app, { path: '/' })).json()).toEqual({ n: 1 })
    })

    test('runs the generator up to its first item for HEAD, and ends it', async () => {
      const app = createApp({ exposeHeadRoutes: true })
      const steps: string[] = []
      const ended = createGate()
      addRoute(app, [EVENTS], async function* (_request, reply) {
        reply.header('x-step', 'first')
        try {
          for (let n = 1; n < 9; n++) {
            steps.push(`item ${n}`)
            yield { n }
          }
        } finally {
          ended.open()
        }
      })
      const { status, headers, text } = await send(app, { path: '/', method: 'HEAD' })
      await ended.promise
      expect([status, headers['content-type'], headers['x-step'], text]).toEqual([200, EVENTS, 'first', ''])
      expect(steps).toEqual(['item 1'])
    })

    test.each([EVENTS, LINES])('has the status and headers set before the first item of %s', async (type) => {
      const app = createApp()
      const content = { [type]: { schema: item } }
      app.get('/', { schema: { response: { '2xx': { content } } } }, async function* (_request, reply) {
        await tick()
        reply.code(203).header('x-found', 'yes')
        yield { n: 1 }
      })
      const { status, headers } = await send(app, { path: '/' })
      expect([status, headers['content-type'], headers['x-found']]).toEqual([203, type, 'yes'])
    })

    test.each([EVENTS, LINES])('sends what a generator sends before its first item of %s', async (type) => {
      const app = createApp()
      const ended = createGate()
      addRoute(app, [type], async function* (_request, reply) {
        try {
          await tick()
          if (reply.statusCode === 200) return reply.code(404).send({ message: 'there is no such list' })
          yield { n: 1 }
        } finally {
          ended.open()
        }
      })
      const response = await send(app, { path: '/' })
      await ended.promise
      expect([response.status, response.json()]).toEqual([404, { message: 'there is no such list' }])
    })

    test('sends what a generator returns in place of items', async () => {
      const app = createApp()
      addRoute(app, [LINES], async function* (request, reply) {
        if (request.query['error'] !== undefined) return new Error('returned')
        if (request.query['none'] !== undefined) reply.code(404)
        if (reply.statusCode === 404) return { message: 'none' }
        yield { n: 1 }
      })
      expect((await send(app, { path: '/?error' })).json()).toMatchObject({
        statusCode: 500,
        message: 'returned',
      })
      const none = await send(app, { path: '/?none' })
      expect([none.status, none.json()]).toEqual([404, { message: 'none' }])
      expect((await send(app, { path: '/' })).text).toBe('{"n":1}\n')
    })

    test('ends a generator that yields after it has sent something else, and hooks run once', async () => {
      const app = createApp()
      const ended = createGate()
      let sends = 0
      app.addHook('onSend', async () => {
        sends += 1
      })
      addRoute(app, [LINES], async function* (_request, reply) {
        try {
          reply.code(409).send({ message: 'taken' })
          for (let n = 0; ; n++) yield { n }
        } finally {
          ended.open()
        }
      })
      const response = await send(app, { path: '/' })
      await ended.promise
      expect([response.status, response.json(), sends]).toEqual([409, { message: 'taken' }, 1])
    })

    test('ends with an error where a generator sends something else after an item', async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      addRoute(app, [EVENTS], async function* (_request, reply) {
        yield { n: 1 }
        return reply.code(404).send({ message: 'too late' })
      })
      expect((await send(app, { path: '/' })).text).toBe(`data: {"n":1}\n\n${FAILURE}`)
      expect(JSON.stringify(sink.lines)).toContain('ALREADY_SENT')
    })

    test('cuts lines where a generator sends something else after an item', async () => {
      const app = createApp()
      addRoute(app, [LINES], async function* (_request, reply) {
        yield { n: 1 }
        return reply.code(404).send({ message: 'too late' })
      })
      await expect(send(app, { path: '/' })).rejects.toThrow()
    })

    test('gives an error before the first item to the error handler', async () => {
      const app = createApp()
      app.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ message: error.message }))
      addRoute(app, [EVENTS], async function* () {
        if (await tick().then(() => true)) throw new Error('no tea')
        yield { n: 1 }
      })
      const response = await send(app, { path: '/' })
      expect([response.status, response.json()]).toEqual([418, { message: 'no tea' }])
    })

    test('gives onSend hooks a web stream', async () => {
      const app = createApp()
      app.addHook('onSend', async (_request, _reply, payload) => {
        if (!isWebStream(payload)) throw new TypeError('no web stream')
        return payload
      })
      addRoute(app, [LINES], () => numbers(1, 2))
      expect((await send(app, { path: '/' })).text).toBe('{"n":1}\n{"n":2}\n')
    })

    test('opens a silent stream with a comment, and sends more of them', async () => {
      const app = createApp({ handlerTimeout: 60_000 })
      const gate = createGate()
      let reads = 0
      const source = {
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            reads += 1
            await gate.promise
            return { done: true, value: undefined }
          },
        }),
      }
      addRoute(app, [EVENTS], () => source, { heartbeatMs: 20 })
      const opened = pause().then(() => gate.open())
      const { status, text } = await send(app, { path: '/' })
      await opened
      expect([status, reads]).toEqual([200, 1])
      expect(text).toMatch(/^(:\n\n){2,}$/)
    })

    test('ends with an error where a generator sends something else when the head is out', async () => {
      const app = createApp()
      addRoute(
        app,
        [EVENTS],
        async function* (_request, reply) {
          await pause()
          if (reply.sent) return reply.code(404).send({ message: 'too late' })
          yield { n: 1 }
        },
        { heartbeatMs: 20 },
      )
      const { status, text } = await send(app, { path: '/' })
      expect([status, text.replaceAll(':\n\n', '')]).toEqual([200, FAILURE])
    })

    test('holds a stream whose head is out to no handlerTimeout', async () => {
      const app = createApp({ handlerTimeout: 50 })
      addRoute(app, [LINES], async function* () {
        yield { n: 1 }
        await new Promise((resolve) => setTimeout(resolve, 100))
        yield { n: 2 }
      })
      expect((await send(app, { path: '/' })).text).toBe('{"n":1}\n{"n":2}\n')
    })

    test.each([
      ['before its first item', 'retry: 1000\n\n'],
      ['after an item', 'data: {"n":1}\n\nretry: 1000\n\n'],
    ])('ends events when the app closes %s, and lets clients come back', async (when, text) => {
      const app = createApp({ closeGraceMs: 60_000, forceCloseConnections: false })
      const begun = createGate()
      const ended = createGate()
      addRoute(app, [EVENTS], async function* (request) {
        const { signal } = request
        if (!(signal instanceof AbortSignal)) throw new TypeError('no signal')
        try {
          if (when === 'after an item') yield { n: 1 }
          begun.open()
          await new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')))
          })
        } finally {
          ended.open()
        }
      })
      const sent = send(app, { path: '/' })
      await begun.promise
      await Promise.all([app.close(), ended.promise])
      expect((await sent).text).toBe(text)
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describeTransports('generators with a serializer of the application', ({ createApp, send, ours, expect }) => {
  const schema = { response: { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } } }
  const upper = (value: unknown): string => `${String(value).toUpperCase()}\revent: own`

  for (const set of ['for the route', 'for the context', 'for all replies', 'for the reply'])
    ours('they send no items')(`stream their items through it: ${set}`, async () => {
      const app = createApp()
      let isOver = false
      if (set === 'for the context') app.setSerializerCompiler(() => upper)
      if (set === 'for all replies') app.setReplySerializer(upper)
      const route = set === 'for the route' ? { schema, serializerCompiler: () => upper } : { schema }
      app.get('/', route, async function* (_request, reply) {
        if (set === 'for the reply') reply.serializer(upper)
        try {
          yield 'a'
          yield 'b'
        } finally {
          isOver = true
        }
      })
      const response = await send(app, { path: '/' })
      expect(response.headers['content-type']).toMatch(/^text\/event-stream/)
      // A line end within an item would begin a field.
      expect([response.text, isOver]).toEqual(['data: A event: own\n\ndata: B event: own\n\n', true])
    })

  ours('they send no items')('are refused where no response declares items, and ended', async () => {
    const app = createApp()
    let isOver = false
    app.setReplySerializer(upper)
    app.get('/', { schema }, async function* (_request, reply) {
      reply.code(201)
      try {
        yield 'a'
      } finally {
        isOver = true
      }
    })
    const response = await send(app, { path: '/' })
    expect([response.status, isOver]).toEqual([500, true])
  })
})
