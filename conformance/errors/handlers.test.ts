// Error handlers: which one is called, what it is given, what happens when it fails.
import { Readable } from 'node:stream'
import { vi } from 'vitest'
import type { App, Reply } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

const failing =
  (error: unknown = new Error('broken')) =>
  (): never => {
    throw error
  }

describeTransports(
  'errors: an error handler with a mistake of its own',
  ({ createApp, send, ours, expect }) => {
    ours('the first error is nowhere')('does not hide the error that it got', async () => {
      const lines: string[] = []
      const app = createApp({
        logger: { level: 'error', stream: { write: (line: string) => lines.push(line) } },
      })
      app.setErrorHandler((_error, _request, reply) =>
        Reflect.apply(Object(Reflect.get(reply, 'cod')), reply, [500]),
      )
      app.get('/', failing(new Error('the database is down')))
      expect((await send(app, { path: '/' })).status).toBe(500)
      expect(lines.join('')).toContain('the database is down')
    })

    ours('only the error handler is asked')(
      'may throw another error with the first as its cause',
      async () => {
        const lines: string[] = []
        const app = createApp({
          logger: { level: 'error', stream: { write: (line: string) => lines.push(line) } },
        })
        app.setErrorHandler((cause) => {
          throw new TypeError('wrapped', { cause })
        })
        app.get('/', failing())
        await send(app, { path: '/' })
        expect(lines).toHaveLength(1)
      },
    )
  },
)

describeTransports('errors: the default response', ({ createApp, send, it, ours, expect }) => {
  it('is JSON with status, reason and message', async () => {
    const app = createApp()
    app.get('/', failing())
    const received = await send(app, { path: '/' })
    expect([received.status, received.headers['content-type']]).toEqual([
      500,
      'application/json; charset=utf-8',
    ])
    expect(received.json()).toEqual({ statusCode: 500, error: 'Internal Server Error', message: 'broken' })
  })

  it('has the code of the error', async () => {
    const app = createApp()
    app.get('/', failing(Object.assign(new Error('coded'), { code: 'APP_CODE', statusCode: 409 })))
    expect((await send(app, { path: '/' })).json()).toEqual({
      statusCode: 409,
      code: 'APP_CODE',
      error: 'Conflict',
      message: 'coded',
    })
  })

  it('takes the status from statusCode or status of the error, or from the reply', async () => {
    const app = createApp()
    app.get('/statusCode', failing(Object.assign(new Error('x'), { statusCode: 404 })))
    app.get('/status', failing(Object.assign(new Error('x'), { status: 403 })))
    app.get('/reply', (_request, reply) => {
      reply.code(402)
      throw new Error('x')
    })
    app.get('/success', failing(Object.assign(new Error('x'), { statusCode: 200 })))
    const status = async (path: string): Promise<number> => (await send(app, { path })).status
    expect(await status('/statusCode')).toBe(404)
    expect(await status('/status')).toBe(403)
    expect(await status('/reply')).toBe(402)
    expect(await status('/success')).toBe(500)
  })

  it('adds the headers of the error', async () => {
    const app = createApp()
    app.get('/', failing(Object.assign(new Error('x'), { statusCode: 429, headers: { 'retry-after': '5' } })))
    expect((await send(app, { path: '/' })).headers['retry-after']).toBe('5')
  })

  it('leaves out the headers of the error that describe other content', async () => {
    const headers = { 'Content-Type': 'text/html', 'content-length': '999', 'x-from': 'upstream' }
    for (const sends of [false, true]) {
      const app = createApp()
      if (sends) app.setErrorHandler((error, _request, reply) => reply.send(error))
      app.get('/', failing(Object.assign(new Error('<b>'), { statusCode: 422, headers })))
      const received = await send(app, { path: '/' })
      expect([received.status, received.json()]).toMatchObject([422, { message: '<b>' }])
      expect(received.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-from': 'upstream',
      })
    }
  })

  it('is the same for an error that is thrown, rejected with, or sent', async () => {
    const app = createApp()
    app.get('/thrown', failing())
    app.get('/rejected', async () => failing()())
    app.get('/sent', (_request, reply) => void reply.send(new Error('broken')))
    app.get('/returned', async () => new Error('broken'))
    for (const path of ['/thrown', '/rejected', '/sent', '/returned']) {
      const received = await send(app, { path })
      expect([path, received.status, received.json()]).toMatchObject([path, 500, { message: 'broken' }])
    }
  })

  it('uses the response schema of its status', async () => {
    const app = createApp()
    const response = {
      418: { type: 'object', properties: { message: { type: 'string' }, extra: { type: 'string' } } },
    }
    app.get(
      '/',
      { schema: { response } },
      failing(Object.assign(new Error('x'), { statusCode: 418, extra: 'more' })),
    )
    expect((await send(app, { path: '/' })).json()).toMatchObject({ message: 'x' })
  })

  ours('the peers show every message')(
    'hides messages of 500 if the option says so, and shows those of clients',
    async () => {
      const app = createApp({ exposeErrors: false })
      app.get('/500', failing(new Error('secret detail')))
      app.get('/400', failing(Object.assign(new Error('your mistake'), { statusCode: 400 })))
      expect((await send(app, { path: '/500' })).text).not.toContain('secret')
      expect((await send(app, { path: '/400' })).text).toContain('your mistake')
    },
  )

  ours('the peers show every message')(
    'hides what its own errors quote of the application too, but for their code',
    async () => {
      const schema = { type: 'object', required: ['none'], properties: { none: { type: 'string' } } }
      const app = createApp({ exposeErrors: false })
      app.get('/text', failing('secret detail'))
      app.get('/schema', { schema: { response: { 500: schema } } }, failing(new Error('secret detail')))
      expect((await send(app, { path: '/text' })).json()).toEqual({
        statusCode: 500,
        code: 'CLO_ERR_NON_ERROR_THROWN',
        error: 'Internal Server Error',
        message: 'Internal Server Error',
      })
      const unfit = await send(app, { path: '/schema' })
      expect(unfit.json()).toMatchObject({ code: 'CLO_ERR_FAILED_ERROR_SERIALIZATION' })
      expect(unfit.text).not.toContain('secret')
    },
  )
})

