// Not-found handlers: which one responds, with which hooks.
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App, ErrorHandler, Reply, Request } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeTransports, useApps } from '../harness/transports.ts'

describeTransports('errors: not found', ({ createApp, send, it, since5, line4, overNode, expect }) => {
  it('responds with 404 as JSON that names method and path', async () => {
    const app = createApp()
    const received = await send(app, { method: 'DELETE', path: '/nowhere?a=1' })
    expect([received.status, received.json()]).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'Route DELETE:/nowhere?a=1 not found' },
    ])
  })

  it('responds with 404 for a method that a path does not have', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    expect((await send(app, { method: 'POST', path: '/' })).status).toBe(404)
  })

  overNode('the route gets the raw objects', line4('5.x has routerOptions.defaultRoute alone'))(
    'responds with the raw objects when there is a default route',
    async () => {
      const app = createApp()
      const respondRaw = (_request: unknown, response: { end(text: string): void }): void =>
        response.end('raw')
      callMember(app, 'setDefaultRoute', respondRaw)
      app.get('/found', () => 'found')
      expect(callMember(app, 'getDefaultRoute')).toBe(respondRaw)
      expect((await send(app, { path: '/nowhere' })).text).toBe('raw')
      expect((await send(app, { path: '/found' })).text).toBe('found')
      expect(() => callMember(createApp(), 'setDefaultRoute', 'none')).toThrow(
        expect.objectContaining({ code: code('DEFAULT_ROUTE_INVALID_TYPE') }),
      )
    },
  )

  it('uses the handler of the root, which decides the status', async () => {
    const app = createApp()
    app.setNotFoundHandler((request) => ({ custom: true, is404: request.is404 }))
    app.get('/found', (request) => ({ is404: request.is404 }))
    const received = await send(app, { path: '/nowhere' })
    expect([received.status, received.json()]).toEqual([200, { custom: true, is404: true }])
    expect((await send(app, { path: '/found' })).json()).toEqual({ is404: false })
  })

  it('uses the handler of the deepest prefix', async () => {
    const app = createApp()
    app.setNotFoundHandler(() => 'root')
    app.register(
      async (api) => {
        api.setNotFoundHandler(() => 'api')
        api.register(
          async (users) => {
            users.setNotFoundHandler(() => 'users')
          },
          { prefix: '/users' },
        )
      },
      { prefix: '/api' },
    )
    const text = async (path: string): Promise<string> => (await send(app, { path })).text
    expect(await text('/x')).toBe('root')
    expect(await text('/api')).toBe('api')
    expect(await text('/api/x')).toBe('api')
    expect(await text('/api/users/x')).toBe('users')
    expect(await text('/apix')).toBe('root')
  })

  it('runs the hooks of its context and its own preValidation and preHandler', async () => {
    const app = createApp()
    const trace: string[] = []
    app.addHook('onRequest', async () => void trace.push('root onRequest'))
    app.register(
      async (child) => {
        child.addHook('onRequest', async () => void trace.push('child onRequest'))
        child.addHook('preHandler', async () => void trace.push('child preHandler'))
        child.setNotFoundHandler(
          {
            preValidation: async () => void trace.push('own preValidation'),
            preHandler: async () => void trace.push('own preHandler'),
          },
          () => {
            trace.push('handler')
            return 'x'
          },
        )
      },
      { prefix: '/child' },
    )
    await send(app, { path: '/child/nowhere' })
    expect(trace).toEqual([
      'root onRequest',
      'child onRequest',
      'own preValidation',
      'child preHandler',
      'own preHandler',
      'handler',
    ])
  })

  it('runs its hooks before the response of the framework, if it has no handler', async () => {
    const app = createApp()
    const mark = async (_request: Request, reply: Reply): Promise<void> => void reply.header('x-ran', 'hook')
    callMember(app, 'setNotFoundHandler', { preHandler: mark })
    app.register(async (child) => void callMember(child, 'setNotFoundHandler', { preValidation: mark }), {
      prefix: '/child',
    })
    for (const path of ['/nowhere', '/child/nowhere']) {
      const received = await send(app, { path })
      expect([received.status, received.headers['x-ran']]).toEqual([404, 'hook'])
      expect(received.json()).toMatchObject({ message: `Route GET:${path} not found` })
    }
  })

  it('gives the requests below a prefix back to the framework, if it has no handler', async () => {
    const app = createApp()
    app.setNotFoundHandler(() => 'of the root')
    app.register(async (child) => void callMember(child, 'setNotFoundHandler'), { prefix: '/child' })
    expect((await send(app, { path: '/nowhere' })).text).toBe('of the root')
    expect((await send(app, { path: '/child/nowhere' })).json()).toMatchObject({ statusCode: 404 })
  })

  it('passes what its handler throws to the error handler of its own context, also after callNotFound', async () => {
    const app = createApp()
    const by =
      (name: string): ErrorHandler =>
      (error, _request, reply) =>
        reply.code(500).send({ by: name, message: error.message })
    app.setErrorHandler(by('app'))
    app.setNotFoundHandler(() => {
      throw new Error('thrown')
    })
    app.register(async (child) => {
      child.setErrorHandler(by('child'))
      child.get('/gone', (_request, reply) => reply.callNotFound())
    })
    for (const path of ['/nowhere', '/gone'])
      expect((await send(app, { path })).json()).toEqual({ by: 'app', message: 'thrown' })
  })

  it('runs its own preHandler for reply.callNotFound too', async () => {
    const app = createApp()
    let ran = 0
    app.setNotFoundHandler(
      {
        preHandler: async () => {
          ran += 1
        },
      },
      () => 'nothing here',
    )
    app.get('/', (_request, reply) => reply.callNotFound())
    const received = await send(app, { path: '/' })
    expect([received.status, received.text, ran]).toEqual([200, 'nothing here', 1])
  })

  it.each([null, false])('takes %s for no hook', async (none) => {
    const app = createApp()
    const hooks = { preValidation: none, preHandler: none }
    const handler = (_request: Request, reply: Reply): Reply => reply.code(404).send('none')
    callMember(app, 'setNotFoundHandler', hooks, handler)
    app.get('/', (_request, reply) => reply.callNotFound())
    for (const path of ['/', '/nowhere']) expect((await send(app, { path })).text).toBe('none')
  })

  it('runs the onSend hooks of the route that calls it, whose plugins complete the response', async () => {
    const app = createApp()
    const mark = (name: string) => async (_request: Request, reply: Reply) => void reply.header(name, 'sent')
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'))
    app.addHook('onSend', mark('x-root'))
    app.register(
      async (child) => {
        child.addHook('onSend', mark('x-child'))
        child.get('/gone', { onSend: mark('x-route') }, (_request, reply) => reply.callNotFound())
      },
      { prefix: '/child' },
    )
    const sentBy = async (path: string): Promise<unknown> => {
      const { status, headers } = await send(app, { path })
      return [status, headers['x-root'], headers['x-child'], headers['x-route']]
    }
    expect(await sentBy('/child/gone')).toEqual([404, 'sent', 'sent', 'sent'])
    expect(await sentBy('/child/nowhere')).toEqual([404, 'sent', undefined, undefined])
  })

  it('passes an error to the next error handler, if an error handler has called it', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.code(500).send(`root: ${error.message}`))
    app.setNotFoundHandler(() => {
      throw new Error('nothing here')
    })
    const fails = (): never => {
      throw new Error('broken')
    }
    const errorHandler: ErrorHandler = (_error, _request, reply) => reply.callNotFound()
    app.get('/route', { errorHandler }, fails)
    app.register(async (child) => {
      child.setErrorHandler((error, _request, reply) => reply.code(500).send(`child: ${error.message}`))
      child.get('/child', { errorHandler }, fails)
    })
    app.register(async (child) => {
      child.setErrorHandler(errorHandler)
      child.get('/own', fails)
    })
    const sentFrom = async (path: string): Promise<string> => (await send(app, { path })).text
    expect(await sentFrom('/route')).toBe('root: nothing here')
    expect(await sentFrom('/child')).toBe('child: nothing here')
    expect(await sentFrom('/own')).toBe('root: nothing here')
  })

  it('gets the parameters in its prefix, and the rest of the path', async () => {
    const app = createApp()
    const show = (request: Request): unknown => ({ params: request.params })
    app.setNotFoundHandler(show)
    const seen: unknown[] = []
    app.register(
      async (tenant) => {
        tenant.addHook('onRequest', async (request) => void seen.push(request.params['tenant']))
        tenant.setNotFoundHandler(show)
        tenant.get('/gone/:id', (_request, reply) => reply.callNotFound())
      },
      { prefix: '/of/:tenant' },
    )
    const paramsAt = async (path: string): Promise<unknown> =>
      Object((await send(app, { path })).json()).params
    expect(await paramsAt('/of/acme/no/where?a=1')).toEqual({ tenant: 'acme', '*': 'no/where' })
    expect(await paramsAt('/of/acme')).toEqual({ tenant: 'acme' })
    expect(await paramsAt('/of/acme/gone/7')).toEqual({ tenant: 'acme', id: '7' })
    expect(await paramsAt('/b%C3%BCro/x')).toEqual({ '*': 'büro/x' })
    expect(seen).toEqual(['acme', 'acme', 'acme'])
  })

  it('is the handler of the context whose route calls it, whatever the path of the request', async () => {
    const app = createApp()
    const says = (text: string) => (_request: Request, reply: Reply) => reply.code(404).send(text)
    const isGone = (_request: Request, reply: Reply): unknown => reply.callNotFound()
    app.setNotFoundHandler(says('root'))
    app.get('/api/of-root', isGone)
    app.register(
      async (api) => {
        api.setNotFoundHandler(says('api'))
        api.get('/own', isGone)
        api.register(async (inner) => void inner.get('/inner', isGone))
      },
      { prefix: '/api' },
    )
    app.register(async (sibling) => void sibling.get('/sibling', isGone), { prefix: '/api' })
    const texts = await Promise.all(
      ['of-root', 'own', 'inner', 'sibling', 'nowhere'].map(
        async (name) => (await send(app, { path: `/api/${name}` })).text,
      ),
    )
    expect(texts).toEqual(['root', 'api', 'api', 'root', 'api'])
  })

  it('sends the plain 404 when it calls the not-found handler itself', async () => {
    const app = createApp()
    app.setNotFoundHandler((_request, reply) => reply.callNotFound())
    app.get('/', (_request, reply) => reply.callNotFound())
    for (const path of ['/', '/nowhere']) {
      const { status, text, headers } = await send(app, { path })
      expect([status, text, headers['content-type']]).toEqual([
        404,
        '404 Not Found',
        'text/plain; charset=utf-8',
      ])
    }
  })

  it('sends the plain 404 when frameworkErrors calls the not-found handler', async () => {
    const app = createApp({
      frameworkErrors: (_error: unknown, _request: unknown, reply: Reply) => reply.callNotFound(),
    })
    app.get('/:id', () => 'x')
    const { status, text } = await send(app, { path: '/%zz' })
    expect([status, text]).toEqual([404, '404 Not Found'])
  })

  it('passes an error of its handler to the error handler', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.code(500).send({ message: error.message }))
    app.setNotFoundHandler(() => {
      throw new Error('not even that')
    })
    expect((await send(app, { path: '/x' })).json()).toEqual({ message: 'not even that' })
  })

  it('takes an error handler of its own', async () => {
    const app = createApp()
    const errorHandler: ErrorHandler = (_error, _request, reply) => reply.code(401).send({ by: 'own' })
    app.setNotFoundHandler({ errorHandler }, () => 'never')
    app.addHook('preValidation', async () => {
      throw new Error('closed')
    })
    const received = await send(app, { path: '/x' })
    expect([received.status, received.json()]).toEqual([401, { by: 'own' }])
  })

  it('parses the body of a request that is not found', async () => {
    const app = createApp()
    app.setNotFoundHandler((request) => ({ body: request.body }))
    const received = await send(app, { method: 'POST', path: '/x', body: { a: 1 } })
    expect(received.json()).toEqual({ body: { a: 1 } })
  })

  it.each([false, true])(
    'refuses a body before its path is not found; with an own handler: %s',
    async (isOwn) => {
      const app = createApp({ bodyLimit: 20 })
      if (isOwn) app.setNotFoundHandler((_request, reply) => reply.code(404).send('own'))
      const status = async (contentType: string, body: string): Promise<number> =>
        (await send(app, { method: 'POST', path: '/x', headers: { 'content-type': contentType }, body }))
          .status
      expect(await status('application/json', `"${'x'.repeat(30)}"`)).toBe(413)
      expect(await status('text/plain', 'x'.repeat(30))).toBe(413)
      expect(await status('application/json', '{')).toBe(400)
      expect(await status('application/json', '{}')).toBe(404)
      expect(await status('application/x-other', 'x'.repeat(30))).toBe(404)
    },
  )

  it('responds with 400 for a path that cannot be decoded', async () => {
    const app = createApp()
    app.get('/:id', () => 'x')
    const received = await send(app, { path: '/%zz' })
    expect([received.status, received.json()]).toMatchObject([400, { code: code('BAD_URL') }])
  })

  since5('4.x lets the sibling respond')(
    'lets no handler of a sibling respond to a path that cannot be decoded',
    async () => {
      const app = createApp()
      app.register(
        async (child) => {
          child.setNotFoundHandler(() => 'child')
        },
        { prefix: '/open' },
      )
      const received = await send(app, { path: '/open/%zz' })
      expect([received.status, received.text]).not.toContain('child')
    },
  )

  since5('4.x runs the last one that was set')(
    'CVE-2026-76169: runs no not-found handler without the hooks in front of it, whatever is wrong with the path',
    async () => {
      const app = createApp()
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('root'))
      for (const prefix of ['/open', '/private', '/private/deep']) {
        app.register(
          async (child) => {
            child.addHook('onRequest', async (_request, reply) => void reply.header('x-hook', prefix))
            const preHandler = async (_request: unknown, reply: Reply): Promise<unknown> =>
              reply.code(401).send(`guard of ${prefix}`)
            child.setNotFoundHandler({ preHandler }, () => `unguarded ${prefix}`)
            child.get('/:id', () => 'route')
          },
          { prefix },
        )
      }
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        for (const path of ['', '/open', '/private', '/private/deep', '/privatee'].flatMap((prefix) =>
          ['/%zz/x', '/%', '/%E0%A4%A/x', '/%c0', '/none/x', '//%zz/x'].map((rest) => prefix + rest),
        )) {
          const { status, text, headers } = await send(app, { method, path })
          expect(text).not.toContain('unguarded')
          const guard = /^guard of (.*)/.exec(text)?.[1]
          // The guard of a context responds below its prefix, behind the hooks of that context.
          if (guard !== undefined) expect([path.startsWith(guard), headers['x-hook']]).toEqual([true, guard])
          else expect([400, 404]).toContain(status)
        }
      }
    },
  )

  line4('5.x responds with 400')(
    'lets the handler of the root respond to a path that cannot be decoded, where there is no route',
    async () => {
      const app = createApp()
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('own'))
      const received = await send(app, { path: '/%c0' })
      expect([received.status, received.text]).toEqual([404, 'own'])
    },
  )

  it('gives errors of the router to frameworkErrors', async () => {
    const app = createApp({
      frameworkErrors: (
        error: Error,
        _request: unknown,
        reply: { code: (n: number) => { send: (p: unknown) => void } },
      ) => {
        reply.code(499).send({ seen: error.message.length > 0 })
      },
    })
    app.get('/:id', () => 'x')
    const received = await send(app, { path: '/%zz' })
    expect([received.status, received.json()]).toEqual([499, { seen: true }])
  })
})

