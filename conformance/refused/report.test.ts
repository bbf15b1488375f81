// `strict: 'report'`: the app behaves as without `strict`, and counts exactly what `strict` would refuse.
import type { StrictReport } from 'cloister'
import type { StrictReason } from 'cloister/types'
import fc from 'fast-check'
import { describe, expect as plainExpect, it as plainIt, vi } from 'vitest'
import { z } from 'zod'
import { BOUNDARY, FORM_TYPE } from '../forms/form-body.ts'
import type { App } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import type { SentResponse } from '../harness/send.ts'
import { describeTransports, ours as oursAlone, useApps } from '../harness/transports.ts'
import { register } from '../mcp/tool-app.ts'
import { connect, LANES, useSocketApps } from '../sockets/client.ts'
import { addRoutes, JSON_TYPE, object } from './routes.ts'
import { ACCEPTED, latin1, post, ROWS } from './rows.ts'

const REASON = 'the peers have no such option'
const FORM_URLENCODED = 'application/x-www-form-urlencoded'
const REPORT = { strict: 'report' }

function isReport(value: unknown): value is StrictReport {
  return typeof value === 'object' && value !== null && 'routes' in value
}

function reportOf(app: App): StrictReport {
  const { report } = app
  const read: unknown = typeof report === 'function' ? Reflect.apply(report, app, []) : null
  if (!isReport(read)) throw new Error('the app has no report')
  return read
}

/** The counts of all routes, by reason. */
function countsOf(app: App): Partial<Record<StrictReason, number>> {
  return Object.assign({}, ...reportOf(app).routes.map(({ counts }) => counts))
}

const shown = ({ status, text, headers }: SentResponse): unknown => [status, text, headers['content-type']]

