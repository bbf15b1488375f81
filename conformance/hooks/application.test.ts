// The hooks of the application: onRoute, onRegister, onReady, onListen, preClose, onClose.
import { describe, expect, it } from 'vitest'
import type { RouteRecord } from '../harness/app-shape.ts'
import { wrap } from '../harness/subject.ts'
import { tick } from '../harness/time.ts'
import { useApps } from '../harness/transports.ts'

describe('hooks: onRoute', () => {
  const createApp = useApps({ exposeHeadRoutes: false })

  it('runs onRoute for every route that is added after it, with its full path', async () => {
    const app = createApp()
    const routes: Pick<RouteRecord, 'method' | 'url' | 'path' | 'routePath' | 'prefix'>[] = []
    app.addHook('onRoute', ({ method, url, path, routePath, prefix }) => {
      routes.push({ method, url, path, routePath, prefix })
    })
    app.register(
      async (child) => {
        child.get('/users', () => 'x')
        child.route({ method: ['POST', 'PUT'], url: '/users', handler: () => 'x' })
      },
      { prefix: '/api' },
    )
    await app.ready()
    expect(routes).toEqual([
      { method: 'GET', url: '/api/users', path: '/api/users', routePath: '/users', prefix: '/api' },
      { method: ['POST', 'PUT'], url: '/api/users', path: '/api/users', routePath: '/users', prefix: '/api' },
    ])
  })

  it('lets a plugin change the options of the route', async () => {
    const app = createApp()
    app.addHook('onRoute', (route) => {
      const config: unknown = route['config']
      if (typeof config === 'object' && config !== null && 'guarded' in config) {
        route['preHandler'] = async (
          _request: unknown,
          reply: { code: (n: number) => { send: (p: string) => unknown } },
        ) => reply.code(401).send('closed')
      }
    })
    app.get('/open', () => 'open')
    app.get('/guarded', { config: { guarded: true } }, () => 'guarded')
    expect((await app.inject('/open')).statusCode).toBe(200)
    expect((await app.inject('/guarded')).statusCode).toBe(401)
  })

  it('may add a route itself', async () => {
    const app = createApp()
    app.addHook('onRoute', function (route) {
      if (route.url === '/one') this.get('/two', () => 'two')
    })
    app.get('/one', () => 'one')
    expect((await app.inject('/two')).payload).toBe('two')
  })

  // A plugin that documents routes keeps the objects, and reads them when it is asked for its document.
  it.each([
    [{ url: '/' }, ['/notes', '/notes/']],
    [{ url: '/', prefixTrailingSlash: 'both' }, ['/notes', '/notes/']],
    [{ url: '/', prefixTrailingSlash: 'slash' }, ['/notes/', '/notes/']],
    [{ url: '/', prefixTrailingSlash: 'no-slash' }, ['/notes', '/notes']],
    [{ url: '' }, ['/notes', '/notes']],
    [{ url: '/one' }, ['/notes/one', '/notes/one']],
  ])(
    'runs once for the route %j below a prefix; its object names the last path later',
    async (place, urls) => {
      const app = createApp()
      const kept: RouteRecord[] = []
      const first: string[] = []
      app.addHook('onRoute', (route) => {
        kept.push(route)
        first.push(route.url)
        route['onRequest'] = async (
          _request: unknown,
          reply: { header: (n: string, v: string) => unknown },
        ) => void reply.header('x-hook', 'ran')
      })
      app.register(async (child) => void child.route({ method: 'GET', ...place, handler: () => 'x' }), {
        prefix: '/notes',
      })
      await app.ready()
      expect([...first, ...kept.map(({ url }) => url)]).toEqual(urls)
      expect(kept.map(({ path }) => path)).toEqual(kept.map(({ url }) => url))
      for (const url of urls) expect((await app.inject(url)).headers['x-hook']).toBe('ran')
    },
  )

  it('is encapsulated', async () => {
    const app = createApp()
    const seen: string[] = []
    app.register(async (child) => {
      child.addHook('onRoute', (route) => void seen.push(route.url))
      child.get('/inside', () => 'x')
    })
    app.register(async (sibling) => {
      sibling.get('/outside', () => 'x')
    })
    await app.ready()
    expect(seen).toEqual(['/inside'])
  })
})

describe('hooks: onRegister', () => {
  const createApp = useApps()

  it('runs onRegister for every new context with its options, before its plugin runs', async () => {
    const app = createApp()
    const order: unknown[] = []
    app.decorate('list', ['root'])
    app.addHook('onRegister', (instance, options) => {
      order.push(['onRegister', options])
      const { list } = instance
      instance['list'] = Array.isArray(list) ? [...list] : []
    })
    app.register(
      async (child) => {
        order.push('plugin')
        const { list } = child
        if (Array.isArray(list)) list.push('child')
      },
      { prefix: '/x', some: 'option' },
    )
    await app.ready()
    expect(order).toEqual([['onRegister', { prefix: '/x', some: 'option' }], 'plugin'])
    expect(app['list']).toEqual(['root'])
  })

  it('does not run for a wrapped plugin, which makes no context', async () => {
    const app = createApp()
    let ran = 0
    app.addHook('onRegister', () => {
      ran += 1
    })
    app.register(wrap(async () => undefined))
    await app.ready()
    expect(ran).toBe(0)
  })
})

describe('hooks: onReady', () => {
  const createApp = useApps()

  it('runs when all plugins have loaded, in order, one after the other', async () => {
    const app = createApp()
    const order: string[] = []
    app.addHook('onReady', async () => {
      await tick()
      order.push('root')
    })
    app.register(async (child) => {
      order.push('plugin')
      child.addHook('onReady', (done) => {
        order.push('child')
        done()
      })
    })
    await app.ready()
    expect(order).toEqual(['plugin', 'root', 'child'])
  })

  it('has the instance as this', async () => {
    const app = createApp()
    let seen: unknown
    app.register(async (child) => {
      child.decorate('place', 'child')
      child.addHook('onReady', async function () {
        seen = this['place']
      })
    })
    await app.ready()
    expect(seen).toBe('child')
  })

  it('fails the boot when it throws, rejects or passes an error', async () => {
    for (const hook of [
      async () => {
        throw new Error('not ready')
      },
      (done: (error: Error) => void) => done(new Error('not ready')),
    ]) {
      const app = createApp()
      Reflect.apply(app.addHook, app, ['onReady', hook])
      await expect(app.ready()).rejects.toThrow('not ready')
    }
  })

  it('fails the boot when it does not end in time', async () => {
    const app = createApp({ pluginTimeout: 30 })
    app.addHook('onReady', function stuck(_done) {
      // never calls back
    })
    await expect(app.ready()).rejects.toThrow(/stuck|onReady/)
  })
})

describe('hooks: onListen', () => {
  const createApp = useApps()

  it('runs once the app listens, not for inject or ready', async () => {
    const app = createApp()
    const order: string[] = []
    app.addHook('onListen', async function () {
      order.push(`listening ${this.server.listening}`)
    })
    app.register(async (child) => {
      child.addHook('onListen', (done) => {
        order.push('child')
        done()
      })
    })
    await app.ready()
    await app.inject('/')
    expect(order).toEqual([])
    await app.listen({ port: 0, host: '127.0.0.1' })
    expect(order).toEqual(['listening true', 'child'])
  })

  it('goes on listening, and runs the next hook, when one fails', async () => {
    const app = createApp()
    let second = false
    app.addHook('onListen', async () => {
      throw new Error('ignored')
    })
    app.addHook('onListen', async () => {
      second = true
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    expect([app.server.listening, second]).toEqual([true, true])
  })
})
