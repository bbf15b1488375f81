// Hooks that fail and hooks that respond early.
import type { App, Hooks, Reply, Request } from '../harness/app-shape.ts'
import { code, isPeer } from '../harness/subject.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const STEP_HOOKS = ['onRequest', 'preValidation', 'preHandler'] as const
const PAYLOAD_HOOKS = ['preParsing', 'preSerialization', 'onSend'] as const
const FAILING = [...STEP_HOOKS, ...PAYLOAD_HOOKS] as const

type AnyHook = (...args: unknown[]) => unknown
const add = (app: App, name: keyof Hooks, hook: AnyHook): void => {
  Reflect.apply(app.addHook, app, [name, hook])
}

describeTransports('hooks: errors', ({ createApp, send, it, ours, expect }) => {
  const post = (app: App): ReturnType<typeof send> => send(app, { method: 'POST', path: '/', body: {} })

  for (const name of FAILING) {
    it(`responds with the error that ${name} throws, rejects with, or passes to done`, async () => {
      const takesPayload = name !== 'onRequest' && name !== 'preValidation' && name !== 'preHandler'
      const forms: Record<string, AnyHook> = {
        throws: takesPayload
          ? (_q, _r, _p, _done) => {
              throw new Error('from hook')
            }
          : (_q, _r, _done) => {
              throw new Error('from hook')
            },
        rejects: async () => {
          throw new Error('from hook')
        },
        'passes to done': takesPayload
          ? (_q, _r, _p, done) => void Reflect.apply(Object(done), undefined, [new Error('from hook')])
          : (_q, _r, done) => void Reflect.apply(Object(done), undefined, [new Error('from hook')]),
      }
      for (const hook of Object.values(forms)) {
        const app = createApp()
        let handled = false
        add(app, name, hook)
        app.post('/', () => {
          handled = true
          return { a: 1 }
        })
        const response = await post(app)
        expect(response.status).toBe(500)
        expect(response.text).toContain('from hook')
        expect(handled).toBe(name === 'preSerialization' || name === 'onSend')
      }
    })
  }

  it('keeps the headers of the reply when onSend fails for the error response too', async () => {
    const app = createApp()
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'set-cookie': ['a=1', 'b=2'] })
    })
    app.addHook('onSend', async () => {
      throw Object.assign(new Error('from onSend'), { headers: { 'x-error': 'yes' } })
    })
    app.get('/', (_request, reply) => reply.header('etag', '"of the payload"').type('text/html').send('x'))
    const { status, headers, json } = await send(app, { path: '/' })
    expect([status, json()]).toEqual([
      500,
      { statusCode: 500, error: 'Internal Server Error', message: 'from onSend' },
    ])
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
      'x-error': 'yes',
    })
    expect(String(headers['set-cookie'])).toMatch(/^a=1,\s?b=2$/)
  })

  it('keeps the status that a hook sets before it fails, and the status of the error', async () => {
    const app = createApp()
    app.get('/code', {
      preHandler: (_request, reply, done) => {
        reply.code(400)
        done(new Error('by code'))
      },
      handler: () => 'x',
    })
    app.get('/error', {
      preHandler: async () => {
        throw Object.assign(new Error('by error'), { statusCode: 418 })
      },
      handler: () => 'x',
    })
    expect((await send(app, { path: '/code' })).status).toBe(400)
    expect((await send(app, { path: '/error' })).status).toBe(418)
  })

  it('stops the hooks after one that failed', async () => {
    const app = createApp()
    const trace: string[] = []
    app.addHook('onRequest', async () => {
      throw new Error('stop')
    })
    app.addHook('onRequest', async () => void trace.push('second'))
    app.addHook('preHandler', async () => void trace.push('preHandler'))
    app.addHook('onSend', async (_request, _reply, payload) => {
      trace.push('onSend')
      return payload
    })
    app.post('/', () => void trace.push('handler'))
    await post(app)
    expect(trace).toEqual(['onSend'])
  })

  for (const value of [undefined, null, 'text', 7, { some: 'object' }]) {
    ours('in the peers some of these run the handler or respond with what was thrown')(
      `never runs the handler when a hook throws ${JSON.stringify(value) ?? 'undefined'}`,
      async () => {
        for (const name of STEP_HOOKS) {
          for (const hook of [
            (_q: unknown, _r: unknown, _done: unknown) => {
              throw value
            },
            async () => {
              throw value
            },
          ]) {
            const app = createApp()
            let handled = false
            add(app, name, hook)
            app.post('/', () => {
              handled = true
              return 'x'
            })
            const response = await post(app)
            expect([response.status, handled]).toEqual([500, false])
          }
        }
      },
    )
  }

  it('logs, and does not respond twice, when onResponse fails', async () => {
    const app = createApp()
    const ran = createGate()
    app.addHook('onResponse', async () => {
      ran.open()
      throw new Error('too late')
    })
    app.post('/', () => 'fine')
    expect((await post(app)).text).toBe('fine')
    await ran.promise
    await tick()
  })

  it('logs, and does not respond twice, when a hook or an error handler responds and then fails', async () => {
    const late = async (_request: unknown, reply: Reply): Promise<void> => {
      reply.code(401).send({ early: true })
      await tick()
      throw new Error('after the response')
    }
    const app = createApp()
    app.post('/', { preHandler: late, handler: () => 'x' })
    expect((await post(app)).json()).toEqual({ early: true })
    const handling = createApp()
    handling.setErrorHandler((_error, request, reply) => late(request, reply))
    handling.post('/', () => {
      throw new Error('broken')
    })
    expect((await post(handling)).json()).toEqual({ early: true })
    await tick()
  })

  it('runs onError before the error is sent, and never lets it change the error', async () => {
    const app = createApp()
    const trace: string[] = []
    app.addHook('onError', (_request, reply, error, done) => {
      trace.push(`onError ${error.message}`)
      reply.header('x-error', 'seen')
      done()
    })
    app.addHook('onError', async () => void trace.push('second'))
    app.addHook('onSend', async (_request, _reply, payload) => {
      trace.push('onSend')
      return payload
    })
    app.post('/', () => {
      throw new Error('broken')
    })
    const response = await post(app)
    expect(response.headers['x-error']).toBe('seen')
    expect(trace).toEqual(['onError broken', 'second', 'onSend'])
  })

  it('runs onError with the first error when an error handler sends something else', async () => {
    const app = createApp()
    const seen: string[] = []
    app.addHook('onError', async (_request, _reply, error) => void seen.push(error.message))
    app.setErrorHandler((_error, _request, reply) => reply.code(200).send({ recovered: true }))
    app.post('/', () => {
      throw new Error('broken')
    })
    expect((await post(app)).json()).toEqual({ recovered: true })
    expect(seen).toEqual(['broken'])
  })

  it('lets no onError hook send a response', async () => {
    const app = createApp()
    const seen: Error[] = []
    app.addHook('onError', async (_request, reply) => {
      try {
        reply.send({ early: true })
      } catch (error) {
        if (error instanceof Error) seen.push(error)
      }
    })
    app.post('/', () => {
      throw new Error('broken')
    })
    expect((await post(app)).json()).toMatchObject({ message: 'broken' })
    expect(seen).toMatchObject([{ code: code('SEND_INSIDE_ONERR') }])
    if (isPeer) return
    expect(seen[0]?.message).toBe(
      'An onError hook of POST / called reply.send: these hooks cannot send a response; ' +
        'send it from an error handler (setErrorHandler)',
    )
  })

  it('runs onError of the route', async () => {
    const app = createApp()
    let seen = ''
    app.post('/', {
      onError: async (_request, _reply, error) => {
        seen = error.message
      },
      handler: () => {
        throw new Error('of the route')
      },
    })
    await post(app)
    expect(seen).toBe('of the route')
  })
})

