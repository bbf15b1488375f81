// The rules of encapsulation contexts: who sees what.
import type { App, Plugin } from '../harness/app-shape.ts'
import { wrap } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

describeTransports('contexts: who sees a request decorator', ({ createApp, send, it, expect }) => {
  const readMark = (app: App, path: string): App =>
    app.get(path, (request) => ({ mark: request['mark'] ?? 'unseen' }))

  it('shows what the root adds in the root, in children and in grandchildren', async () => {
    const app = createApp()
    app.decorateRequest('mark', 'root')
    readMark(app, '/root')
    app.register(async (child) => {
      readMark(child, '/child')
      child.register(async (grandchild) => {
        readMark(grandchild, '/grandchild')
      })
    })
    for (const path of ['/root', '/child', '/grandchild']) {
      expect((await send(app, { path })).json()).toEqual({ mark: 'root' })
    }
  })

  it('hides what a child adds from its parent and from its sibling', async () => {
    const app = createApp()
    readMark(app, '/root')
    app.register(async (child) => {
      child.decorateRequest('mark', 'child')
      readMark(child, '/child')
    })
    app.register(async (sibling) => {
      readMark(sibling, '/sibling')
    })
    expect((await send(app, { path: '/child' })).json()).toEqual({ mark: 'child' })
    expect((await send(app, { path: '/root' })).json()).toEqual({ mark: 'unseen' })
    expect((await send(app, { path: '/sibling' })).json()).toEqual({ mark: 'unseen' })
  })

  it('hides what a grandchild adds from the child, unless the grandchild is wrapped', async () => {
    const mark: Plugin = async (instance) => {
      instance.decorateRequest('mark', 'grandchild')
    }
    const app = createApp()
    app.register(async (child) => {
      child.register(mark)
      readMark(child, '/plain')
    })
    app.register(async (child) => {
      child.register(wrap(mark))
      readMark(child, '/wrapped')
    })
    readMark(app, '/root')
    expect((await send(app, { path: '/plain' })).json()).toEqual({ mark: 'unseen' })
    expect((await send(app, { path: '/wrapped' })).json()).toEqual({ mark: 'grandchild' })
    expect((await send(app, { path: '/root' })).json()).toEqual({ mark: 'unseen' })
  })

  it('lets siblings use one name with different values', async () => {
    const app = createApp()
    for (const name of ['one', 'two']) {
      app.register(async (child) => {
        child.decorateRequest('mark', name)
        readMark(child, `/${name}`)
      })
    }
    expect((await send(app, { path: '/one' })).json()).toEqual({ mark: 'one' })
    expect((await send(app, { path: '/two' })).json()).toEqual({ mark: 'two' })
  })

  it('isolates reply decorators in the same way', async () => {
    const app = createApp()
    app.get('/root', (_request, reply) => ({ mark: reply['mark'] ?? 'unseen' }))
    app.register(async (child) => {
      child.decorateReply('mark', 'child')
      child.get('/child', (_request, reply) => ({ mark: reply['mark'] ?? 'unseen' }))
    })
    expect((await send(app, { path: '/child' })).json()).toEqual({ mark: 'child' })
    expect((await send(app, { path: '/root' })).json()).toEqual({ mark: 'unseen' })
  })

  it('isolates instance decorators in the same way', async () => {
    const app = createApp()
    app.decorate('fromRoot', 1)
    const seen: Record<string, unknown> = {}
    app.register(async (child) => {
      child.decorate('fromChild', 2)
      child.register(async (grandchild) => {
        seen['grandchild'] = [grandchild['fromRoot'], grandchild['fromChild']]
      })
    })
    app.register(async (sibling) => {
      seen['sibling'] = [sibling['fromRoot'], sibling['fromChild']]
    })
    await app.ready()
    expect(seen).toEqual({ grandchild: [1, 2], sibling: [1, undefined] })
    expect(app['fromChild']).toBeUndefined()
  })
})

