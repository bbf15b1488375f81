// The hooks of a request: their order, their forms, their arguments.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { App, Hooks, Reply, Request } from '../harness/app-shape.ts'
import { PATH_HOOKS } from '../harness/path-hooks.ts'
import { tick } from '../harness/time.ts'
import { code, wrap } from '../harness/subject.ts'
import { describeTransports, ours, since5, useApps } from '../harness/transports.ts'
import { describe, expect, it, vi } from 'vitest'

const WHOLE_PATH = [...PATH_HOOKS.slice(0, 4), 'handler', ...PATH_HOOKS.slice(4), 'onResponse']

const FORMS = [
  'async',
  'callback',
  'sync promise',
  'late callback',
  'callback behind a default value',
] as const
type Form = (typeof FORMS)[number]
type AnyHook = (...args: unknown[]) => unknown

/** A hook that notes its name, in one of the forms in which a hook can be written. */
function noting(form: Form, note: () => void, payloadIndex: number | undefined): AnyHook {
  const result = (args: unknown[]): unknown => (payloadIndex === undefined ? undefined : args[payloadIndex])
  const withDone = (
    call: (done: (error: unknown, value: unknown) => void, value: unknown) => void,
  ): AnyHook => {
    const run = (args: unknown[]): void => {
      note()
      const done = args.at(-1)
      if (typeof done !== 'function') throw new Error('no done was given')
      call((error, value) => void Reflect.apply(done, undefined, [error, value]), result(args))
    }
    if (payloadIndex === undefined) return (a, b, c) => run([a, b, c])
    return (a, b, c, d) => run([a, b, c, d])
  }
  switch (form) {
    case 'async': {
      const run = async (args: unknown[]): Promise<unknown> => {
        await tick()
        note()
        return result(args)
      }
      return payloadIndex === undefined ? async (a, b) => run([a, b]) : async (a, b, c) => run([a, b, c])
    }
    case 'sync promise':
      if (payloadIndex === undefined) {
        return (_a, _b) => {
          note()
          return Promise.resolve()
        }
      }
      return (_a, _b, payload) => {
        note()
        return Promise.resolve(payload)
      }
    case 'callback':
      return withDone((done, value) => done(null, value))
    case 'callback behind a default value': {
      const late = withDone((done, value) => setImmediate(done, null, value))
      return payloadIndex === undefined
        ? (a, b = null, c) => late(a, b, c)
        : (a, b, c = null, d) => late(a, b, c, d)
    }
    default:
      return withDone((done, value) => setImmediate(done, null, value))
  }
}

function addNoting(app: App, form: Form, trace: string[]): void {
  for (const name of [...PATH_HOOKS, 'onResponse'] as const) {
    const takesPayload = name === 'preParsing' || name === 'preSerialization' || name === 'onSend'
    Reflect.apply(app.addHook, app, [
      name,
      noting(form, () => void trace.push(name), takesPayload ? 2 : undefined),
    ])
  }
}