describeTransports('errors: handlers', ({ createApp, send, it, ours, since5, expect }) => {
  it('gets the error, the request and the reply, with the instance as this', async () => {
    const app = createApp()
    app.decorate('mark', 'instance')
    app.setErrorHandler(function (error, request, reply) {
      return reply.code(500).send({ message: error.message, url: request.url, mark: this['mark'] })
    })
    app.get('/', failing())
    expect((await send(app, { path: '/' })).json()).toEqual({ message: 'broken', url: '/', mark: 'instance' })
  })

  it('responds with 200 unless it sets a status', async () => {
    const app = createApp()
    app.setErrorHandler((_error, _request, reply) => ({ status: reply.statusCode }))
    app.get('/', failing(Object.assign(new Error('x'), { statusCode: 409 })))
    const received = await send(app, { path: '/' })
    expect([received.status, received.json()]).toEqual([200, { status: 200 }])
  })

  ours('the peers send an empty 200')(
    'has sent nothing when its promise resolves to nothing: the next handler gets the error',
    async () => {
      const app = createApp()
      const seen: string[] = []
      app.setErrorHandler(async (error) => void seen.push(error.message))
      app.register(async (child) => {
        child.setErrorHandler(async (error) => void seen.push(error.message))
        child.get('/', failing(Object.assign(new Error('x'), { statusCode: 409 })))
      })
      const received = await send(app, { path: '/' })
      expect([received.status, received.json()]).toMatchObject([409, { message: 'x' }])
      expect(seen).toEqual(['x', 'x'])
    },
  )

  it('responds with nothing but a status when that is all it sets', async () => {
    const app = createApp()
    app.setErrorHandler(async (_error, _request, reply) => void reply.code(418))
    app.get('/', failing())
    const received = await send(app, { path: '/' })
    expect([received.status, received.text]).toEqual([418, ''])
  })

  ours('the peers hang')(
    'has sent nothing when it returns nothing and has no reply to send later',
    async () => {
      const app = createApp()
      app.setErrorHandler((_error, _request) => undefined)
      app.get('/', failing())
      const received = await send(app, { path: '/' })
      expect([received.status, received.json()]).toMatchObject([500, { message: 'broken' }])
    },
  )

  it('may respond after it has returned', async () => {
    const app = createApp()
    app.setErrorHandler((_error, _request, reply) => {
      setImmediate(() => reply.code(503).send('later'))
    })
    app.get('/', failing())
    const received = await send(app, { path: '/' })
    expect([received.status, received.text]).toEqual([503, 'later'])
  })

  ours('the peers say nothing')('is named in the log when it goes on being silent', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const app = createApp({ logger: { level: 'warn', stream }, handlerTimeout: 11_000 })
    app.setErrorHandler((_error, _request, _reply) => undefined)
    app.get('/', failing())
    await app.ready()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const pending = send(app, { path: '/' })
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(1))
      vi.advanceTimersByTime(10_000)
      expect(lines.join('')).toContain('the error handler of GET / has sent no reply')
      vi.advanceTimersByTime(10_000)
      expect((await pending).status).toBe(503)
    } finally {
      vi.useRealTimers()
    }
  })

  it('responds by return, by promise and by send', async () => {
    for (const handler of [
      () => ({ by: 'handler' }),
      async () => ({ by: 'handler' }),
      (_error: unknown, _request: unknown, reply: { send: (payload: unknown) => unknown }) =>
        void reply.send({ by: 'handler' }),
    ]) {
      const app = createApp()
      app.setErrorHandler(handler)
      app.get('/', failing())
      expect((await send(app, { path: '/' })).json()).toEqual({ by: 'handler' })
    }
  })

  it('hands an error that it sends or throws to the handler of the parent context', async () => {
    for (const pass of ['send', 'throw', 'reject'] as const) {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) =>
        reply.code(500).send({ by: 'root', message: error.message }),
      )
      app.register(async (child) => {
        child.setErrorHandler((error, _request, reply) => {
          const next = new Error(`child saw ${error.message}`)
          if (pass === 'throw') throw next
          if (pass === 'reject') return Promise.reject(next)
          reply.send(next)
          return reply
        })
        child.get('/', failing())
      })
      const received = await send(app, { path: '/' })
      expect([pass, received.json()]).toEqual([pass, { by: 'root', message: 'child saw broken' }])
    }
  })

  it('hands an error that it throws to the handler that its context has set before', async () => {
    const app = createApp()
    const seen: string[] = []
    app.setErrorHandler((error, _request, reply) => reply.code(500).send({ by: 'first', saw: error.message }))
    app.setErrorHandler((error) => {
      seen.push(error.message)
      throw new Error(`second saw ${error.message}`)
    })
    app.get('/', failing())
    app.register(async (child) => {
      child.setErrorHandler((error) => {
        throw new Error(`child saw ${error.message}`)
      })
      child.get('/child', failing())
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ by: 'first', saw: 'second saw broken' })
    const ofChild = await send(app, { path: '/child' })
    expect(ofChild.json()).toEqual({ by: 'first', saw: 'second saw child saw broken' })
    expect(seen).toEqual(['broken', 'child saw broken'])
  })

  it('climbs through three levels to the default handler', async () => {
    const app = createApp()
    const climbed: string[] = []
    const passing = (instance: App, name: string): App =>
      instance.setErrorHandler((error) => {
        climbed.push(name)
        throw error
      })
    passing(app, 'root')
    app.register(async (child) => {
      passing(child, 'child')
      child.register(async (grandchild) => {
        passing(grandchild, 'grandchild')
        grandchild.get('/', failing())
      })
    })
    const received = await send(app, { path: '/' })
    expect([climbed, received.status]).toEqual([['grandchild', 'child', 'root'], 500])
  })

  it('does not loop when the handler of the root fails', async () => {
    const app = createApp()
    app.setErrorHandler(() => {
      throw new Error('handler broke too')
    })
    app.get('/', failing())
    const received = await send(app, { path: '/' })
    expect([received.status, received.json()]).toMatchObject([500, { message: 'handler broke too' }])
  })

  it('can be set for one route', async () => {
    const app = createApp()
    app.setErrorHandler(() => ({ by: 'context' }))
    app.get('/route', { errorHandler: () => ({ by: 'route' }), handler: failing() })
    app.get('/context', failing())
    expect((await send(app, { path: '/route' })).json()).toEqual({ by: 'route' })
    expect((await send(app, { path: '/context' })).json()).toEqual({ by: 'context' })
  })

  it('gets errors of hooks, parsers, validation and the router alike', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.send({ code: error.code ?? error.message }))
    app.get('/hook', {
      preHandler: async () => {
        throw new Error('hook')
      },
      handler: () => 'x',
    })
    app.post('/parser', () => 'x')
    app.get(
      '/validation',
      { schema: { querystring: { type: 'object', required: ['q'], properties: { q: {} } } } },
      () => 'x',
    )
    expect((await send(app, { path: '/hook' })).json()).toEqual({ code: 'hook' })
    const headers = { 'content-type': 'x/unknown' }
    expect((await send(app, { method: 'POST', path: '/parser', headers, body: 'x' })).json()).toEqual({
      code: code('CTP_INVALID_MEDIA_TYPE'),
    })
    const invalid = await send(app, { path: '/validation' })
    expect([invalid.status, invalid.json()]).toEqual([200, { code: code('VALIDATION') }])
  })

  it('can fall back to the handler that stood before', async () => {
    const app = createApp()
    const { errorHandler } = app
    app.get('/', {
      errorHandler(error, request, reply) {
        if (error.message !== 'special' && typeof errorHandler === 'function') {
          return Reflect.apply(errorHandler, app, [error, request, reply])
        }
        return reply.send({ special: true })
      },
      handler: (request) => {
        throw new Error(String(request.query['message']))
      },
    })
    expect((await send(app, { path: '/?message=special' })).json()).toEqual({ special: true })
    expect((await send(app, { path: '/?message=other' })).json()).toMatchObject({ message: 'other' })
  })

  it('gets an error when a send that is set on the reply has passed it on, as tracers do', async () => {
    const seen: string[] = []
    const app = createApp()
    app.addHook('onRequest', async (_request, reply) => {
      const sendIt = reply.send
      reply.send = function sendSeen(payload?: unknown) {
        const isError = payload instanceof Error
        seen.push(isError ? payload.message : String(payload))
        if (!isError) return sendIt.call(this, payload)
        expect(this.sent).toBe(false)
        return sendIt.call(this, Object.assign(new Error(`seen: ${payload.message}`), { statusCode: 418 }))
      }
    })
    app.setErrorHandler((error, _request, reply) =>
      reply.code(Object(error).statusCode).send(Object(error).message),
    )
    app.get('/thrown', failing())
    app.get('/rejected', () => Promise.reject(new Error('broken')))
    app.get('/hook', { preHandler: failing() }, () => 'unreached')
    app.get('/sent', (_request, reply) => reply.send(new Error('broken')))
    for (const path of ['/thrown', '/rejected', '/hook', '/sent']) {
      seen.length = 0
      const { status, text } = await send(app, { path })
      expect([path, status, text]).toEqual([path, 418, 'seen: broken'])
      expect(seen).toEqual(['broken', 'seen: broken'])
    }
  })

  it('gets what a send that is set on the reply makes of an error', async () => {
    const app = createApp()
    app.addHook('onRequest', async (_request, reply) => {
      const sendIt = reply.send
      reply.send = function sendLater(payload?: unknown) {
        if (payload instanceof Error) setImmediate(() => sendIt.call(this, { wrapped: payload.message }))
        else sendIt.call(this, payload)
        return this
      }
    })
    app.setErrorHandler((error, _request, reply) => reply.code(500).send({ handled: error }))
    app.get('/', failing())
    const { status, json } = await send(app, { path: '/' })
    expect([status, json()]).toEqual([500, { handled: { wrapped: 'broken' } }])
  })

  it('refuses a handler that is not a function', () => {
    const app = createApp()
    expect(() => Reflect.apply(app.setErrorHandler, app, ['text'])).toThrow(
      expect.objectContaining({ code: code('ERROR_HANDLER_NOT_FN') }),
    )
  })

  since5('4.x lets the last one win')('can be told to refuse a second handler in one context', () => {
    const app = createApp({ allowErrorHandlerOverride: false })
    app.setErrorHandler(() => 'one')
    expect(() => app.setErrorHandler(() => 'two')).toThrow(
      expect.objectContaining({ code: code('ERROR_HANDLER_ALREADY_SET') }),
    )
  })

  it('removes headers of the body that failed', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.header('content-type', 'text/html').header('content-length', '999')
      throw new Error('broken')
    })
    const received = await send(app, { path: '/' })
    expect(received.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(received.json()).toMatchObject({ message: 'broken' })
  })
})

