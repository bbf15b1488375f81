// A call reaches the route of its tool, or nothing; its result is its own, whatever the other calls of its batch get.
import fc from 'fast-check'
import { describeTransports } from '../harness/transports.ts'
import type { App, RouteOptions } from '../harness/app-shape.ts'
import type { SendRequest } from '../harness/send.ts'
import { register } from './tool-app.ts'

const EVERYWHERE = ['in-process', 'socket', 'http2', 'memory', 'fetch'] as const

interface Call {
  readonly name: string
  readonly args?: unknown
}

/** A message with calls, whose ids are their places. */
function post(calls: readonly Call[], headers: Record<string, string> = {}): SendRequest {
  const messages = calls.map(({ name, args = {} }, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  }))
  const accept = 'application/json, text/event-stream'
  const body = JSON.stringify(messages.length === 1 ? messages[0] : messages)
  return {
    method: 'POST',
    path: '/mcp',
    headers: { accept, 'content-type': 'application/json', ...headers },
    body,
  }
}

const PATHS = ['/a/:id', '/a/me', '/a/me/*', '/b/:id', '/b/:id/c', '/*', '/a/', '/:any'] as const
const HOSTS = ['one.example', 'two.example'] as const

/** Routes, of which some are tools, and how the app rewrites URLs. */
const apps = fc.record({
  routes: fc.uniqueArray(
    fc.record({
      url: fc.constantFrom(...PATHS),
      host: fc.constantFrom(null, null, ...HOSTS),
      isTool: fc.boolean(),
    }),
    { minLength: 2, maxLength: 8, selector: ({ url, host }) => `${url} ${String(host)}` },
  ),
  rewrites: fc.array(
    fc.tuple(fc.constantFrom('/a', '/b', '/a/me'), fc.constantFrom('/a', '/b', '/a/me', '/x')),
    {
      maxLength: 1,
    },
  ),
  calls: fc.array(
    fc.record({
      value: fc.constantFrom('me', '1', 'me/x', 'c', '', '..', 'a', ';x', '%6de', 'ä'),
      host: fc.constantFrom(...HOSTS, 'three.example'),
    }),
    { minLength: 3, maxLength: 3 },
  ),
})