describeTransports('hooks: the order of a request', ({ createApp, send, it, ours, expect }) => {
  for (const form of FORMS) {
    it(`runs every hook in order, written as ${form}`, async () => {
      const app = createApp()
      const trace: string[] = []
      let responded = (): void => undefined
      const response = new Promise<void>((resolve) => {
        responded = resolve
      })
      addNoting(app, form, trace)
      app.addHook('onResponse', async () => responded())
      app.post('/', (request) => {
        trace.push('handler')
        return { got: request.body }
      })
      const received = await send(app, { method: 'POST', path: '/', body: { a: 1 } })
      await response
      expect(received.json()).toEqual({ got: { a: 1 } })
      expect(trace).toEqual(WHOLE_PATH)
    })
  }

  ours('the peers hand on `done` too')('hands async hooks their arguments, and nothing else', async () => {
    const app = createApp()
    const counts: Record<string, number> = {}
    const names = [...PATH_HOOKS, 'onError', 'onResponse'] as const
    for (const name of names) {
      const note = async (...given: readonly unknown[]): Promise<void> => {
        counts[name] = given.length
      }
      Reflect.apply(app.addHook, app, [name, note])
    }
    app.post('/', () => ({}))
    app.post('/fails', () => {
      throw new Error('failed')
    })
    for (const path of ['/', '/fails']) await send(app, { method: 'POST', path, body: {} })
    await vi.waitFor(() => expect(Object.keys(counts)).toHaveLength(names.length))
    const others = Object.fromEntries(names.map((name) => [name, 2]))
    expect(counts).toEqual({ ...others, preParsing: 3, preSerialization: 3, onSend: 3, onError: 3 })
  })

  ours('the peers fail, or wait for ever')(
    'leaves the body as it is where preParsing hands on no stream',
    async () => {
      const values = [null, 'text', 7, {}, { on: 'no function' }, Object.assign(() => {}, { on: () => {} })]
      for (const value of values) {
        const app = createApp()
        app.addHook('preParsing', async () => value)
        app.post('/', (request) => ({ got: request.body }))
        const received = await send(app, { method: 'POST', path: '/', body: { a: 1 } })
        expect([received.status, received.json()]).toEqual([200, { got: { a: 1 } }])
      }
    },
  )

  it('runs hooks of one name in the order of their adding, those of the route last', async () => {
    const app = createApp()
    const trace: string[] = []
    const add = (instance: App, mark: string): App =>
      instance.addHook('preHandler', async () => void trace.push(mark))
    add(app, 'root 1')
    add(app, 'root 2')
    app.register(async (child) => {
      add(child, 'child')
      child.get('/', {
        preHandler: [async () => void trace.push('route 1'), async () => void trace.push('route 2')],
        handler: () => 'x',
      })
    })
    await send(app, { path: '/' })
    expect(trace).toEqual(['root 1', 'root 2', 'child', 'route 1', 'route 2'])
  })

  it('runs hooks in the order of their adding, whichever context that was in', async () => {
    const app = createApp()
    const trace: string[] = []
    app.register(async (child) => {
      child.addHook('onRequest', async () => void trace.push('child'))
      child.get('/', () => 'x')
    })
    app.register(
      wrap(async (instance) => {
        instance.addHook('onRequest', async () => void trace.push('wrapped, later'))
      }),
    )
    await send(app, { path: '/' })
    expect(trace).toEqual(['child', 'wrapped, later'])
  })

  it('takes every hook as an option of the route, alone or as a list', async () => {
    const app = createApp()
    const trace: string[] = []
    const note = (name: string) => async (): Promise<void> => void trace.push(name)
    const pass =
      (name: string) =>
      async (_q: Request, _r: Reply, payload: never): Promise<unknown> => {
        trace.push(name)
        return payload
      }
    app.post('/', {
      onRequest: note('onRequest'),
      preParsing: pass('preParsing'),
      preValidation: [note('preValidation')],
      preHandler: note('preHandler'),
      preSerialization: [pass('preSerialization')],
      onSend: pass('onSend'),
      onResponse: note('onResponse'),
      handler: () => {
        trace.push('handler')
        return { a: 1 }
      },
    })
    await send(app, { method: 'POST', path: '/', body: {} })
    await tick()
    expect(trace).toEqual(WHOLE_PATH)
  })

  it('gives hooks the instance of the route as this', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.addHook('onRequest', async function () {
      seen.push(this['place'])
    })
    app.decorate('place', 'root')
    app.get('/root', () => 'x')
    app.register(async (child) => {
      child.decorate('nested', 'child')
      child.addHook('preHandler', function (_request, _reply, done) {
        seen.push(this['nested'])
        done()
      })
      child.get('/child', () => 'x')
    })
    await send(app, { path: '/root' })
    await send(app, { path: '/child' })
    expect(seen).toEqual(['root', 'root', 'child'])
  })

  it('has no body in onRequest and preParsing, the raw one in preValidation, the validated one in preHandler', async () => {
    const app = createApp()
    const seen: unknown[] = []
    const note = async (request: Request): Promise<void> => {
      seen.push(structuredClone(request.body ?? null))
    }
    app.addHook('onRequest', note)
    app.addHook('preParsing', async (request, _reply, payload) => {
      await note(request)
      return payload
    })
    app.addHook('preValidation', note)
    app.addHook('preHandler', note)
    const body = { type: 'object', properties: { n: { type: 'integer' }, d: { default: 'x' } } }
    app.post('/', { schema: { body } }, () => 'done')
    await send(app, { method: 'POST', path: '/', body: { n: '7' } })
    expect(seen).toEqual([null, null, { n: '7' }, { n: 7, d: 'x' }])
  })

  it('lets preValidation change the body before it is validated', async () => {
    const app = createApp()
    app.addHook('preValidation', async (request) => {
      request.body = { n: '42' }
    })
    app.post(
      '/',
      { schema: { body: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } } },
      (request) => request.body,
    )
    expect((await send(app, { method: 'POST', path: '/', body: {} })).json()).toEqual({ n: 42 })
  })

  it('skips preSerialization for strings, buffers, streams and undefined', async () => {
    const app = createApp()
    let ran = 0
    app.addHook('preSerialization', async (_request, _reply, payload) => {
      ran += 1
      return payload
    })
    app.get('/string', () => 'text')
    app.get('/buffer', async () => Buffer.from('bytes'))
    app.get('/nothing', (_request, reply) => void reply.send())
    app.get('/stream', async () => Readable.from([Buffer.from('bytes')]))
    app.get('/object', () => ({ a: 1 }))
    for (const path of ['/string', '/buffer', '/stream', '/nothing']) await send(app, { path })
    expect(ran).toBe(0)
    await send(app, { path: '/object' })
    expect(ran).toBe(1)
  })

  it('replaces the payload in preSerialization and in onSend, one hook after the other', async () => {
    const app = createApp()
    app.addHook('preSerialization', async (_request, _reply, payload) => ({ wrapped: payload }))
    app.addHook('onSend', (_request, _reply, payload: string, done) => done(null, payload.replace('1', '2')))
    app.addHook('onSend', async (_request, _reply, payload: string) => `${payload}!`)
    app.get('/', () => ({ a: 1 }))
    expect((await send(app, { path: '/' })).text).toBe('{"wrapped":{"a":2}}!')
  })

  it('keeps the payload when onSend returns nothing', async () => {
    const app = createApp()
    app.addHook('onSend', async () => undefined)
    app.addHook('onSend', (_request, _reply, _payload, done) => done())
    app.get('/', () => 'kept')
    expect((await send(app, { path: '/' })).text).toBe('kept')
  })

  it('empties the response when onSend returns null', async () => {
    const app = createApp()
    app.addHook('onSend', async (_request, reply) => {
      reply.code(304)
      return null
    })
    app.get('/', () => 'gone')
    const received = await send(app, { path: '/' })
    expect([received.status, received.text]).toEqual([304, ''])
  })

  it('lets onSend set headers', async () => {
    const app = createApp()
    app.addHook('onSend', async (_request, reply) => void reply.header('x-late', 'yes'))
    app.get('/', () => 'x')
    expect((await send(app, { path: '/' })).headers['x-late']).toBe('yes')
  })

  it('runs the hooks of the root for a route that is not found', async () => {
    const app = createApp()
    const trace: string[] = []
    addNoting(app, 'async', trace)
    await send(app, { path: '/nowhere' })
    const wanted = ['onRequest', 'preHandler', 'onSend', 'onResponse']
    await vi.waitFor(() => expect(trace).toEqual(expect.arrayContaining(wanted)))
  })
})

