// Which requests a guard sees: the table of docs/guide/guards.md, row by row. Each row is tried without credentials, which
// says whether the guard runs, and with them.
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import type { App, Plugin, Reply, Request } from '../harness/app-shape.ts'
import type { SendRequest } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import { LANES, connect, useSocketApps } from '../sockets/client.ts'
import { register } from '../web/web-app.ts'

const require = createRequire(new URL('../plugins/package.json', import.meta.url))
const plugins = { 'cors 11': '@fastify/cors', 'cors 9': 'cors-4' } as const
const SHOP = 'https://shop.example'
const credentials = { 'x-user': 'ada' }
const preflight = { origin: SHOP, 'access-control-request-method': 'PUT' }

/** Adds a guard that counts the requests that it sees. */
function guard(app: App): { ran: number } {
  const seen = { ran: 0 }
  app.addGuard('user', (request: Request) => {
    seen.ran++
    const { 'x-user': name } = request.headers
    if (typeof name !== 'string') throw Object.assign(new Error('sign in'), { statusCode: 401 })
    return { name }
  })
  return seen
}

describeTransports(
  'a guard',
  ({ it, expect, createApp, send }) => {
    /** Returns the statuses without credentials and with them, and how often the guard ran. */
    const tried = async (app: App, request: SendRequest, seen: { ran: number }): Promise<unknown[]> => {
      const before = seen.ran
      const without = await send(app, request)
      const headers = { ...request.headers, ...credentials }
      const withThem = await send(app, { ...request, headers })
      return [without.status, withThem.status, seen.ran - before]
    }

    it('sees GET, and HEAD of a GET route', async () => {
      const app = createApp()
      const seen = guard(app)
      app.get('/', () => 'ok')
      expect(await tried(app, { method: 'GET', path: '/' }, seen)).toEqual([401, 200, 2])
      expect(await tried(app, { method: 'HEAD', path: '/' }, seen)).toEqual([401, 200, 2])
    })

    it('sees OPTIONS with a route of the app', async () => {
      const app = createApp()
      const seen = guard(app)
      app.route({ method: 'OPTIONS', url: '/', handler: (_request, reply) => reply.code(204).send() })
      expect(await tried(app, { method: 'OPTIONS', path: '/' }, seen)).toEqual([401, 204, 2])
    })

    it('does not see a preflight that @cloister/web responds to, and sees the request after it', async () => {
      const app = createApp()
      await register(app, { origins: [SHOP] })
      const seen = guard(app)
      app.put('/', () => 'ok')
      expect(await tried(app, { method: 'OPTIONS', path: '/', headers: preflight }, seen)).toEqual([
        204, 204, 0,
      ])
      const request = { method: 'PUT', path: '/', headers: { origin: SHOP } }
      expect(await tried(app, request, seen)).toEqual([401, 200, 2])
      const refused = await send(app, request)
      expect(refused.headers['access-control-allow-origin']).toBe(SHOP)
    })

    it.each(Object.entries(plugins))(
      'does not see a preflight that @fastify/%s responds to, if that is registered first',
      async (_name, module) => {
        const cors: Plugin = require(module)
        const first = createApp()
        await first.register(cors, { origin: SHOP, methods: ['PUT'] })
        const seen = guard(first)
        first.put('/', () => 'ok')
        const asked = { method: 'OPTIONS', path: '/', headers: preflight }
        expect(await tried(first, asked, seen)).toEqual([204, 204, 0])
        expect(await tried(first, { method: 'PUT', path: '/', headers: { origin: SHOP } }, seen)).toEqual([
          401, 200, 2,
        ])
        const later = createApp()
        const seenFirst = guard(later)
        await later.register(cors, { origin: SHOP, methods: ['PUT'] })
        later.put('/', () => 'ok')
        expect(await tried(later, asked, seenFirst)).toEqual([401, 204, 2])
      },
    )

    it('sees every path of a mounted handler, before the body is read', async () => {
      const app = createApp()
      let handled = 0
      const seen: { ran: number }[] = []
      app.register(async (scope: App) => {
        seen.push(guard(scope))
        const { mount } = Object(scope)
        mount.call(scope, '/old', async (request: globalThis.Request) => {
          handled++
          return new Response(await request.text())
        })
      })
      await app.ready()
      const [own = { ran: 0 }] = seen
      const post = { method: 'POST', path: '/old/a/b', headers: { 'content-type': 'text/plain' }, body: 'x' }
      expect(await tried(app, post, own)).toEqual([401, 200, 2])
      expect(await tried(app, { method: 'GET', path: '/old' }, own)).toEqual([401, 200, 2])
      expect(handled).toBe(2)
    })

    it('sees paths without a route, where its context or a child has the not-found handler', async () => {
      const app = createApp()
      const seen: { ran: number }[] = []
      const notFound = (_request: Request, reply: Reply): unknown => reply.code(404).send('nothing here')
      app.register(
        async (scope: App) => {
          seen.push(guard(scope))
          scope.setNotFoundHandler(notFound)
        },
        { prefix: '/own' },
      )
      app.register(async (scope: App) => void seen.push(guard(scope)), { prefix: '/none' })
      await app.ready()
      const [own = { ran: 0 }, none = { ran: 0 }] = seen
      expect(await tried(app, { method: 'GET', path: '/own/x' }, own)).toEqual([401, 404, 2])
      expect(await tried(app, { method: 'GET', path: '/none/x' }, none)).toEqual([404, 404, 0])
      const guarded = createApp()
      const root = guard(guarded)
      guarded.get('/', () => 'ok')
      expect(await tried(guarded, { method: 'GET', path: '/x' }, root)).toEqual([401, 404, 2])
    })

    it('sees other methods of a path as paths without a route, also with methodNotAllowed', async () => {
      const app = createApp({ methodNotAllowed: true })
      const root = guard(app)
      app.get('/', () => 'ok')
      expect(await tried(app, { method: 'PUT', path: '/' }, root)).toEqual([401, 405, 2])
      expect(await tried(app, { method: 'OPTIONS', path: '/' }, root)).toEqual([401, 204, 2])
      const open = createApp({ methodNotAllowed: true })
      const seen: { ran: number }[] = []
      open.register(
        async (scope: App) => {
          seen.push(guard(scope))
          scope.get('/', () => 'ok')
        },
        { prefix: '/in' },
      )
      await open.ready()
      const [own = { ran: 0 }] = seen
      expect(await tried(open, { method: 'PUT', path: '/in' }, own)).toEqual([405, 405, 0])
      expect(await tried(open, { method: 'OPTIONS', path: '/in' }, own)).toEqual([204, 204, 0])
    })

    it('does not see a path that is not valid, which the framework refuses', async () => {
      const app = createApp()
      const root = guard(app)
      app.get('/:name', () => 'ok')
      expect(await tried(app, { method: 'GET', path: '/%zz' }, root)).toEqual([400, 400, 0])
    })

    it('sees encoded forms of a path', async () => {
      const app = createApp()
      const seen = guard(app)
      app.get('/books', () => 'ok')
      expect(await tried(app, { method: 'GET', path: '/%62ooks' }, seen)).toEqual([401, 200, 2])
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe.each(Object.entries(LANES))('a guard of a WebSocket (%s)', (_lane, options) => {
  const create = useSocketApps()

  it('runs once, at the handshake, refuses with an ordinary response, and is given back at the end', async () => {
    const { app } = await create(options)
    let ran = 0
    let held = 0
    const guarded = app.addGuard(
      'user',
      (request, reply) => {
        ran++
        if (request.headers['x-user'] === undefined) return reply.code(401).send({ error: 'sign in' })
        held++
        return { name: String(request.headers['x-user']) }
      },
      { release: () => void held-- },
    )
    guarded.ws('/', async (socket, request) => {
      for await (const message of socket) await socket.send([request.user.name, message])
    })
    const origin = await app.listen({ port: 0 })
    await expect(connect(origin, '/')).rejects.toThrow('401 {"error":"sign in"}')
    const client = await connect(origin, '/', { headers: credentials })
    client.send('one')
    client.send('two')
    expect([await client.next(), await client.next()]).toEqual([
      ['ada', 'one'],
      ['ada', 'two'],
    ])
    expect([ran, held]).toEqual([2, 1])
    client.socket.close()
    await client.closed
    await expect.poll(() => held).toBe(0)
  })
})
