// The first and the last line of a request are the bytes that pino would write, whatever its options.
import { channel } from 'node:diagnostics_channel'
import { cloister, LogController } from 'cloister'
import type { Cloister } from 'cloister'
import { observeRequests } from 'cloister/inspect'
import fc from 'fast-check'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import { describeTransports } from '../harness/transports.ts'
import type { App, Reply, Request } from '../harness/app-shape.ts'

/** Its lines are those of pino, because a controller of the application writes them. */
class ByPino extends LogController {
  override incomingRequest(...args: Parameters<LogController['incomingRequest']>): void {
    super.incomingRequest(...args)
  }
  override requestCompleted(...args: Parameters<LogController['requestCompleted']>): void {
    super.requestCompleted(...args)
  }
}

const comparable = (text: string): string =>
  text
    .replaceAll(/"responseTime":[\d.e-]+/g, '"responseTime":1')
    .replaceAll(/"(time|remotePort|ms)":"?[\d\-T:.Z]+"?/g, '"$1":1')

function collect(options: object, controller: boolean, change: (app: Cloister) => void = () => {}) {
  const texts: string[] = []
  const stream = { write: (text: string) => void texts.push(comparable(text)) }
  const app = cloister({
    requestIdHeader: 'x-id',
    logger: { stream, ...options },
    ...(controller ? { logController: new ByPino() } : {}),
  })
  app.get('/*', (_request, reply) => reply.code(204).send())
  app.get('/broken', () => {
    throw new Error('broken')
  })
  app.get('/logs', (request) => {
    request.log.info('mine')
    return 'ok'
  })
  change(app)
  return { app, texts }
}

/** Adds an observer that gives the lines fields. */
const withFields =
  (logFields: Readonly<Record<string, unknown>> | null) =>
  (app: Cloister): void =>
    observeRequests(app, () => () => ({
      logFields,
      within: (run) => run(),
      failed() {},
      ended() {},
      hook: (_hook, call, done) => call(done),
    }))

/** Options of pino, from those that keep lines as they are to those that change each. */
const OPTIONS: readonly object[] = [
  {},
  { base: null },
  { name: 'a "name"', base: { pid: 1, hostname: 'h' } },
  { timestamp: false },
  { timestamp: pino.stdTimeFunctions.isoTime },
  { messageKey: 'message' },
  { nestedKey: 'payload' },
  { crlf: true },
  { level: 'warn' },
  { level: 'debug' },
  { msgPrefix: '[app] ' },
  { mixin: () => ({ mixed: 1 }) },
  { redact: ['req.url'] },
  { redact: { paths: ['res.*'], censor: 'x' } },
  { formatters: { level: (label: string) => ({ severity: label }) } },
  { formatters: { log: (object: object) => ({ ...object, more: 1 }) } },
  { formatters: { bindings: () => ({ host: 'x' }) } },
  { serializers: { req: () => 'request' } },
  { serializers: { res: () => 'response' } },
  { serializers: { reqId: (id: string) => `<${id}>` } },
  { serializers: { responseTime: () => 'late' } },
  { customLevels: { audit: 35 } },
  { useOnlyCustomLevels: false, customLevels: { info2: 31 }, levelComparison: 'ASC' },
  {
    hooks: {
      logMethod(this: unknown, args: unknown[], method: (...all: unknown[]) => void) {
        method.apply(this, args)
      },
    },
  },
  { hooks: { streamWrite: (text: string) => text.replace('incoming', 'coming') } },
  { onChild: (child: { setBindings(bindings: object): void }) => child.setBindings({ seen: 1 }) },
]

const URLS = ['/', '/logs', '/broken', '/a"b\\c?d=%22', '/%00', `/${'x'.repeat(200)}`]
const PATH = fc.oneof(
  fc.constantFrom(...URLS),
  fc.webPath().map((path) => (path.startsWith('/') ? path : `/${path}`)),
)
const ID = fc.string({
  unit: fc.constantFrom('a', '"', '\\', 'é', '\t', '\u007f', '-', '\u00ff'),
  maxLength: 8,
})