describeTransports('hooks: asynchronous context', ({ createApp, send, it, expect }) => {
  it('keeps the context in which a hook calls done, up to the handler and the last hook', async () => {
    const app = createApp()
    const storage = new AsyncLocalStorage<string>()
    const seen: Record<string, unknown> = {}
    app.addHook('onRequest', (request, _reply, done) => storage.run(`for ${request.url}`, done))
    app.addHook('preHandler', async () => {
      await tick()
      seen['preHandler'] = storage.getStore()
    })
    app.addHook('onSend', (_request, _reply, payload, done) => {
      seen['onSend'] = storage.getStore()
      done(null, payload)
    })
    app.post('/a', async () => {
      await tick()
      return { store: storage.getStore() }
    })
    const received = await send(app, { method: 'POST', path: '/a', body: { some: 'body' } })
    expect(received.json()).toEqual({ store: 'for /a' })
    expect(seen).toEqual({ preHandler: 'for /a', onSend: 'for /a' })
  })
})

describeTransports('hooks: preParsing', ({ createApp, send, it, expect }) => {
  it('replaces the stream of the body', async () => {
    const app = createApp()
    app.addHook('preParsing', async (_request, _reply, payload: NodeJS.ReadableStream) => {
      let text = ''
      for await (const chunk of payload) text += String(chunk)
      const replaced = Readable.from([Buffer.from(text.replace('before', 'after'))])
      return Object.assign(replaced, { receivedEncodedLength: text.length })
    })
    app.post('/', (request) => request.body)
    const received = await send(app, { method: 'POST', path: '/', body: { when: 'before' } })
    expect(received.json()).toEqual({ when: 'after' })
  })

  it('passes the replaced stream to the next preParsing hook', async () => {
    const app = createApp()
    app.addHook('preParsing', (_request, _reply, payload: NodeJS.ReadableStream, done) => {
      payload.resume()
      done(
        null,
        Object.assign(Readable.from([Buffer.from('{"step":1}')]), { marked: true, receivedEncodedLength: 8 }),
      )
    })
    let marked: unknown
    app.addHook('preParsing', async (_request, _reply, payload: { marked?: boolean }) => {
      marked = payload.marked
      return undefined
    })
    app.post('/', (request) => request.body)
    const received = await send(app, { method: 'POST', path: '/', body: { a: 12 } })
    expect(marked).toBe(true)
    expect(received.json()).toEqual({ step: 1 })
  })

  it('holds the size of the replaced stream to the body limit', async () => {
    const app = createApp({ bodyLimit: 20 })
    app.addHook('preParsing', async (_request, _reply, payload: NodeJS.ReadableStream) => {
      payload.resume()
      return Object.assign(Readable.from([Buffer.from(JSON.stringify({ big: 'x'.repeat(100) }))]), {
        receivedEncodedLength: 2,
      })
    })
    app.post('/', () => 'reached')
    expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(413)
  })
})