describeTransports('hooks: early responses', ({ createApp, send, it, ours, expect }) => {
  type Early = (request: Request, reply: Reply) => unknown
  const forms: Record<string, AnyHook> = {
    'send without done': (_q, reply, _done) => void (reply as Reply).code(201).send({ early: true }),
    'async that returns reply': (async (_q: Request, reply: Reply) => {
      reply.code(201).send({ early: true })
      return reply
    }) satisfies Early as AnyHook,
    'async that sends before it returns': (async (_q: Request, reply: Reply) => {
      reply.code(201).send({ early: true })
    }) satisfies Early as AnyHook,
    'sync that returns reply and sends later': ((_q: Request, reply: Reply) => {
      setImmediate(() => reply.code(201).send({ early: true }))
      return reply
    }) satisfies Early as AnyHook,
    'async that returns reply and sends later': (async (_q: Request, reply: Reply) => {
      setImmediate(() => reply.code(201).send({ early: true }))
      return reply
    }) satisfies Early as AnyHook,
  }

  for (const name of [...STEP_HOOKS, 'preParsing'] as const) {
    for (const [form, hook] of Object.entries(forms)) {
      if (name === 'preParsing' && form === 'send without done') continue
      it(`ends the path when ${name} responds: ${form}`, async () => {
        const app = createApp()
        const trace: string[] = []
        add(app, name, hook)
        add(app, name, async () => void trace.push('next'))
        app.addHook('preHandler', async () => void trace.push('preHandler'))
        app.addHook('onSend', async (_request, _reply, payload) => {
          trace.push('onSend')
          return payload
        })
        app.post('/', () => void trace.push('handler'))
        const response = await send(app, { method: 'POST', path: '/', body: {} })
        expect([response.status, response.json()]).toEqual([201, { early: true }])
        expect(trace).toEqual(['onSend'])
      })
    }
  }

  it('passes an early error of a hook to the error handler', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.code(401).send({ message: error.message }))
    app.addHook('onRequest', async (_request, reply) => {
      reply.send(new Error('not you'))
      return reply
    })
    app.get('/', () => 'x')
    expect((await send(app, { path: '/' })).json()).toEqual({ message: 'not you' })
  })

  it('still runs onResponse after an early response', async () => {
    const app = createApp()
    const ran = createGate()
    app.addHook('onResponse', async () => ran.open())
    app.addHook('onRequest', async (_request, reply) => reply.code(204).send())
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    await ran.promise
    expect(true).toBe(true)
  })

  it('responds although the body was not read, and serves the next request', async () => {
    const app = createApp()
    app.addHook('onRequest', async (_request, reply) => reply.code(403).send({ closed: true }))
    app.post('/', () => 'x')
    const big = JSON.stringify({ big: 'x'.repeat(200_000) })
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await send(app, {
        method: 'POST',
        path: '/',
        headers: { 'content-type': 'application/json' },
        body: big,
      })
      expect(response.status).toBe(403)
    }
  })

  ours('nothing that is thrown ends the process')('sends an error that throws when it is read', async () => {
    const broken = (): Error =>
      Object.defineProperty(new Error('x'), 'message', {
        get() {
          throw new Error('no message')
        },
      })
    const opaque = (): Error =>
      new Proxy(new Error('x'), {
        getPrototypeOf() {
          throw new Error('no prototype')
        },
      })
    for (const make of [broken, opaque]) {
      const app = createApp()
      add(app, 'onRequest', async () => {
        throw make()
      })
      app.post('/', () => 'never')
      expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(500)
    }
  })
})
