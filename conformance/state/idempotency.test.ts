// Idempotent routes: of requests with one key, one runs.
import { idempotency, memoryState, type State } from '@cloister/state'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'
import type { SentResponse } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import { brokenState } from './broken-state.ts'

const BODY = {
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'integer' }, note: { type: 'string', default: '' } },
}
const scope = (request: { headers: Record<string, unknown> }): unknown => request.headers['x-user'] ?? 'ada'

/** A promise and what settles it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describeTransports('idempotent routes', ({ createApp, send, it, expect }) => {
  const start = async (
    state: State,
    handler: (request: Request, reply: Reply) => unknown,
    { plugin = {}, route = true, app: options = {} }: { plugin?: object; route?: unknown; app?: object } = {},
  ): Promise<{ app: App }> => {
    const app = createApp({ ...options })
    await registerPlugin(app, idempotency, { state, scope, ...plugin })
    app.post('/pay', { schema: { body: BODY }, idempotency: route }, handler)
    return { app }
  }
  const pay = (app: App, body: unknown, headers: Record<string, string> = {}): Promise<SentResponse> =>
    send(app, {
      method: 'POST',
      path: '/pay',
      headers: { 'idempotency-key': 'k1', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const codeOf = (response: SentResponse): unknown[] => [
    response.status,
    Reflect.get(Object(response.json()), 'code'),
  ]

  it('are described with the name of the handler', async () => {
    const { app } = await start(memoryState(), function pay() {
      return { paid: true }
    })
    await app.ready()
    const described: unknown = Reflect.apply(Object(app)['explain'], app, ['POST', '/pay'])
    expect(described).toMatchObject({ handler: 'pay' })
  })

  it('run once for 100 equal requests to two apps, and send 100 equal responses', async () => {
    const state = memoryState()
    let effects = 0
    const handler = async (_request: Request, reply: Reply): Promise<unknown> => {
      effects += 1
      await sleep(5)
      return reply.code(201).header('location', `/payments/${effects}`).send({ paid: effects })
    }
    const apps = [(await start(state, handler)).app, (await start(state, handler)).app] as const
    const untilDone = async (index: number): Promise<SentResponse> => {
      for (;;) {
        const response = await pay(apps[index % 2 === 0 ? 0 : 1], { amount: 5 })
        if (response.status !== 409) return response
        expect(response.headers['retry-after']).toBe('1')
        expect(codeOf(response)).toEqual([409, 'CLO_ERR_IDEMPOTENCY_RUNNING'])
        await sleep(2)
      }
    }
    const responses = await Promise.all(Array.from({ length: 100 }, (_one, index) => untilDone(index)))
    expect(effects).toBe(1)
    const seen = responses.map(({ status, text, headers }) =>
      JSON.stringify([status, text, headers['location'], headers['content-type']]),
    )
    expect(new Set(seen)).toEqual(
      new Set([JSON.stringify([201, '{"paid":1}', '/payments/1', 'application/json; charset=utf-8'])]),
    )
    const replayed = responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed.length).toBe(99)
  })

  it('respond with 409 while the first request runs, and with its response then', async () => {
    const { opened, open } = gate()
    const begun = gate()
    const { app } = await start(memoryState(), async () => {
      begun.open()
      await opened
      return { paid: true }
    })
    const first = pay(app, { amount: 5 })
    await begun.opened
    expect(codeOf(await pay(app, { amount: 5 }))).toEqual([409, 'CLO_ERR_IDEMPOTENCY_RUNNING'])
    open()
    expect((await first).json()).toEqual({ paid: true })
    expect((await pay(app, { amount: 5 })).json()).toEqual({ paid: true })
  })

  it('compare the validated request: members in any order, defaults and coerced values are equal', async () => {
    let effects = 0
    const { app } = await start(memoryState(), () => ({ effect: ++effects }))
    for (const body of [{ amount: 5 }, { note: '', amount: '5' }, { amount: 5, note: '' }])
      expect((await pay(app, body)).json()).toEqual({ effect: 1 })
    for (const body of [{ amount: 6 }, { amount: 5, note: 'x' }])
      expect(codeOf(await pay(app, body))).toEqual([422, 'CLO_ERR_IDEMPOTENCY_MISMATCH'])
    expect(effects).toBe(1)
  })

  it('keep the keys of callers, routes and public routes apart', async () => {
    const state = memoryState()
    let effects = 0
    const handler = (): unknown => ({ effect: ++effects })
    const { app } = await start(state, handler)
    app.post('/public', { schema: { body: BODY }, idempotency: { scope: 'public' } }, handler)
    app.put('/pay', { schema: { body: BODY }, idempotency: true }, handler)
    const other = (method: 'POST' | 'PUT', path: string): Promise<SentResponse> =>
      send(app, { method, path, headers: { 'idempotency-key': 'k1' }, body: { amount: 5 } })
    expect((await pay(app, { amount: 5 })).json()).toEqual({ effect: 1 })
    expect((await pay(app, { amount: 5 }, { 'x-user': 'eve' })).json()).toEqual({ effect: 2 })
    expect((await other('POST', '/public')).json()).toEqual({ effect: 3 })
    expect((await other('PUT', '/pay')).json()).toEqual({ effect: 4 })
    expect((await pay(app, { amount: 5 })).json()).toEqual({ effect: 1 })
  })

  it('keep the keys of methods and of hosts apart', async () => {
    const app = createApp()
    await registerPlugin(app, idempotency, { state: memoryState(), scope })
    const method = ['POST', 'PUT']
    app.route({ method, url: '/', idempotency: true, handler: (request: Request) => request.method })
    for (const host of ['a.example', 'b.example', /^c/])
      app.route({
        method: 'POST',
        url: '/hosts',
        constraints: { host },
        idempotency: true,
        handler: () => String(host),
      })
    const ask = async (method: 'POST' | 'PUT', path: string, host: string): Promise<string> =>
      (await send(app, { method, path, headers: { 'idempotency-key': 'k', host } })).text
    expect([await ask('POST', '/', 'a.example'), await ask('PUT', '/', 'a.example')]).toEqual(['POST', 'PUT'])
    expect([
      await ask('POST', '/hosts', 'a.example'),
      await ask('POST', '/hosts', 'b.example'),
      await ask('POST', '/hosts', 'c.example'),
    ]).toEqual(['a.example', 'b.example', '/^c/'])
  })

  it('compare bodies of any depth', async () => {
    const app = createApp()
    await registerPlugin(app, idempotency, { state: memoryState(), scope })
    app.post('/', { idempotency: true }, () => 'done')
    const nested = (depth: number, inner: string): Promise<SentResponse> =>
      send(app, {
        method: 'POST',
        path: '/',
        headers: { 'idempotency-key': 'k', 'content-type': 'application/json' },
        body: `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`,
      })
    const statuses: number[] = []
    for (const inner of ['1', '1', '2']) statuses.push((await nested(50_000, inner)).status)
    expect(statuses).toEqual([200, 200, 422])
  })

  it('take a DELETE without a body, whatever content type it names', async () => {
    const app = createApp()
    await registerPlugin(app, idempotency, { state: memoryState(), scope })
    app.delete('/', { idempotency: true }, () => 'gone')
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' }
    expect((await send(app, { method: 'DELETE', path: '/', headers })).text).toBe('gone')
  })

  it('run again after a thrown error or a 5xx, and replay what a handler sent as 4xx', async () => {
    const outcomes = ['throw', 'five', 'throw four', 'four', 'ok']
    const run: string[] = []
    const { app } = await start(memoryState(), async (_request, reply) => {
      const outcome = outcomes[run.length] ?? 'none'
      run.push(outcome)
      if (outcome === 'throw') throw new Error('failed')
      if (outcome === 'five') return reply.code(503).send({ outcome })
      if (outcome === 'throw four') throw Object.assign(new Error('conflict'), { statusCode: 409 })
      return reply.code(402).send({ outcome })
    })
    // An error handler may make any response of an error.
    app.setErrorHandler((_error: unknown, _request: Request, reply: Reply) =>
      reply.code(200).send({ sorry: true }),
    )
    const statuses: number[] = []
    for (let index = 0; index < 6; index++) statuses.push((await pay(app, { amount: 5 })).status)
    expect(run).toEqual(['throw', 'five', 'throw four', 'four'])
    expect(statuses).toEqual([200, 503, 200, 402, 402, 402])
  })

  it('refuse keys that are none, and run without a key unless it is required', async () => {
    let effects = 0
    const handler = (): unknown => ({ effect: ++effects })
    const { app } = await start(memoryState(), handler)
    app.post('/must', { schema: { body: BODY }, idempotency: { required: true } }, handler)
    const without = async (path: string): Promise<SentResponse> =>
      send(app, { method: 'POST', path, body: { amount: 5 } })
    expect([(await without('/pay')).json(), (await without('/pay')).json()]).toEqual([
      { effect: 1 },
      { effect: 2 },
    ])
    expect(codeOf(await without('/must'))).toEqual([400, 'CLO_ERR_IDEMPOTENCY_KEY_MISSING'])
    for (const key of ['a b', 'x'.repeat(256), 'a, b'])
      expect(codeOf(await pay(app, { amount: 5 }, { 'idempotency-key': key }))).toEqual([
        400,
        'CLO_ERR_IDEMPOTENCY_KEY_INVALID',
      ])
    expect((await pay(app, { amount: 'x' }, { 'idempotency-key': 'k9' })).status).toBe(400)
    expect((await pay(app, { amount: 5 }, { 'idempotency-key': 'k9' })).json()).toEqual({ effect: 3 })
  })

  it('replay bytes and empty responses, but no cookie and no field of a hook', async () => {
    const { app } = await start(memoryState(), (request, reply) => {
      const kind = String(Reflect.get(Object(request.body), 'note'))
      reply.header('set-cookie', 'sid=secret').header('x-own', kind)
      if (kind === 'empty') return reply.code(204).send()
      if (kind === 'text') return reply.type('text/plain').send('\u00e9')
      return reply.type('image/png').send(Buffer.from([0, 255, 128]))
    })
    let requests = 0
    app.addHook('onRequest', async (_request: Request, reply: Reply) => {
      reply.header('x-request', String(++requests))
    })
    app.post('/late', { schema: { body: BODY }, idempotency: true }, (_request: Request, reply: Reply) =>
      reply.header('x-own', 'late').header('set-cookie', 'sid=secret').send('late'),
    )
    for (const note of ['bytes', 'empty', 'text']) {
      const headers = { 'idempotency-key': note }
      const first = await pay(app, { amount: 1, note }, headers)
      const again = await pay(app, { amount: 1, note }, headers)
      expect(again.bytes).toEqual(first.bytes)
      expect([again.status, again.headers['content-type'], again.headers['x-own']]).toEqual([
        first.status,
        first.headers['content-type'],
        note,
      ])
      expect([first.headers['set-cookie'] === undefined, again.headers['set-cookie']]).toEqual([
        false,
        undefined,
      ])
    }
    const late = (): Promise<SentResponse> =>
      send(app, { method: 'POST', path: '/late', headers: { 'idempotency-key': 'l' }, body: { amount: 1 } })
    const numbers = [Number((await late()).headers['x-request']), Number((await late()).headers['x-request'])]
    expect(numbers).toEqual([7, 8])
  })

  it('send what hooks of contexts made of the content, once', async () => {
    const state = memoryState()
    const app = createApp()
    app.addHook(
      'onSend',
      async (_request: Request, _reply: Reply, payload: unknown) => `<${String(payload)}>`,
    )
    await registerPlugin(app, idempotency, { state, scope })
    app.post('/pay', { schema: { body: BODY }, idempotency: true }, () => 'paid')
    expect([(await pay(app, { amount: 5 })).text, (await pay(app, { amount: 5 })).text]).toEqual([
      '<paid>',
      '<paid>',
    ])
  })

  it('send the error of a hook that fails at a replay, and the stored response after that', async () => {
    const { app } = await start(memoryState(), () => 'paid')
    const failures = [false, true, false]
    app.addHook('onSend', async (_request: Request, reply: Reply, payload: unknown) => {
      if (reply.statusCode === 200 && failures.shift() === true) throw new Error('broken')
      return payload
    })
    // Its hooks are those of the app.
    app.post('/late', { schema: { body: BODY }, idempotency: true }, () => 'paid')
    const late = (): Promise<SentResponse> =>
      send(app, { method: 'POST', path: '/late', headers: { 'idempotency-key': 'k' }, body: { amount: 1 } })
    const [first, failed, again] = [await late(), await late(), await late()]
    expect([first.text, failed.status, again.text]).toEqual(['paid', 500, 'paid'])
    expect(failed.json()).toMatchObject({ message: 'broken' })
  })

  it('respond with 409 to a key whose response is not kept: too large, or a stream', async () => {
    const { Readable } = await import('node:stream')
    let effects = 0
    const { app } = await start(
      memoryState(),
      (request, reply) => {
        effects += 1
        const isLarge = Reflect.get(Object(request.body), 'note') === 'large'
        return isLarge ? 'x'.repeat(101) : reply.send(Readable.from(['a', 'b']))
      },
      { plugin: { maxBytes: 100 } },
    )
    for (const note of ['large', 'stream']) {
      const headers = { 'idempotency-key': note }
      expect((await pay(app, { amount: 1, note }, headers)).status).toBe(200)
      expect(codeOf(await pay(app, { amount: 1, note }, headers))).toEqual([
        409,
        'CLO_ERR_IDEMPOTENCY_NOT_KEPT',
      ])
    }
    expect(effects).toBe(2)
  })

  it('do not run again while a handler runs on after its timeout', async () => {
    const { opened, open } = gate()
    let effects = 0
    const { app } = await start(
      memoryState(),
      async () => {
        await opened
        effects += 1
        return 'paid'
      },
      { app: { handlerTimeout: 20 } },
    )
    expect((await pay(app, { amount: 5 })).status).toBe(503)
    expect(codeOf(await pay(app, { amount: 5 }))).toEqual([409, 'CLO_ERR_IDEMPOTENCY_RUNNING'])
    open()
    await sleep(10)
    expect(codeOf(await pay(app, { amount: 5 }))).toEqual([409, 'CLO_ERR_IDEMPOTENCY_NOT_KEPT'])
    expect(effects).toBe(1)
  })

  it('are refused with 503 while the state fails, or run, as the option says', async () => {
    const broken = brokenState(memoryState())
    let effects = 0
    const handler = (): unknown => ({ effect: ++effects })
    const { app } = await start(broken.state, handler)
    app.post('/anyway', { schema: { body: BODY }, idempotency: { onStateFailure: 'allow' } }, handler)
    await app.ready()
    broken.fails = true
    const refused = await pay(app, { amount: 5 })
    expect([...codeOf(refused), refused.headers['retry-after']]).toEqual([
      503,
      'CLO_ERR_IDEMPOTENCY_STATE',
      '1',
    ])
    expect(effects).toBe(0)
    const anyway = await send(app, {
      method: 'POST',
      path: '/anyway',
      headers: { 'idempotency-key': 'k' },
      body: { amount: 5 },
    })
    expect(anyway.json()).toEqual({ effect: 1 })
    broken.fails = false
    expect((await pay(app, { amount: 5 })).json()).toEqual({ effect: 2 })
  })

  it('keep the caller out of what belongs to another, if the scope returns none', async () => {
    const { app } = await start(memoryState(), () => 'paid', { plugin: { scope: () => '' } })
    expect(codeOf(await pay(app, { amount: 5 }))).toEqual([500, 'CLO_ERR_IDEMPOTENCY_SCOPE'])
  })

  it('refuse a body that contains itself, as parsers of forms make, and compare one that has a value twice', async () => {
    const cycles: Record<string, () => unknown> = {
      object: () =>
        Object.assign(
          {},
          {
            get own() {
              return this
            },
          },
        ),
      list: () => {
        const list: unknown[] = []
        list.push([list])
        return list
      },
      map: () => {
        const map = new Map()
        return map.set('own', { map })
      },
      set: () => {
        const set = new Set()
        return set.add([set])
      },
    }
    const app = createApp()
    await registerPlugin(app, idempotency, { state: memoryState(), scope })
    app.addContentTypeParser(
      'application/x-cycle',
      { parseAs: 'string' },
      (_request: Request, text: unknown, done: (error: null, value: unknown) => void) => {
        const shared = { text }
        done(null, cycles[String(text)]?.() ?? [shared, shared, new Map([['a', new Set([shared])]])])
      },
    )
    app.post('/files', { idempotency: true }, () => 'stored')
    const post = (body: string, key: string): Promise<SentResponse> =>
      send(app, {
        method: 'POST',
        path: '/files',
        headers: { 'idempotency-key': key, 'content-type': 'application/x-cycle' },
        body,
      })
    for (const name of Object.keys(cycles))
      expect(codeOf(await post(name, name))).toEqual([500, 'CLO_ERR_IDEMPOTENCY_BODY'])
    expect((await post('one', 'k')).text).toBe('stored')
    expect((await post('one', 'k')).headers['idempotent-replayed']).toBe('true')
    expect(codeOf(await post('two', 'k'))).toEqual([422, 'CLO_ERR_IDEMPOTENCY_MISMATCH'])
  })

  it('have the options of the plugin where those of the route are undefined', async () => {
    const route = { scope: undefined, key: undefined, required: undefined, maxBytes: undefined }
    const plugin = { key: 'x-key', required: true, maxBytes: 1 }
    const { app } = await start(memoryState(), () => 'paid', { plugin, route })
    expect(codeOf(await pay(app, { amount: 5 }))).toEqual([400, 'CLO_ERR_IDEMPOTENCY_KEY_MISSING'])
    expect((await pay(app, { amount: 5 }, { 'x-key': 'k' })).text).toBe('paid')
    const again = await pay(app, { amount: 5 }, { 'x-key': 'k' })
    expect(codeOf(again)).toEqual([409, 'CLO_ERR_IDEMPOTENCY_NOT_KEPT'])
  })

  it('replay a response without a content type without one', async () => {
    const { app } = await start(memoryState(), (_request, reply) => {
      reply.serializer(() => 'as it is')
      return reply.send({ paid: true })
    })
    const seen = [await pay(app, { amount: 5 }), await pay(app, { amount: 5 })]
    expect(seen.map(({ text, headers }) => [text, headers['content-type']])).toEqual([
      ['as it is', undefined],
      ['as it is', undefined],
    ])
  })

  it('do not compare what they cannot see: a stream as the body is an error of the app', async () => {
    const app = createApp()
    await registerPlugin(app, idempotency, { state: memoryState(), scope })
    app.addContentTypeParser(
      'multipart/form-data',
      (_request: Request, _payload: unknown, done: () => void) => done(),
    )
    app.post('/files', { idempotency: true }, () => 'stored')
    const response = await send(app, {
      method: 'POST',
      path: '/files',
      headers: { 'idempotency-key': 'k', 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    })
    expect(codeOf(response)).toEqual([500, 'CLO_ERR_IDEMPOTENCY_BODY'])
  })
})

describe('the boot', () => {
  describeTransports(
    'of an app with idempotent routes',
    ({ createApp, it, expect }) => {
      const boot = async (options: object, define: (app: App) => void = () => {}): Promise<string> => {
        const app = createApp()
        try {
          await registerPlugin(app, idempotency, options)
          define(app)
          await app.ready()
          return 'starts'
        } catch (error) {
          return error instanceof Error
            ? `${String(Reflect.get(error, 'code'))}: ${error.message}`
            : String(error)
        }
      }
      const state = memoryState()
      const route = (options: Record<string, unknown>) => (app: App) =>
        app.post('/pay', options, () => 'paid')

      it.each<[string, object, ((app: App) => void) | undefined, RegExp]>([
        ['a state', { scope }, undefined, /OPTION: the option 'state' is missing/],
        ['a known option', { state, scop: 1 }, undefined, /OPTION: there is no option 'scop', only scope/],
        [
          'a time',
          { state, scope, ttlMs: '1d' },
          undefined,
          /OPTION: the option 'ttlMs' must be a whole number/,
        ],
        [
          'a scope',
          { state },
          route({ idempotency: true }),
          /ROUTE: the option 'scope' is missing.*\(POST \/pay\)/,
        ],
        [
          'options of the route',
          { state, scope },
          route({ idempotency: { state } }),
          /ROUTE: there is no option 'idempotency.state'.*\(POST \/pay\)/,
        ],
        [
          'a method that changes something',
          { state, scope },
          (app) => app.get('/', { idempotency: true }, () => 'x'),
          /ROUTE: requests with GET change nothing.*\(GET \/\)/,
        ],
        [
          'a response that is whole',
          { state, scope },
          (app) =>
            app.post('/', { idempotency: true }, async function* events() {
              yield 'x'
            }),
          /ROUTE: the response is a stream.*\(POST \/\)/,
        ],
        [
          'a schema of a whole response',
          { state, scope },
          route({
            idempotency: true,
            schema: { response: { 200: { content: { 'text/event-stream': { schema: {} } } } } },
          }),
          /ROUTE: the response is a stream/,
        ],
      ])('needs %s', async (_what, options, define, message) => {
        expect(await boot(options, define)).toMatch(message)
      })

      it('needs the plugin before the routes of its context, and names the first route that is late', async () => {
        const options = { state: memoryState(), scope }
        const code = 'CLO_ERR_IDEMPOTENCY_LATE'
        const late = /^the route POST \/pay \(.*idempotency\.test\.ts:\d+\) was defined before/
        const define = route({ idempotency: true })
        const load = (app: App): void => {
          // Its failure is that of the boot.
          registerPlugin(app, idempotency, options).catch(() => {})
        }
        const orders: ((app: App) => unknown)[] = [
          (app) => [define(app), load(app)],
          (app) => [load(app), define(app)],
          (app) => [app.register(async (child) => void define(child)), load(app)],
        ]
        for (const order of orders) {
          const app = createApp()
          order(app)
          await expect(app.ready()).rejects.toMatchObject({ code, message: expect.stringMatching(late) })
        }
      })

      it('fails while the state fails, unless its requests are allowed', async () => {
        const broken = brokenState(memoryState())
        broken.fails = true
        const options = { state: broken.state, scope }
        expect(await boot(options, route({ idempotency: true }))).toMatch(/^CLO_ERR_STATE_FAILED/)
        expect(await boot({ ...options, onStateFailure: 'allow' }, route({ idempotency: true }))).toBe(
          'starts',
        )
      })
    },
    ['in-process'],
  )
})