describeTransports('contexts: who runs a hook', ({ createApp, send, it, expect }) => {
  const traced = (instance: App, path: string): App =>
    instance.get(path, (request) => ({ trace: request['trace'] }))
  const note =
    (name: string) =>
    async (request: { [key: string]: unknown }): Promise<void> => {
      request['trace'] = `${typeof request['trace'] === 'string' ? request['trace'] : ''}${name} `
    }

  it('runs hooks of the root everywhere, of a child in the child and below, in the order of the tree', async () => {
    const app = createApp()
    app.decorateRequest('trace', '')
    app.addHook('onRequest', note('root'))
    traced(app, '/root')
    app.register(async (child) => {
      child.addHook('onRequest', note('child'))
      traced(child, '/child')
      child.register(async (grandchild) => {
        grandchild.addHook('onRequest', note('grandchild'))
        traced(grandchild, '/grandchild')
      })
    })
    app.register(async (sibling) => {
      traced(sibling, '/sibling')
    })
    const trace = async (path: string): Promise<unknown> => (await send(app, { path })).json()
    expect(await trace('/root')).toEqual({ trace: 'root ' })
    expect(await trace('/child')).toEqual({ trace: 'root child ' })
    expect(await trace('/grandchild')).toEqual({ trace: 'root child grandchild ' })
    expect(await trace('/sibling')).toEqual({ trace: 'root ' })
  })

  it('runs a hook of a wrapped plugin in the parent of the plugin', async () => {
    const app = createApp()
    app.decorateRequest('trace', '')
    app.register(async (child) => {
      child.register(
        wrap(async (instance) => {
          instance.addHook('onRequest', note('wrapped'))
        }),
      )
      traced(child, '/child')
    })
    traced(app, '/root')
    expect((await send(app, { path: '/child' })).json()).toEqual({ trace: 'wrapped ' })
    expect((await send(app, { path: '/root' })).json()).toEqual({ trace: '' })
  })

  it('runs a hook that the root adds after a plugin was registered in that plugin too', async () => {
    const app = createApp()
    app.decorateRequest('trace', '')
    app.register(async (child) => {
      traced(child, '/child')
    })
    app.addHook('onRequest', note('late'))
    expect((await send(app, { path: '/child' })).json()).toEqual({ trace: 'late ' })
  })

  it('protects only the context that registers a guard, and what is below it', async () => {
    const guard = wrap(async (instance) => {
      instance.addHook('onRequest', async (request, reply) => {
        if (request.headers['x-key'] !== 'open') return reply.code(401).send({ closed: true })
        return undefined
      })
    })
    const app = createApp()
    app.get('/root', () => 'root')
    app.register(async (guarded) => {
      guarded.register(guard)
      guarded.get('/guarded', () => 'guarded')
      guarded.register(async (below) => {
        below.get('/below', () => 'below')
      })
    })
    app.register(async (sibling) => {
      sibling.get('/sibling', () => 'sibling')
    })
    const status = async (path: string, headers = {}): Promise<number> =>
      (await send(app, { path, headers })).status
    expect(await status('/root')).toBe(200)
    expect(await status('/sibling')).toBe(200)
    expect(await status('/guarded')).toBe(401)
    expect(await status('/below')).toBe(401)
    expect(await status('/guarded', { 'x-key': 'open' })).toBe(200)
    expect(await status('/below', { 'x-key': 'open' })).toBe(200)
  })
})

