// How a path finds its route: params, wildcards, prefixes, slashes, letter case, constraints.
import type { App } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

describeTransports('routing: params', ({ createApp, send, it, ours, expect }) => {
  const params = async (pattern: string, path: string, options = {}): Promise<unknown> => {
    const app = createApp(options)
    app.get(pattern, (request) => request.params)
    const response = await send(app, { path })
    return response.status === 200 ? response.json() : response.status
  }

  it('reads params, decoded once', async () => {
    expect(await params('/users/:id/books/:book', '/users/7/books/a%20b')).toEqual({ id: '7', book: 'a b' })
    expect(await params('/:id', '/%2Fx')).toEqual({ id: '/x' })
    expect(await params('/:id', '/%2520')).toEqual({ id: '%20' })
    expect(await params('/:id', '/%C3%A9')).toEqual({ id: 'é' })
  })

  it('reads several params of one segment', async () => {
    expect(await params('/near/:lat-:lng/r/:r', '/near/15N-30E/r/20')).toEqual({
      lat: '15N',
      lng: '30E',
      r: '20',
    })
  })

  it('reads params with patterns', async () => {
    expect(await params('/file/:name(^\\d+).png', '/file/123.png')).toEqual({ name: '123' })
    expect(await params('/file/:name(^\\d+).png', '/file/abc.png')).toBe(404)
    expect(await params('/at/:hour(^\\d{2})h:minute(^\\d{2})m', '/at/08h24m')).toEqual({
      hour: '08',
      minute: '24',
    })
  })

  it('refuses a pattern that may take exponential time', () => {
    const app = createApp()
    expect(() => app.get('/:x(^(a+)+$)', () => 'x')).toThrow(/regex|pattern/i)
  })

  it('reads an optional last param', async () => {
    const app = createApp()
    app.get('/users/:id?', (request) => ({ id: request.params['id'] || 'none' }))
    expect((await send(app, { path: '/users/7' })).json()).toEqual({ id: '7' })
    expect((await send(app, { path: '/users' })).json()).toEqual({ id: 'none' })
  })

  it('reads a wildcard', async () => {
    expect(await params('/files/*', '/files/a/b.txt')).toEqual({ '*': 'a/b.txt' })
    expect(await params('*', '/anything/at/all')).toEqual({ '*': '/anything/at/all' })
  })

  it('takes a double colon as a colon', async () => {
    expect(await params('/name::verb', '/name:verb')).toEqual({})
  })

  it('responds with 404 or 414 for a param that is longer than allowed', async () => {
    expect([404, 414]).toContain(await params('/:id', `/${'x'.repeat(101)}`))
    expect(await params('/:id', `/${'x'.repeat(100)}`)).toEqual({ id: 'x'.repeat(100) })
    expect(await params('/:id', `/${'x'.repeat(150)}`, { maxParamLength: 200 })).toEqual({
      id: 'x'.repeat(150),
    })
  })

  it('prefers static to param to wildcard', async () => {
    const app = createApp()
    app.get('/x/*', () => 'wildcard')
    app.get('/x/:id', () => 'param')
    app.get('/x/static', () => 'static')
    expect((await send(app, { path: '/x/static' })).text).toBe('static')
    expect((await send(app, { path: '/x/other' })).text).toBe('param')
    expect((await send(app, { path: '/x/a/b' })).text).toBe('wildcard')
  })

  it('finds text behind escapes, also where another way ends', async () => {
    const app = createApp()
    app.get('/*', () => 'wildcard')
    app.get('/:a/pre*', () => 'prefix')
    app.get('/:a/:b', () => 'params')
    app.get('/x/static', () => 'static')
    const texts: Record<string, string> = {}
    for (const path of [
      '/x/%73tatic',
      '/x/stati%63',
      '/%78/static',
      '/y/p%72e1',
      '/y/%70re1',
      '/y/o%72',
      '/y/1/%73',
    ])
      texts[path] = (await send(app, { path })).text
    expect(texts).toEqual({
      '/x/%73tatic': 'static',
      '/x/stati%63': 'static',
      '/%78/static': 'static',
      '/y/p%72e1': 'prefix',
      '/y/%70re1': 'prefix',
      '/y/o%72': 'params',
      '/y/1/%73': 'wildcard',
    })
  })

  it('prefers text behind an escape in a later segment to params', async () => {
    const app = createApp()
    app.get('/:a/:b', () => 'params')
    app.get('/x/static', () => 'static')
    expect((await send(app, { path: '/x/%73tatic' })).text).toBe('static')
    expect((await send(app, { path: '/x/%73tatics' })).text).toBe('params')
  })

  it('has params without a prototype that a client could reach', async () => {
    const app = createApp()
    app.get('/:__proto__', (request) => ({
      own: Object.keys(request.params),
      polluted: Reflect.get({}, 'x') ?? 'no',
    }))
    const response = await send(app, { path: '/x' })
    expect(response.json()).toMatchObject({ polluted: 'no' })
  })

  ours('the peers respond with 404')(
    'shows what is known of a path in a helpful 404 only, never another route',
    async () => {
      expect(await params('/:id', '/a/b')).toBe(404)
    },
  )
})