describe('errors: not-found handlers that are refused', () => {
  const createApp = useApps()

  it('refuses a second handler for one prefix', async () => {
    const app = createApp()
    app.setNotFoundHandler(() => 'one')
    expect(() => app.setNotFoundHandler(() => 'two')).toThrow(/already/i)
  })

  it('refuses a second handler for the prefix of the parent', async () => {
    const app = createApp()
    app.setNotFoundHandler(() => 'one')
    app.register(async (child) => {
      child.setNotFoundHandler(() => 'two')
    })
    await expect(app.ready()).rejects.toThrow(/already/i)
  })
})

describeTransports('methodNotAllowed', ({ createApp, send, ours }) => {
  const test = ours('the peers respond with 404')
  const start = (): App => {
    const app = createApp({ methodNotAllowed: true })
    app.get('/books', () => 'x')
    app.put('/books', () => 'x')
    app.get('/:id', () => 'x')
    return app
  }

  test('responds with 405 and the methods of the path', async () => {
    const received = await send(start(), { method: 'DELETE', path: '/books?a=1' })
    expect([received.status, received.headers['allow']]).toEqual([405, 'GET, HEAD, PUT'])
    expect(received.json()).toMatchObject({ code: code('METHOD_NOT_ALLOWED') })
  })

  test('responds to OPTIONS with 204 and the methods of the path', async () => {
    const received = await send(start(), { method: 'OPTIONS', path: '/4' })
    expect([received.status, received.headers['allow'], received.text]).toEqual([204, 'GET, HEAD', ''])
  })

  test('leaves a path without routes, and callNotFound, to the not-found handler', async () => {
    const app = start()
    app.get('/gone', (_request: unknown, reply: Reply) => reply.callNotFound())
    expect((await send(app, { method: 'DELETE', path: '/no/where' })).status).toBe(404)
    expect((await send(app, { path: '/gone' })).status).toBe(404)
  })

  test('runs before a not-found handler of the app, behind its hooks', async () => {
    const app = start()
    app.addHook('onRequest', async (_request: unknown, reply: Reply) => void reply.header('x-hook', 'ran'))
    app.setNotFoundHandler((_request: unknown, reply: Reply) => reply.code(404).send('mine'))
    const received = await send(app, { method: 'PATCH', path: '/books' })
    expect([received.status, received.headers['x-hook']]).toEqual([405, 'ran'])
  })
})