describe('lines of requests', () => {
  it('are those of pino with each of its options', async () => {
    for (const options of OPTIONS) {
      const [ours, theirs] = [collect(options, false), collect(options, true)]
      for (const url of URLS)
        for (const { app } of [ours, theirs]) await app.inject({ url, headers: { 'x-id': 'an "id"' } })
      expect(ours.texts, JSON.stringify(options)).toEqual(theirs.texts)
      await Promise.all([ours.app.close(), theirs.app.close()])
    }
  })

  it('are those of pino for all targets, ids, hosts and versions', async () => {
    const [ours, theirs] = [collect({}, false), collect({}, true)]
    const headers = fc.record(
      { 'x-id': ID, 'accept-version': fc.constantFrom('1.x', '2.0.0'), host: fc.domain() },
      { requiredKeys: ['host'] },
    )
    await fc.assert(
      fc.asyncProperty(PATH, headers, async (url, given) => {
        for (const { app } of [ours, theirs]) await app.inject({ url, headers: given })
        expect(ours.texts).toEqual(theirs.texts)
      }),
      { numRuns: 150 },
    )
    expect(ours.texts.length).toBeGreaterThan(300)
  })

  it('are those of pino where the app changes its logger, or the log of a request', async () => {
    const changes: ((app: Cloister) => void)[] = [
      (app) => void Reflect.set(app.log, 'level', 'error'),
      (app) =>
        void app.addHook(
          'onRequest',
          async ({ url }) => void Reflect.set(app.log, 'level', url === '/' ? 'info' : 'error'),
        ),
      (app) => void callMember(app.log, 'setBindings', { more: 'x' }),
      (app) => void Reflect.set(app.log, 'info', () => {}),
      (app) =>
        void app.addHook('onRequest', async (request) => void (request.log = request.log.child({ more: 1 }))),
      (app) => void app.addHook('onRequest', async (request) => void Reflect.set(request, 'id', 'other')),
      (app) => void app.get('/', { logLevel: 'error' }, () => 'ok'),
      (app) => void app.get('/', { logSerializers: { res: () => 'own' } }, () => 'ok'),
      (app) =>
        void app.setChildLoggerFactory((logger, bindings, options) =>
          logger.child({ ...bindings, a: 1 }, options),
        ),
    ]
    for (const change of changes) {
      const [ours, theirs] = [collect({}, false, change), collect({}, true, change)]
      for (const url of URLS) for (const { app } of [ours, theirs]) await app.inject(url)
      expect(ours.texts, String(change)).toEqual(theirs.texts)
    }
  })

  it('are those of pino with the fields of an observer, with each option of pino', async () => {
    const more = [{}, { serializers: { trace_id: (id: string) => `<${id}>` } }, { redact: ['trace_id'] }]
    for (const options of [...OPTIONS, ...more]) {
      const change = withFields({ trace_id: 'a"b', span_id: '00f067aa0ba902b7' })
      const [ours, theirs] = [collect(options, false, change), collect(options, true, change)]
      for (const url of URLS) for (const { app } of [ours, theirs]) await app.inject(url)
      expect(ours.texts, JSON.stringify(options)).toEqual(theirs.texts)
    }
  })

  it('are those of pino for all fields of an observer', async () => {
    const name = fc.oneof(
      fc.constantFrom(
        'trace_id',
        'reqId',
        'level',
        'serializers',
        'req',
        '1',
        'a-b',
        'a"b',
        'é',
        '',
        'toString',
      ),
      fc.string({ maxLength: 3 }),
    )
    const value = fc.oneof(ID, fc.constantFrom(undefined, null, 1, { a: 1 }, [], true))
    const fields = fc.oneof(fc.dictionary(name, value, { maxKeys: 4 }), fc.constant(null))
    await fc.assert(
      fc.asyncProperty(fields, async (given) => {
        const [ours, theirs] = [collect({}, false, withFields(given)), collect({}, true, withFields(given))]
        for (const { app } of [ours, theirs]) await app.inject('/')
        expect(ours.texts.length).toBeGreaterThan(1)
        expect(ours.texts).toEqual(theirs.texts)
      }),
      { numRuns: 150 },
    )
  })

  it('go through pino while a tool follows them', async () => {
    const seen: unknown[] = []
    const follow = (message: unknown): void => void seen.push(message)
    const start = channel('tracing:pino_asJson:start')
    const { app, texts } = collect({}, false)
    await app.inject('/')
    expect([seen.length, texts.length]).toEqual([0, 2])
    start.subscribe(follow)
    try {
      await app.inject('/')
    } finally {
      start.unsubscribe(follow)
    }
    expect(texts.length).toBe(4)
    expect(texts[2]?.replace('req-2', 'req-1')).toBe(texts[0])
  })

  it.each([
    ['without an observer', null],
    ['with the fields of an observer', { trace_id: 'a', span_id: 'b' }],
  ])('need no child logger %s', async (_what, fields) => {
    const children: object[] = []
    const { app } = collect({}, false, withFields(fields))
    const child: unknown = Reflect.get(app.log, 'child')
    if (typeof child !== 'function') throw new Error('the logger has no children')
    await app.inject('/')
    Object.defineProperty(app.log, 'child', {
      value(this: object, ...args: unknown[]) {
        const made: unknown = Reflect.apply(child, this, args)
        children.push(Object(made))
        return made
      },
    })
    await app.inject('/')
    expect(children.length).toBe(0)
    await app.inject('/logs')
    expect(children.length).toBe(1)
  })
})

describeTransports(
  'lines of requests',
  ({ createApp, send, it: test, expect: expectIn }) => {
    test('are written on every transport, with what the client sent', async () => {
      const texts: string[] = []
      const both: string[][] = []
      for (const more of [{}, { logController: new ByPino() }]) {
        texts.length = 0
        const app: App = createApp({
          logger: { stream: { write: (text: string) => void texts.push(comparable(text)) } },
          ...more,
        })
        app.get('/books', (_request: Request, reply: Reply) => reply.send('ok'))
        await send(app, { path: '/books?a="'.replace('"', '%22') })
        await send(app, { path: '/nowhere' })
        await expectIn.poll(() => texts.filter((one) => one.includes('request completed')).length).toBe(2)
        both.push(
          texts
            .filter((one) => one.includes('request'))
            .map((one) => one.replace(/(127\.0\.0\.1|localhost):\d+/g, 'host')),
        )
      }
      expectIn(both[0]).toEqual(both[1])
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