describeTransports('routing: the query', ({ createApp, send, it, expect }) => {
  const query = async (text: string, options = {}): Promise<unknown> => {
    const app = createApp(options)
    app.get('/', (request) => request.query)
    return (await send(app, { path: `/${text}` })).json()
  }

  it('reads single and repeated values', async () => {
    expect(await query('?a=1&b=&c=x%20y&d=p+q&a=2')).toEqual({ a: ['1', '2'], b: '', c: 'x y', d: 'p q' })
    expect(await query('')).toEqual({})
  })

  it('keeps hostile names harmless', async () => {
    const app = createApp()
    app.get('/', (request) => ({ polluted: Reflect.get({}, 'x') ?? 'no', own: Object.keys(request.query) }))
    expect((await send(app, { path: '/?__proto__[x]=1&constructor=2' })).json()).toMatchObject({
      polluted: 'no',
    })
  })

  it('uses the parser of the app', async () => {
    expect(await query('?a=1', { querystringParser: (text: string) => ({ raw: text }) })).toEqual({
      raw: 'a=1',
    })
  })

  it('ends the path at a semicolon only with useSemicolonDelimiter', async () => {
    const app = createApp({ useSemicolonDelimiter: true })
    app.get('/', (request) => request.query)
    expect((await send(app, { path: '/;a=1' })).json()).toEqual({ a: '1' })
    const other = createApp({ useSemicolonDelimiter: false })
    other.get('/:x', (request) => request.params)
    expect((await send(other, { path: '/v;a=1' })).json()).toEqual({ x: 'v;a=1' })
  })
})