describeTransports('contexts: who uses parsers, handlers, compilers and schemas', (suite) => {
  const { createApp, send, it, expect } = suite

  it('parses a media type only where its parser was added, and below', async () => {
    const app = createApp()
    app.post('/root', (request) => ({ body: request.body }))
    app.register(async (child) => {
      child.addContentTypeParser('application/csv', { parseAs: 'string' }, (_request, body: string, done) => {
        done(null, body.split(','))
      })
      child.post('/child', (request) => ({ body: request.body }))
      child.register(async (grandchild) => {
        grandchild.post('/grandchild', (request) => ({ body: request.body }))
      })
    })
    const post = (path: string): ReturnType<typeof send> =>
      send(app, { method: 'POST', path, headers: { 'content-type': 'application/csv' }, body: 'a,b' })
    expect((await post('/child')).json()).toEqual({ body: ['a', 'b'] })
    expect((await post('/grandchild')).json()).toEqual({ body: ['a', 'b'] })
    expect((await post('/root')).status).toBe(415)
  })

  it('uses the nearest error handler above a route', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) =>
      reply.code(500).send({ by: 'root', message: error.message }),
    )
    const fail = (): never => {
      throw new Error('broken')
    }
    app.get('/root', fail)
    app.register(async (child) => {
      child.setErrorHandler((error, _request, reply) =>
        reply.code(503).send({ by: 'child', message: error.message }),
      )
      child.get('/child', fail)
      child.register(async (grandchild) => {
        grandchild.get('/grandchild', fail)
      })
    })
    app.register(async (sibling) => {
      sibling.get('/sibling', fail)
    })
    const by = async (path: string): Promise<unknown> => (await send(app, { path })).json()
    expect(await by('/root')).toEqual({ by: 'root', message: 'broken' })
    expect(await by('/child')).toEqual({ by: 'child', message: 'broken' })
    expect(await by('/grandchild')).toEqual({ by: 'child', message: 'broken' })
    expect(await by('/sibling')).toEqual({ by: 'root', message: 'broken' })
  })

  it('uses the not-found handler of the prefix that a request falls under', async () => {
    const app = createApp()
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ by: 'root' }))
    app.register(
      async (child) => {
        child.setNotFoundHandler((_request, reply) => reply.code(404).send({ by: 'api' }))
        child.get('/known', () => 'known')
      },
      { prefix: '/api' },
    )
    expect((await send(app, { path: '/nowhere' })).json()).toEqual({ by: 'root' })
    expect((await send(app, { path: '/api/nowhere' })).json()).toEqual({ by: 'api' })
    expect((await send(app, { path: '/api/known' })).text).toBe('known')
  })

  it('uses the validator compiler of the nearest context', async () => {
    const app = createApp()
    const refuse = (by: string) => () => () => ({ error: new Error(`refused by ${by}`) })
    const route = { schema: { querystring: { type: 'object' } }, handler: () => 'reached' }
    app.get('/root', route)
    app.register(async (child) => {
      child.setValidatorCompiler(refuse('child'))
      child.get('/child', route)
      child.register(async (grandchild) => {
        grandchild.get('/grandchild', route)
      })
    })
    expect((await send(app, { path: '/root' })).status).toBe(200)
    expect((await send(app, { path: '/child' })).text).toContain('refused by child')
    expect((await send(app, { path: '/grandchild' })).text).toContain('refused by child')
  })

  it('uses the serializer compiler of the nearest context', async () => {
    const app = createApp()
    const route = {
      schema: { response: { 200: { type: 'object', properties: { a: { type: 'string' } } } } },
      handler: () => ({ a: 'x' }),
    }
    app.get('/root', route)
    app.register(async (child) => {
      child.setSerializerCompiler(() => () => '"child"')
      child.get('/child', route)
    })
    expect((await send(app, { path: '/root' })).json()).toEqual({ a: 'x' })
    expect((await send(app, { path: '/child' })).json()).toBe('child')
  })

  it('uses the reply serializer and the schema error formatter of the nearest context', async () => {
    const app = createApp()
    const route = {
      schema: { querystring: { type: 'object', required: ['q'], properties: { q: { type: 'string' } } } },
      handler: () => ({ a: 1 }),
    }
    app.get('/root', route)
    app.register(async (child) => {
      child.setReplySerializer((payload, status) => JSON.stringify({ status, payload }))
      child.setSchemaErrorFormatter((_errors, part) => new Error(`child refuses ${part}`))
      child.get('/child', route)
    })
    expect((await send(app, { path: '/root?q=1' })).json()).toEqual({ a: 1 })
    expect((await send(app, { path: '/child?q=1' })).json()).toEqual({ status: 200, payload: { a: 1 } })
    expect((await send(app, { path: '/root' })).text).not.toContain('child refuses')
    expect((await send(app, { path: '/child' })).text).toContain('child refuses querystring')
  })

  it('shows a schema in the context that added it and below, and nowhere else', async () => {
    const app = createApp()
    const seen: Record<string, unknown> = {}
    app.addSchema({ $id: 'root', type: 'string' })
    app.register(async (child) => {
      child.addSchema({ $id: 'child', type: 'string' })
      seen['child'] = Object.keys(child.getSchemas())
      child.register(async (grandchild) => {
        seen['grandchild'] = Object.keys(grandchild.getSchemas())
      })
    })
    app.register(async (sibling) => {
      seen['sibling'] = [Object.keys(sibling.getSchemas()), sibling.getSchema('child')]
    })
    await app.ready()
    expect(seen).toEqual({
      child: ['root', 'child'],
      grandchild: ['root', 'child'],
      sibling: [['root'], undefined],
    })
    expect(Object.keys(app.getSchemas())).toEqual(['root'])
  })

  it('resolves one $id to the schema of the own context', async () => {
    const app = createApp()
    for (const [name, type] of [
      ['numbers', 'integer'],
      ['words', 'string'],
    ] as const) {
      app.register(async (child) => {
        child.addSchema({ $id: 'value', type: 'object', required: ['v'], properties: { v: { type } } })
        child.post(`/${name}`, { schema: { body: { $ref: 'value#' } } }, (request) => request.body)
      })
    }
    const post = (path: string): ReturnType<typeof send> =>
      send(app, { method: 'POST', path, body: { v: 'seven' } })
    expect((await post('/numbers')).status).toBe(400)
    expect((await post('/words')).json()).toEqual({ v: 'seven' })
  })
})