describe('hooks: how they are refused', () => {
  const createApp = useApps()

  const attempt = async (...call: readonly unknown[]): Promise<void> => {
    const app = createApp()
    Reflect.apply(app.addHook, app, call)
    await app.ready()
  }

  since5('in 4.x it ends the process')('refuses the name of a hook that does not exist', async () => {
    await expect(attempt('onRequset', async () => undefined)).rejects.toThrow(/onRequset/)
  })

  ours('the peers do not guess')('names the hook that was meant', async () => {
    await expect(attempt('onRequset', async () => undefined)).rejects.toThrow(/onRequest/)
  })

  since5('in 4.x it ends the process')('refuses a hook that is not a function, or has no name', async () => {
    await expect(attempt('onRequest', 'text')).rejects.toMatchObject({ code: code('HOOK_INVALID_HANDLER') })
    await expect(attempt(7, async () => undefined)).rejects.toMatchObject({ code: code('HOOK_INVALID_TYPE') })
  })

  it('refuses an async hook that also takes done', () => {
    const app = createApp()
    type Mixed = Hooks['onRequest']
    const mixed: Mixed = async (_request, _reply, done) => done()
    expect(() => app.addHook('onRequest', mixed)).toThrow(/async/i)
    expect(() => app.addHook('preHandler', mixed)).toThrow(/async/i)
    expect(() => app.addHook('onSend', async (_request, _reply, _payload, done) => done())).toThrow(/async/i)
    expect(() => app.addHook('onReady', async (done) => done())).toThrow(/async/i)
  })

  ours('the peers do not look at onClose')('refuses an async onClose that also takes done', () => {
    const app = createApp()
    expect(() => app.addHook('onClose', async (_instance, done) => done())).toThrow(/async/i)
  })

  ours('the peers name neither')('names the function that mixes both forms, and where it was added', () => {
    const app = createApp()
    const add = (): App =>
      app.addHook('onRequest', async function checkUser(_request, _reply, done) {
        done()
      })
    expect(add).toThrow(/checkUser/)
    expect(add).toThrow(/order\.test\.ts/)
  })

  it('refuses hooks of a route that are not functions', () => {
    const app = createApp()
    expect(() => Reflect.apply(app.get, app, ['/', { onRequest: 'text' }, () => 'x'])).toThrow(/onRequest/)
  })
})