describeTransports('routing: prefixes', ({ createApp, send, it, expect }) => {
  const status = async (app: App, path: string): Promise<number> => (await send(app, { path })).status

  it('puts a route of / under a prefix that ends with a slash once', async () => {
    const app = createApp()
    app.register(
      async (api) => {
        api.get('/', () => 'root of the prefix')
      },
      { prefix: '/api/' },
    )
    expect((await send(app, { path: '/api/' })).text).toBe('root of the prefix')
    expect((await send(app, { path: '/api' })).status).toBe(404)
  })

  it('joins the prefixes of nested contexts', async () => {
    const app = createApp()
    const seen: string[] = []
    app.register(
      async (v1) => {
        v1.register(
          async (users) => {
            seen.push(users.prefix)
            users.get('/:id', () => 'user')
          },
          { prefix: '/users' },
        )
      },
      { prefix: '/v1' },
    )
    expect(await status(app, '/v1/users/7')).toBe(200)
    expect(seen).toEqual(['/v1/users'])
  })

  it('takes params in a prefix', async () => {
    const app = createApp()
    app.register(async (child) => void child.get('/books', (request) => request.params), {
      prefix: '/users/:id',
    })
    expect((await send(app, { path: '/users/7/books' })).json()).toEqual({ id: '7' })
  })

  it('routes a slash under a prefix with and without the slash', async () => {
    const app = createApp()
    app.register(async (child) => void child.get('/', () => 'x'), { prefix: '/both' })
    expect([await status(app, '/both'), await status(app, '/both/')]).toEqual([200, 200])
  })

  it('routes one of them when prefixTrailingSlash says so', async () => {
    const app = createApp()
    app.register(async (child) => void child.get('/', { prefixTrailingSlash: 'slash' }, () => 'x'), {
      prefix: '/slash',
    })
    app.register(async (child) => void child.get('/', { prefixTrailingSlash: 'no-slash' }, () => 'x'), {
      prefix: '/bare',
    })
    expect([await status(app, '/slash'), await status(app, '/slash/')]).toEqual([404, 200])
    expect([await status(app, '/bare'), await status(app, '/bare/')]).toEqual([200, 404])
  })

  it('routes an empty path under a prefix without the slash only', async () => {
    const app = createApp()
    app.register(async (child) => void child.get('', () => 'x'), { prefix: '/empty' })
    expect([await status(app, '/empty'), await status(app, '/empty/')]).toEqual([200, 404])
  })

  it('joins a prefix that ends with a slash and a path that begins with one', async () => {
    const app = createApp()
    app.register(async (child) => void child.get('/x', () => 'x'), { prefix: '/api/' })
    expect(await status(app, '/api/x')).toBe(200)
  })

  it('gives siblings with the same prefix their own routes', async () => {
    const app = createApp()
    app.register(async (child) => void child.get('/one', () => 'x'), { prefix: '/api' })
    app.register(async (child) => void child.get('/two', () => 'x'), { prefix: '/api' })
    expect([await status(app, '/api/one'), await status(app, '/api/two')]).toEqual([200, 200])
  })
})

describeTransports('routing: slashes and letter case', ({ createApp, send, it, since5, expect }) => {
  const status = async (options: Record<string, unknown>, pattern: string, path: string): Promise<number> => {
    const app = createApp(options)
    app.get(pattern, () => 'x')
    return (await send(app, { path })).status
  }

  it('distinguishes a trailing slash, unless it is ignored', async () => {
    expect(await status({}, '/a', '/a/')).toBe(404)
    expect(await status({ ignoreTrailingSlash: true }, '/a', '/a/')).toBe(200)
    expect(await status({ ignoreTrailingSlash: true }, '/a/', '/a')).toBe(200)
  })

  it('distinguishes double slashes, unless they are ignored', async () => {
    expect(await status({}, '/a/b', '/a//b')).toBe(404)
    expect(await status({ ignoreDuplicateSlashes: true }, '/a/b', '//a///b')).toBe(200)
  })

  it('distinguishes letter case, unless it is ignored', async () => {
    expect(await status({}, '/Path', '/path')).toBe(404)
    expect(await status({ caseSensitive: false }, '/Path', '/pATH')).toBe(200)
  })

  it('keeps the letter case of params', async () => {
    const app = createApp({ caseSensitive: false })
    app.get('/User/:name', (request) => request.params)
    expect((await send(app, { path: '/USER/AnN' })).json()).toEqual({ name: 'AnN' })
  })

  since5('4.x takes them at the top only')('takes the same options in routerOptions', async () => {
    expect(await status({ routerOptions: { ignoreTrailingSlash: true } }, '/a', '/a/')).toBe(200)
    expect(await status({ routerOptions: { caseSensitive: false } }, '/A', '/a')).toBe(200)
  })
})