describeTransports('errors: what described the content that failed', ({ createApp, send, ours, expect }) => {
  const test = ours('the peers keep Content-Encoding, so no client can read the error')
  const setFields = (reply: Reply): Reply =>
    reply.type('text/css').header('content-length', '5').header('content-encoding', 'gzip')
  const failingStream = (): Readable =>
    new Readable({
      read() {
        this.destroy(new Error('broken'))
      },
    })
  const ways: Readonly<Record<string, (app: App) => void>> = {
    'a handler that throws': (app) =>
      app.get('/', (_request, reply) => {
        setFields(reply)
        throw new Error('broken')
      }),
    'a stream that fails before its first byte': (app) =>
      app.get('/', (_request, reply) =>
        setFields(reply).removeHeader('content-length').send(failingStream()),
      ),
    'an onSend hook that fails': (app) => {
      app.addHook('onSend', async (_request, reply, payload) => {
        if (reply.statusCode !== 200) return payload
        setFields(reply)
        throw new Error('broken')
      })
      app.get('/', () => 'fine')
    },
    'a hook that fails': (app) => {
      app.addHook('preHandler', async (_request, reply) => {
        setFields(reply)
        throw new Error('broken')
      })
      app.get('/', () => 'fine')
    },
  }
  const variants = [
    [false, false, ''],
    [true, false, ', nor to an error handler'],
    [false, true, ', where a plugin sets headers on the raw response'],
  ] as const
  for (const [way, define] of Object.entries(ways)) {
    for (const [hasHandler, isRaw, title] of variants) {
      test(`is not said of the error of ${way}${title}`, async () => {
        const app = createApp()
        if (isRaw)
          app.addHook('onRequest', async (_request, reply) => void reply.raw.setHeader('x-raw', 'kept'))
        if (hasHandler)
          app.setErrorHandler((error, _request, reply) => reply.code(500).send({ message: error.message }))
        define(app)
        const response = await send(app, { path: '/' })
        expect(response.json()).toMatchObject({ message: 'broken' })
        expect([response.status, response.headers['content-encoding']]).toEqual([500, undefined])
        expect(response.headers['content-type']).toMatch('application/json')
        expect(response.headers['x-raw']).toBe(isRaw ? 'kept' : undefined)
      })
    }
  }

  test('is not taken from the headers of the error', async () => {
    const app = createApp()
    app.get('/', () => {
      throw Object.assign(new Error('gone'), { statusCode: 410, headers: { 'content-encoding': 'gzip' } })
    })
    const received = await send(app, { path: '/' })
    expect(received.headers['content-encoding']).toBeUndefined()
    expect([received.status, received.json()]).toMatchObject([410, { message: 'gone' }])
  })

  test('is not said of the 404 of callNotFound', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      setFields(reply).callNotFound()
      return reply
    })
    const response = await send(app, { path: '/' })
    expect(response.json()).toMatchObject({ message: 'Route GET:/ not found' })
    expect([response.status, response.headers['content-encoding']]).toEqual([404, undefined])
  })
})