/** Returns two apps that read bodies of any type, the second with a report. */
function createReaders(createApp: (options?: Record<string, unknown>) => App): readonly [App, App] {
  const apps = [createApp(), createApp(REPORT)] as const
  for (const app of apps) {
    addRoutes(app)
    app.addContentTypeParser('x/own', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.post('/any', (request) => ({ body: request.body }))
  }
  return apps
}

describeTransports(
  'strict: report',
  ({ createApp, send, expect, ours }) => {
    const test = ours(REASON)

    test.each(ROWS.map(([what, request]) => [what, request] as const))('counts %s', async (_, request) => {
      const [plain, strict, judged] = [createApp(), createApp({ strict: true }), createApp(REPORT)]
      for (const app of [plain, strict, judged]) addRoutes(app)
      const [expected, refused] = [await send(plain, request), await send(strict, request)]
      for (let n = 0; n < 2; n++) expect(shown(await send(judged, request))).toEqual(shown(expected))
      const isNew = refused.status >= 400 && expected.status < 400
      const { safe, routes } = reportOf(judged)
      expect([safe, Object.values(countsOf(judged))]).toEqual([!isNew, isNew ? [2] : []])
      const word = Object.values(routes.find((route) => !route.safe)?.examples ?? {})[0] ?? ''
      expect(refused.text).toContain(isNew ? JSON.stringify(word).slice(1, -1) : '')
    })

    test.each(ACCEPTED.map(([what, request]) => [what, request] as const))(
      'does not count %s',
      async (_, request) => {
        const app = createApp(REPORT)
        addRoutes(app)
        await send(app, request)
        const report = reportOf(app)
        expect([report.safe, Math.max(...report.routes.map(({ requests }) => requests))]).toEqual([true, 1])
        expect(String(report)).toMatch(/\(.*routes\.ts:\d+\): safe to switch, 1 request so far/)
      },
    )

    test('reads text and bytes as without strict', async () => {
      const [plain, judged] = createReaders(createApp)
      const bodies = ['\ufeff{"id":1}', '\ufeffa', latin1('\xe2\x82'), latin1('{"name":"\xe9\xe9"}'), '']
      for (const body of bodies) {
        for (const type of [
          JSON_TYPE,
          'text/plain',
          'text/plain; charset=utf-16',
          'x/own',
          FORM_URLENCODED,
        ]) {
          for (const path of ['/', '/any']) {
            const sent = { ...post(body, type), path }
            const [expected, found] = [await send(plain, sent), await send(judged, sent)]
            expect([type, shown(found)]).toEqual([type, shown(expected)])
          }
        }
      }
    })

    test('counts each response that strict would refuse, and sends it', async () => {
      const app = createApp(REPORT)
      const response = { 200: { type: 'object', properties: { n: { type: 'integer' } } } }
      app.get('/lossy', { schema: { response } }, () => ({ n: '1.5' }))
      app.get('/status', { schema: { response } }, (_request, reply) => reply.code(201).send({ n: 1 }))
      app.get('/library', { schema: { response: { 200: z.object({ n: z.string() }) } } }, () => ({ n: 5 }))
      app.get('/fine', { schema: { response } }, () => ({ n: 1 }))
      app.get('/own', { schema: { response } }, (_request, reply) =>
        reply.serializer(() => '{"n":"1.5"}').send({ n: '1.5' }),
      )
      const texts: string[] = []
      for (const path of ['/lossy', '/status', '/library', '/fine', '/own'])
        texts.push((await send(app, { path })).text)
      expect(texts).toEqual(['{"n":1}', '{"n":1}', '{"n":"5"}', '{"n":1}', '{"n":"1.5"}'])
      expect(reportOf(app).routes.map(({ url, counts }) => [url, counts])).toEqual([
        ['/lossy', { serialization: 1 }],
        ['/status', { undeclaredStatuses: 1 }],
        ['/library', { validateResponses: 1 }],
        ['/fine', {}],
        ['/own', {}],
      ])
    })

    test('does not count a request that is refused anyway, or before it is validated', async () => {
      const app = createApp(REPORT)
      app.addHook('onRequest', (request, reply, done) => {
        if (request.headers['x-no'] === undefined) done()
        else void reply.code(401).send({})
      })
      addRoutes(app)
      expect((await send(app, post('{"id":9007199254740993,"name":{}}'))).status).toBe(400)
      expect((await send(app, post('{"id":1.5,"id":1.5}'))).status).toBe(400)
      expect((await send(app, post('{"id":1,"id":2}', JSON_TYPE, { 'x-no': '1' }))).status).toBe(401)
      expect(reportOf(app).safe).toBe(true)
    })

    test('counts parts of forms, and items of a body of lines, once per request', async () => {
      const app = createApp(REPORT)
      const content = {
        'multipart/form-data': { schema: object },
        'application/x-ndjson': { schema: object },
      }
      app.post('/', { schema: { body: { content } } }, async ({ body }) => {
        if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body
        const items: unknown[] = []
        for await (const item of body as AsyncIterable<unknown>) items.push(item)
        return items
      })
      const part = (name: string, text: string, type = ''): string =>
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n${type}\r\n${text}\r\n`
      const parts = [
        part('id', '9007199254740993'),
        part('name', 'caf\xe9'),
        part('inner', '{"a":1,"a":2}', 'content-type: application/json\r\n'),
      ]
      const form = post(latin1(`${parts.join('')}--${BOUNDARY}--\r\n`), FORM_TYPE)
      expect((await send(app, form)).json()).toMatchObject({ name: 'caf\uFFFD', inner: { a: 2 } })
      expect(countsOf(app)).toEqual({ integers: 1, bodyText: 1, duplicateNames: 1 })
      const lines = '{"id":9007199254740993}\n{"id":9007199254740993}\n{"id":"5","id":"6"}\n'
      expect((await send(app, post(lines, 'application/x-ndjson'))).json()).toHaveLength(3)
      expect(countsOf(app)).toEqual({ integers: 2, bodyText: 1, duplicateNames: 2, coerceJsonBodies: 1 })
    })

    test('counts integers for schemas of libraries, whose code runs once', async () => {
      const app = createApp(REPORT)
      let calls = 0
      const library = z.object({ id: z.number().refine(() => ++calls > 0) })
      const integers = z.object({ id: z.number().meta({ type: 'integer' }) })
      app.post('/refined', { schema: { body: library } }, ({ body }) => body)
      app.post('/', { schema: { body: integers } }, ({ body }) => body)
      await send(app, { ...post('{"id":5}'), path: '/refined' })
      expect((await send(app, post('{"id":9007199254740993}'))).status).toBe(200)
      expect([calls, countsOf(app)]).toEqual([1, { integers: 1 }])
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe('strict: report, at boot and in the log', () => {
  const createApp = useApps()
  const test = oursAlone(REASON)

  test('what strict refuses at boot is a line of the report', async () => {
    const app = createApp({ ...REPORT, trustProxy: true })
    app.get('/', { websocket: false }, () => 'x')
    await app.ready()
    const report = reportOf(app)
    plainExpect(report.app).toEqual([plainExpect.stringMatching(/'trustProxy' must not be true/)])
    plainExpect(report.routes).toMatchObject([{ safe: false, counts: { unknownRouteOptions: 1 } }])
    plainExpect(String(report)).toMatch(
      /unknownRouteOptions: 1, first: .*'websocket'[^]*0 of 1 routes are safe/,
    )
  })

  test('a hook that is undefined counts by its option', async () => {
    const app = createApp(REPORT)
    for (const name of ['preHandler']) app.get('/', { [name]: undefined }, () => 'x')
    await app.ready()
    plainExpect(reportOf(app).routes).toMatchObject([{ safe: false, counts: { undefinedHooks: 1 } }])
  })

  test('a default that its own schema refuses counts by its option', async () => {
    const app = createApp(REPORT)
    app.get('/', { schema: { querystring: { page: { type: 'integer', default: 'x' } } } }, () => 'x')
    await app.ready()
    plainExpect(reportOf(app).routes).toMatchObject([{ safe: false, counts: { refusedDefaults: 1 } }])
  })

  test('the first of each route and reason is logged with file and line', async () => {
    const sink = createLogSink()
    const app = createApp({ ...REPORT, logger: { level: 'warn', stream: sink.stream } })
    addRoutes(app)
    const headers = { 'content-type': JSON_TYPE }
    for (const payload of ['{"id":1,"id":2}', '{"id":1,"id":2}', '{"id":"5"}'])
      await app.inject({ method: 'POST', url: '/', headers, payload })
    plainExpect(sink.lines.map(({ route, reason, callSite }) => [route, reason, callSite])).toEqual([
      ['POST /', 'duplicateNames', plainExpect.stringMatching(/routes\.ts:\d+$/)],
      ['POST /', 'coerceJsonBodies', plainExpect.stringMatching(/routes\.ts:\d+$/)],
    ])
  })

  test('a response that strict would not wait for is counted, and sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const app = createApp(REPORT)
      let respond: (text: string) => void = () => {}
      app.get('/', () => new Promise((resolve) => (respond = resolve)))
      app.get('/quick', () => 'quick')
      await app.ready()
      const late = app.inject('/')
      await app.inject('/quick')
      await vi.advanceTimersByTimeAsync(29_000)
      plainExpect(countsOf(app)).toEqual({})
      await vi.advanceTimersByTimeAsync(1_000)
      plainExpect(countsOf(app)).toEqual({ handlerTimeout: 1 })
      respond('late')
      plainExpect((await late).payload).toBe('late')
    } finally {
      vi.useRealTimers()
    }
  })

  test('an option that the app sets itself is not reported', async () => {
    const app = createApp({ ...REPORT, duplicateNames: 'refuse', integers: 'number' })
    addRoutes(app)
    const send = (payload: string): ReturnType<App['inject']> =>
      app.inject({ method: 'POST', url: '/', headers: { 'content-type': JSON_TYPE }, payload })
    plainExpect((await send('{"id":1,"id":2}')).statusCode).toBe(400)
    plainExpect((await send('{"id":9007199254740993}')).statusCode).toBe(200)
    plainExpect((await send('{"inner":{"name":"\\ud800"},"id":1,"id":2}')).statusCode).toBe(400)
    plainExpect(reportOf(app).safe).toBe(true)
  })

  test('what compilers of the application decide is not judged, and runs once', async () => {
    const app = createApp(REPORT)
    let calls = 0
    app.setValidatorCompiler(() => () => ++calls > 0)
    app.setSerializerCompiler(() => (value: unknown) => {
      calls++
      return JSON.stringify(value)
    })
    app.post('/', { schema: { body: object, response: { 200: object } } }, ({ body }) => body)
    await app.inject({ method: 'POST', url: '/', payload: { id: 'x' } })
    plainExpect([calls, reportOf(app).safe]).toEqual([2, true])
  })

  test('an error in request.validationError counts no further', async () => {
    const app = createApp(REPORT)
    app.post('/', { schema: { body: object }, attachValidation: true }, (request) => ({
      isInvalid: request.validationError !== undefined && request.validationError !== null,
    }))
    const send = (payload: object): ReturnType<App['inject']> =>
      app.inject({ method: 'POST', url: '/', payload })
    plainExpect((await send({ id: 'x' })).payload).toBe('{"isInvalid":true}')
    plainExpect(reportOf(app).safe).toBe(true)
    plainExpect((await send({ id: '5' })).payload).toBe('{"isInvalid":false}')
    plainExpect(countsOf(app)).toEqual({ coerceJsonBodies: 1 })
  })

  test('apps without the option have no report, and REPORT routes keep their shortcut', async () => {
    const app = createApp()
    const { report } = app
    if (typeof report !== 'function') throw new Error('the app has no method report')
    plainExpect(Reflect.apply(report, app, [])).toBe(null)
    Reflect.apply(report, app, ['/', () => 'reported'])
    plainExpect((await app.inject({ method: 'REPORT', url: '/' })).payload).toBe('reported')
  })

  test('arguments of a tool are counted', async () => {
    const app = createApp(REPORT)
    await register(app)
    app.post('/things', { schema: { body: object }, mcp: { name: 'add' } }, () => ({ ok: true }))
    const payload = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"body":{"id":9007199254740993}}}}`
    const headers = { 'content-type': JSON_TYPE, accept: 'application/json, text/event-stream' }
    const { payload: text } = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
    plainExpect(text).toContain('ok')
    plainExpect(reportOf(app).routes.find(({ url }) => url === '/things')?.counts).toEqual({ integers: 1 })
  })
})

describe('strict: report, by generated requests', () => {
  const createApp = useApps()
  const literal = fc.constantFrom(
    '1',
    '-0',
    '9007199254740993',
    '1e400',
    '"5"',
    'null',
    '1.5',
    '"\\ud800"',
    '{}',
  )
  const name = fc.constantFrom('id', 'name', 'inner', '\\u0069d')
  const member = fc.tuple(name, literal).map(([key, value]) => `"${key}":${value}`)
  const document = fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(',')}}`)

  oursAlone(REASON)(
    'a request counts if strict refuses it, and the app without strict does not',
    async () => {
      const apps = { plain: createApp(), strict: createApp({ strict: true }), judged: createApp(REPORT) }
      for (const app of Object.values(apps)) addRoutes(app)
      let counted = 0
      const property = fc.asyncProperty(document, async (payload) => {
        const ask = (app: App): ReturnType<App['inject']> =>
          app.inject({ method: 'POST', url: '/', headers: { 'content-type': JSON_TYPE }, payload })
        const [plain, strict, judged] = [
          await ask(apps.plain),
          await ask(apps.strict),
          await ask(apps.judged),
        ]
        plainExpect([judged.statusCode, judged.payload]).toEqual([plain.statusCode, plain.payload])
        const total = Object.values(countsOf(apps.judged)).reduce((sum, count) => sum + count, 0)
        plainExpect([payload, total > counted]).toEqual([
          payload,
          plain.statusCode < 400 && strict.statusCode >= 400,
        ])
        counted = total
      })
      await fc.assert(property, { numRuns: 300 })
      plainExpect(counted).toBeGreaterThan(50)
    },
  )
})

describe('strict: report, by generated bytes and responses', () => {
  const createApp = useApps()
  const test = oursAlone(REASON)
  const pieces = [
    '{"id":1}',
    '"name":',
    '\ufeff',
    '\u{1f600}',
    '%E9',
    '&id=5',
    ' ',
    '\n',
    '{"name":"é"',
    '}',
    '1e999',
  ]
  const piece = fc.oneof(
    fc.constantFrom(...pieces).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
  )
  const bytes = fc.array(piece, { maxLength: 5 }).map((list) => Buffer.concat(list))
  const types = fc.constantFrom(
    JSON_TYPE,
    'application/json; charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
    'x/own',
  )

  test('bytes are read as without strict', async () => {
    const [plain, judged] = createReaders(createApp)
    await fc.assert(
      fc.asyncProperty(bytes, types, fc.constantFrom('/', '/any'), async (payload, type, url) => {
        const ask = (app: App): ReturnType<App['inject']> =>
          app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
        const [expected, found] = [await ask(plain), await ask(judged)]
        plainExpect([found.statusCode, found.payload]).toEqual([expected.statusCode, expected.payload])
      }),
      { numRuns: 1000 },
    )
  })

  const schema = {
    type: 'object',
    required: ['n'],
    properties: {
      n: { type: 'integer' },
      s: { type: 'string' },
      list: { type: 'array', items: { type: 'boolean' } },
    },
  }
  const value = fc.oneof(
    fc.integer(),
    fc.double(),
    fc.string(),
    fc.boolean(),
    fc.constantFrom(null, '5', [], {}, [true]),
  )
  const payload = fc.record(
    { n: value, s: value, list: fc.oneof(value, fc.array(value, { maxLength: 2 })) },
    { requiredKeys: [] },
  )

  test('a response counts if strict refuses it, and the app without strict does not', async () => {
    const apps = [createApp(), createApp({ strict: true, exposeErrors: true }), createApp(REPORT)]
    let body: unknown
    for (const app of apps) app.get('/', { schema: { response: { 200: schema } } }, () => body)
    let counted = 0
    await fc.assert(
      fc.asyncProperty(payload, async (drawn) => {
        body = drawn
        const [plain, strict, judged] = await Promise.all(apps.map((app) => app.inject('/')))
        plainExpect([judged?.statusCode, judged?.payload]).toEqual([plain?.statusCode, plain?.payload])
        const isNew = plain?.statusCode === 200 && strict?.statusCode === 500
        const app = apps[2]
        const { serialization = 0 } = app === undefined ? {} : countsOf(app)
        plainExpect([drawn, serialization > counted]).toEqual([drawn, isNew])
        counted = serialization
      }),
      { numRuns: 500 },
    )
    plainExpect(counted).toBeGreaterThan(50)
  })

  test('a response before the handler counts too', async () => {
    const app = createApp(REPORT)
    app.addHook('onRequest', (_request, reply) => void reply.code(401).send({ n: '1.5' }))
    app.get('/', { schema: { response: { 401: schema } } }, () => 'x')
    plainExpect((await app.inject('/')).payload).toBe('{"n":1}')
    plainExpect(countsOf(app)).toEqual({ serialization: 1 })
  })
})

describe.each(Object.entries(LANES))('strict: report, messages over %s', (_lane, options) => {
  const sockets = useSocketApps()

  plainIt('messages in both directions are counted', async () => {
    const { app } = await sockets({ ...options, strict: 'report' })
    const schema = { type: 'object', properties: { id: { type: 'integer' } } } as const
    app.ws('/', { schema: { incoming: schema, outgoing: schema } }, async (socket) => {
      for await (const message of socket) await socket.send({ ...message, id: '1.5' as never })
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.socket.send('{"id":9007199254740993,"id":9007199254740993}')
    plainExpect(await client.next()).toEqual({ id: 1 })
    client.socket.close()
    plainExpect(app.report()?.routes[0]?.counts).toEqual({ duplicateNames: 1, integers: 1, serialization: 1 })
  })
})