describeTransports(
  'routes of calls',
  ({ createApp, send, it, expect, unlessFetch, transport }) => {
    const named = (host: string): Record<string, string> =>
      transport === 'http2' ? { ':authority': host } : { host }

    it('a call ends at the route of its tool, whatever constraints and rewriteUrl do, or before any hook', async () => {
      const counts = { reached: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(apps, async ({ routes, rewrites, calls }) => {
          const rewriteUrl = ({ url }: { url: string }): string => {
            const [from, to] = rewrites.find(([start]) => url.startsWith(`${start}/`)) ?? ['', '']
            return to + url.slice(from.length)
          }
          const app = createApp({ rewriteUrl })
          await register(app)
          const noted: string[] = []
          const tools: Call[] = []
          for (const [index, { url, host, isTool }] of routes.entries()) {
            const label = `t${index}`
            const mcp = isTool && host === null ? { mcp: { name: label } } : {}
            if ('mcp' in mcp) tools.push({ name: label, args: url })
            const options: RouteOptions = {
              method: 'GET',
              url,
              ...mcp,
              ...(host === null ? {} : { constraints: { host } }),
              onRequest: (_request, _reply, done) => done(void noted.push(label)),
              handler: () => noted.push(label),
            }
            app.route(options)
          }
          for (const { name } of tools) {
            for (const { value, host } of calls) {
              noted.length = 0
              const url = routes[Number(name.slice(1))]?.url ?? ''
              const names = [...url.matchAll(/:(\w+)|(\*)/g)].map(([, param, star]) => param ?? star ?? '')
              const args =
                names.length === 0 ? {} : { params: Object.fromEntries(names.map((one) => [one, value])) }
              const { status, text } = await send(app, post([{ name, args }], named(host)))
              expect([status, text]).toEqual([200, expect.stringContaining('"result"')])
              const isReached = noted.length > 0
              counts[isReached ? 'reached' : 'refused'] += 1
              expect(noted).toEqual(isReached ? [name, name] : [])
              expect(text.includes('"isError":true')).toBe(!isReached)
            }
          }
          await app.close()
        }),
        { numRuns: 15 },
      )
      expect(counts.reached).toBeGreaterThan(3)
      expect(counts.refused).toBeGreaterThan(3)
    })

    it('a constraint that calls back leads to no other route either', async () => {
      const noted: string[] = []
      const tenant = {
        name: 'tenant',
        storage: () => {
          const routes = new Map<unknown, unknown>()
          return {
            get: (value: unknown) => routes.get(value) ?? null,
            set: (value: unknown, route: unknown) => void routes.set(value, route),
          }
        },
        deriveConstraint: (
          { headers }: { headers: Record<string, string> },
          _context: unknown,
          done: (error: Error | null, value?: string) => void,
        ) => void setImmediate(() => done(null, headers['x-tenant'])),
      }
      const app = createApp({ constraints: { tenant } })
      await register(app)
      const handler = (label: string) => (): string => {
        noted.push(label)
        return label
      }
      app.route({ method: 'GET', url: '/a', mcp: { name: 'a' }, handler: handler('tool') })
      app.route({ method: 'GET', url: '/a', constraints: { tenant: 'x' }, handler: handler('other') })
      expect((await send(app, post([{ name: 'a' }]))).text).toContain('"text":"tool"')
      expect((await send(app, post([{ name: 'a' }], { 'x-tenant': 'x' }))).text).toContain(
        'would not reach the route GET /a',
      )
      expect(noted).toEqual(['tool'])
    })

    function guarded(): App {
      const app = createApp()
      app.register(async (child: App) => {
        await register(child)
        for (const name of ['mine', 'yours']) {
          child.route({
            method: 'GET',
            url: `/${name}`,
            mcp: { name },
            onRequest: (_request, reply) =>
              void reply.code(401).header('www-authenticate', `Bearer realm="${name}"`).send({ error: name }),
            handler: () => name,
          })
        }
        child.route({ method: 'GET', url: '/free', mcp: { name: 'free' }, handler: () => 'free' })
      })
      return app
    }

    it('a 401 in a batch is the result of its call alone; that of all calls is the status', async () => {
      const app = guarded()
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('mine', 'yours', 'free'), { minLength: 1, maxLength: 5 }),
          async (names) => {
            const { status, headers, json } = await send(app, post(names.map((name) => ({ name }))))
            if (!names.includes('free')) {
              const challenge = names.map((name) => `Bearer realm="${name}"`)
              expect([status, json()]).toEqual([401, { error: expect.anything() }])
              expect(challenge).toContain(headers['www-authenticate'])
              return
            }
            expect([status, headers['www-authenticate']]).toEqual([200, undefined])
            const results = [json()].flat().map((one) => Object(one))
            const byId = names.map((_name, id) => results.find((one) => one.id === id)?.result)
            expect(byId).toEqual(
              names.map((name) =>
                name === 'free'
                  ? { content: [{ type: 'text', text: 'free' }] }
                  : {
                      isError: true,
                      content: [{ type: 'text', text: `GET /${name}: status 401\n{"error":"${name}"}` }],
                    },
              ),
            )
          },
        ),
        { numRuns: 15 },
      )
      const withNotice = JSON.stringify([
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'mine', arguments: {} } },
      ])
      expect((await send(app, { ...post([{ name: 'mine' }]), body: withNotice })).status).toBe(401)
    })

    const half = fc.constantFrom('\uD800', 'a\uDFFFb', '\uDC00\uD800')

    it('half of a surrogate pair is a wrong argument where a URL takes it, and text of JSON in a body', async () => {
      const app = createApp()
      await register(app)
      const text = { type: 'string' }
      const texts = { type: 'array', items: text }
      const querystring = { type: 'object', properties: { one: text, list: texts } }
      app.route({
        method: 'POST',
        url: '/t/:id/*',
        mcp: { name: 't' },
        schema: { querystring, body: { type: 'object', properties: { text } } },
        handler: ({ body, params, query }) => ({ body, params, query }),
      })
      const places = fc.constantFrom('params/id', 'params/*', 'query/one', 'query/list/1')
      await fc.assert(
        fc.asyncProperty(half, places, async (given, place) => {
          const at = (wanted: string): string => (wanted === place ? given : 'x')
          const args = {
            params: { id: at('params/id'), '*': at('params/*') },
            query: { one: at('query/one'), list: ['y', at('query/list/1')] },
            body: {},
          }
          const { json } = await send(app, post([{ name: 't', args }]))
          expect(json()).toMatchObject({
            error: { code: -32_602, message: expect.stringContaining(`arguments/${place} has half of`) },
          })
        }),
        { numRuns: 20 },
      )
      const args = { params: { id: '1', '*': '2' }, body: { text: 'a\uD800' } }
      const { json } = await send(app, post([{ name: 't', args }]))
      const { result } = Object(json())
      expect(JSON.parse(result.content[0].text).body).toEqual({ text: 'a\uD800' })
      const named = { params: { id: '1', '*': '2' }, query: { 'o\uD800': 'x' }, body: {} }
      expect((await send(app, post([{ name: 't', args: named }]))).json()).toMatchObject({
        error: { code: -32_602, message: expect.stringContaining('arguments/query/o\\ud800') },
      })
    })

    unlessFetch('no URL has such a host')('a Host that no URL has is a 400', async () => {
      const app = createApp()
      await register(app)
      app.route({ method: 'GET', url: '/a', mcp: { name: 'a' }, handler: () => 'a' })
      const { status, json } = await send(app, post([{ name: 'a' }], named('a%2fb')))
      expect([status, json()]).toMatchObject([
        400,
        { code: 'CLO_ERR_MCP_HOST', message: 'no URL has this Host' },
      ])
    })
  },
  EVERYWHERE,
)