describeTransports('routing: constraints', ({ createApp, send, it, expect }) => {
  it('chooses by version', async () => {
    const app = createApp()
    app.get('/', { constraints: { version: '1.2.0' } }, () => 'one')
    app.get('/', { constraints: { version: '2.0.0' } }, () => 'two')
    const by = async (version?: string): Promise<unknown> => {
      const response = await send(app, {
        path: '/',
        headers: version === undefined ? {} : { 'accept-version': version },
      })
      return response.status === 200 ? response.text : response.status
    }
    expect(await by('1.2.0')).toBe('one')
    expect(await by('1.x')).toBe('one')
    expect(await by('2.x')).toBe('two')
    expect(await by('3.x')).toBe(404)
    expect(await by()).toBe(404)
  })

  it('CVE-2020-7764: serves a request for a version as any other, where no route has one', async () => {
    const app = createApp()
    app.get('/', () => 'whatever the version')
    for (const version of ['1.2.0', 'tada', '*', ''])
      expect((await send(app, { path: '/', headers: { 'accept-version': version } })).text).toBe(
        'whatever the version',
      )
  })

  it('chooses by host, by text and by pattern', async () => {
    const app = createApp()
    app.get('/', { constraints: { host: 'api.example.org' } }, () => 'api')
    app.get('/', { constraints: { host: /.*\.shop\.org/ } }, () => 'shop')
    app.get('/', () => 'any')
    const by = async (host: string): Promise<string> =>
      (await send(app, { path: '/', headers: { host } })).text
    expect(await by('api.example.org')).toBe('api')
    expect(await by('a.shop.org')).toBe('shop')
    expect(await by('elsewhere.org')).toBe('any')
  })

  it('chooses by a constraint of the app', async () => {
    const secret = {
      name: 'secret',
      storage: () => {
        const handlers = new Map<string, unknown>()
        return {
          get: (key: string): unknown => handlers.get(key) ?? null,
          set: (key: string, value: unknown): void => void handlers.set(key, value),
        }
      },
      deriveConstraint: (raw: { headers: Record<string, unknown> }): unknown => raw.headers['secret'],
      validate: (): boolean => true,
    }
    const app = createApp({ constraints: { secret } })
    app.get('/', { constraints: { secret: 'alpha' } }, () => 'alpha')
    expect((await send(app, { path: '/', headers: { secret: 'alpha' } })).text).toBe('alpha')
    expect((await send(app, { path: '/', headers: { secret: 'beta' } })).status).toBe(404)
  })

  it('adds a constraint strategy later, once', () => {
    const app = createApp()
    const strategy = {
      name: 'later',
      storage: () => ({ get: () => null, set: () => undefined }),
      deriveConstraint: () => undefined,
      validate: () => true,
    }
    const { addConstraintStrategy, hasConstraintStrategy } = app
    if (typeof addConstraintStrategy !== 'function' || typeof hasConstraintStrategy !== 'function') {
      throw new Error('constraint strategies are missing')
    }
    expect(Reflect.apply(hasConstraintStrategy, app, ['later'])).toBe(false)
    Reflect.apply(addConstraintStrategy, app, [strategy])
    expect(Reflect.apply(hasConstraintStrategy, app, ['later'])).toBe(true)
    expect(() => Reflect.apply(addConstraintStrategy, app, [strategy])).toThrow()
  })

  it('refuses an unknown constraint', () => {
    const app = createApp()
    expect(() => app.get('/', { constraints: { unknown: 'x' } }, () => 'x')).toThrow(/unknown/)
  })
})

describeTransports('routing: rewriting', ({ createApp, send, it, expect }) => {
  it('routes by the url that rewriteUrl returns, and keeps the original', async () => {
    const app = createApp({
      rewriteUrl: (raw: { url: string; originalUrl: string }) =>
        raw.originalUrl === '/old' ? '/new' : raw.url,
    })
    app.get('/new', (request) => ({ url: request.url, original: request.originalUrl }))
    expect((await send(app, { path: '/old' })).json()).toEqual({ url: '/new', original: '/old' })
  })
})
