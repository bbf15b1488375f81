// GET routes as resources of the Model Context Protocol: listed, found by URI and read by both lines of the official
// client, through the guards of their routes.
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { App, RouteOptions } from '../harness/app-shape.ts'
import { describeTransports, useApps } from '../harness/transports.ts'
import { connect, connectNew, register, resourcesOf, toolsOf } from './tool-app.ts'

const EVERYWHERE = ['in-process', 'socket', 'http2', 'memory', 'fetch'] as const
const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const book = { type: 'object', properties: { title: { type: 'string' } } }

/** Routes of every kind, some of which are resources. */
async function shelf(app: App, options: object = {}): Promise<{ app: App }> {
  await register(app, options)
  const resource = (url: string, more: Partial<RouteOptions>): void => {
    app.route({ method: 'GET', url, mcp: { as: 'resource' }, handler: () => url, ...more })
  }
  resource('/books/:id', {
    mcp: { as: 'both', name: 'book', title: 'A book', description: 'By its number.' },
    schema: { params, response: { 200: book } },
    handler: (request, reply) =>
      Number(request.params['id']) === 9
        ? reply.callNotFound()
        : { title: `number ${String(request.params['id'])}` },
  })
  const querystring = {
    type: 'object',
    properties: { 'by-title': { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  }
  resource('/books', {
    schema: { querystring, response: { 200: { type: 'array', items: book } } },
    handler: ({ query }) => [{ title: JSON.stringify(query) }],
  })
  resource('/search', {
    schema: { querystring: { ...querystring, required: ['tags'] } },
    handler: ({ query }) => query,
  })
  resource('/files/*', { handler: ({ params: given }) => String(given['*']) })
  resource('/cover', {
    handler: (_request, reply) => reply.type('image/png').send(Buffer.from([137, 80, 255])),
  })
  resource('/latin', {
    handler: (_request, reply) => reply.type('text/plain; charset=latin1').send(Buffer.from([228])),
  })
  resource('/broken', { handler: (_request, reply) => reply.type('text/plain').send(Buffer.from([255])) })
  resource('/large', { handler: () => 'x'.repeat(2000) })
  resource('/fails', {
    handler: () => {
      throw new Error('out of order')
    },
  })
  app.get('/plain', () => 'plain')
  app.route({ method: 'GET', url: '/tool', mcp: true, handler: () => 'tool' })
  return { app }
}

describeTransports(
  'resources',
  ({ createApp, send, it, expect }) => {
    it.each([
      ['the first line of the client', connect],
      ['the client of the revision 2026-07-28', connectNew],
    ])('%s lists the routes that opted in, with parameters as templates', async (_name, reach) => {
      const { app } = await shelf(createApp())
      const client = await reach(app, send)
      expect((await client.listResources()).resources).toEqual([
        { uri: 'route:/books', name: 'get_books', mimeType: 'application/json' },
        { uri: 'route:/cover', name: 'get_cover' },
        { uri: 'route:/latin', name: 'get_latin' },
        { uri: 'route:/broken', name: 'get_broken' },
        { uri: 'route:/large', name: 'get_large' },
        { uri: 'route:/fails', name: 'get_fails' },
      ])
      expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
        {
          uriTemplate: 'route:/books/{id}',
          name: 'book',
          title: 'A book',
          description: 'By its number.',
          mimeType: 'application/json',
        },
        { uriTemplate: 'route:/books{?by%2Dtitle,tags*}', name: 'get_books', mimeType: 'application/json' },
        { uriTemplate: 'route:/search{?by%2Dtitle,tags*}', name: 'get_search' },
        { uriTemplate: 'route:/files/{+wildcard}', name: 'get_files' },
      ])
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['book', 'get_tool'])
      await client.close()
    })

    it.each([
      ['the first line of the client', connect],
      ['the client of the revision 2026-07-28', connectNew],
    ])('%s reads text with its media type, and other bytes as a blob', async (_name, reach) => {
      const { app } = await shelf(createApp())
      const client = await reach(app, send)
      const read = async (uri: string): Promise<unknown> => (await client.readResource({ uri })).contents
      const textOf = (uri: string, mimeType: string, text: string): object[] => [{ uri, mimeType, text }]
      expect(await read('route:/books/7')).toEqual(
        textOf('route:/books/7', 'application/json', '{"title":"number 7"}'),
      )
      const search = 'route:/books?by-title=a%20b&tags=c&tags=d'
      const found = JSON.stringify([{ title: '{"by-title":"a b","tags":["c","d"]}' }])
      expect(await read(search)).toEqual(textOf(search, 'application/json', found))
      expect(await read('route:/files/a/b.txt')).toEqual(
        textOf('route:/files/a/b.txt', 'text/plain', 'a/b.txt'),
      )
      expect(await read('route:/latin')).toEqual(textOf('route:/latin', 'text/plain', 'ä'))
      expect(await read('route:/cover')).toEqual([
        { uri: 'route:/cover', mimeType: 'image/png', blob: 'iVD/' },
      ])
      expect(await read('route:/broken')).toEqual([
        { uri: 'route:/broken', mimeType: expect.stringContaining('text/plain'), blob: '/w==' },
      ])
      await client.close()
    })

    it.each([
      'route:/nothing',
      'route:/books/9',
      'route:/plain',
      'route:/tool',
      'route:/books/1/2',
      'route:/books#a',
      'route:books',
      'route://books',
      'https://localhost/books',
      'books',
      '',
    ])('%j is no resource: the error names it', async (uri) => {
      const { app } = await shelf(createApp())
      const body = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
      const headers = { accept: 'application/json, text/event-stream' }
      const { status, json } = await send(app, { method: 'POST', path: '/mcp', headers, body })
      expect([status, json()]).toEqual([
        200,
        {
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32_602, message: `Resource not found: ${uri}`, data: { uri } },
        },
      ])
    })

    it.each([
      ['route:/books/x', -32_602, 'GET /books/:id: status 400\n', { status: 400 }],
      ['route:/search', -32_602, 'GET /search: status 400\n', { status: 400 }],
      ['route:/fails', -32_603, 'GET /fails: status 500\n', { status: 500 }],
      ['route:/large', -32_603, 'larger than 1000 bytes', undefined],
    ])('what the route of %s refuses is an error with its status', async (uri, code, message, data) => {
      const { app } = await shelf(createApp(), { payloadLimit: 1000 })
      const client = await connect(app, send)
      const error: unknown = await client.readResource({ uri }).catch((given: unknown) => given)
      expect(error).toMatchObject({
        code,
        message: expect.stringContaining(message),
        ...(data === undefined ? {} : { data: { uri, ...data } }),
      })
      await client.close()
    })

    it('an expanded template reads its own route with the same values', async () => {
      const app = createApp({ maxParamLength: 1000 })
      await register(app)
      const given = { type: 'object', properties: { q: { type: 'string' }, other: { type: 'string' } } }
      for (const url of ['/a/:one/b/:two', '/:any', '/files/:name/*', '/a/:from-:to']) {
        app.route({
          method: 'GET',
          url,
          mcp: { as: 'resource' },
          schema: { querystring: given },
          handler: ({ params: values, query }) => ({ url, values, query }),
        })
      }
      const client = await connect(app, send)
      const { resourceTemplates } = await client.listResourceTemplates()
      const text = fc
        .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
        .filter((one) => !/^\.+$/.test(one))
      const values = fc.record({ q: text, other: text, path: text })
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...resourceTemplates),
          values,
          async ({ uriTemplate }, { q, other, path }) => {
            const template = new UriTemplate(uriTemplate)
            const names = template.variableNames.filter((name) => name !== 'q' && name !== 'other')
            const own = Object.fromEntries(names.map((name) => [name, name === 'wildcard' ? 'x/y' : path]))
            // Where one parameter ends and the next begins is told by the separator alone.
            fc.pre(!uriTemplate.includes('{from}') || !path.includes('-'))
            const uri = template.expand({ ...own, q, other })
            const { contents } = await client.readResource({ uri })
            const [first] = contents
            const read: unknown = JSON.parse(first !== undefined && 'text' in first ? String(first.text) : '')
            const wanted = Object.fromEntries(
              Object.entries(own).map(([name, value]) => [name === 'wildcard' ? '*' : name, value]),
            )
            expect(read).toMatchObject({ values: wanted, query: { q, other } })
          },
        ),
        { numRuns: 20 },
      )
      await client.close()
    })

    it('a URI reads the resource that the router finds for it, or nothing, whatever rewriteUrl does', async () => {
      const noted: string[] = []
      const app = createApp({
        rewriteUrl: ({ url }: { url: string }) =>
          url.replace('/public/', '/secret/').replace('/old', '/books/me'),
      })
      await register(app)
      const route = (url: string, more: Partial<RouteOptions> = {}): void => {
        app.route({
          method: 'GET',
          url,
          ...more,
          onRequest: (_request, _reply, done) => done(void noted.push(url)),
          handler: () => url,
        })
      }
      route('/books/:id', { mcp: { as: 'resource' } })
      route('/books/me', { mcp: { as: 'resource' } })
      route('/books/admin')
      route('/public/:id', { mcp: { as: 'resource' } })
      route('/secret/:id')
      route('/old', { mcp: { as: 'resource' } })
      const client = await connect(app, send)
      const read = async (uri: string): Promise<unknown> => {
        const result = await client.readResource({ uri }).catch(() => ({ contents: [] }))
        return result.contents.map((one) => ('text' in one ? one.text : null))
      }
      expect(await read('route:/books/1')).toEqual(['/books/:id'])
      expect(await read('route:/books/me')).toEqual(['/books/me'])
      noted.length = 0
      for (const path of [
        '/books/admin',
        '/books/x/../admin',
        '/public/1',
        '/old',
        '/secret/1',
        '/books/%61dmin',
      ]) {
        expect([path, await read(`route:${path}`)]).toEqual([path, []])
      }
      expect(noted).toEqual([])
      await client.close()
    })

    it('reading runs the guards of the route with the fields of the caller, and a 401 is the status', async () => {
      const app = createApp()
      await register(app)
      app.register(async (scope: App) => {
        const user = ({ headers }: { headers: Record<string, unknown> }): string => {
          if (headers['x-key'] === undefined) {
            throw Object.assign(new Error('who?'), {
              statusCode: 401,
              headers: { 'www-authenticate': 'Key' },
            })
          }
          return String(headers['x-key'])
        }
        scope.addGuard('user', user)
        scope.route({
          method: 'GET',
          url: '/me',
          mcp: { as: 'resource' },
          handler: (request) => String(Reflect.get(request, 'user')),
        })
      })
      const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'route:/me' } }
      const headers = { accept: 'application/json, text/event-stream' }
      const post = { method: 'POST', path: '/mcp', headers, body: message }
      const refused = await send(app, post)
      expect([refused.status, refused.json()]).toMatchObject([401, { message: 'who?' }])
      const read = await send(app, { ...post, headers: { ...headers, 'x-key': 'Ada' } })
      expect(read.json()).toMatchObject({ result: { contents: [{ text: 'Ada' }] } })
      expect(resourcesOf(app).map(({ uri, guards }) => [uri, guards.map(({ name }) => name)])).toEqual([
        ['route:/me', ['onRequest']],
      ])
    })
  },
  EVERYWHERE,
)

describe('a resource', () => {
  const createApp = useApps()
  const boot = async (...routes: RouteOptions[]): Promise<void> => {
    const app = createApp()
    await register(app)
    for (const route of routes) app.route(route)
    await app.ready()
  }
  const handler = (): string => ''

  it.each([
    [
      'another word',
      [{ method: 'GET', url: '/a', mcp: { as: 'page' } }],
      "as must be 'tool', 'resource' or 'both'",
    ],
    [
      'a POST route',
      [{ method: 'POST', url: '/a', mcp: { as: 'both' } }],
      'only a GET route can be a resource',
    ],
    [
      'hints of tools',
      [{ method: 'GET', url: '/a', mcp: { as: 'resource', annotations: {} } }],
      'mcp.annotations are hints of tools',
    ],
    [
      'a host constraint',
      [{ method: 'GET', url: '/a', constraints: { host: 'a.example' }, mcp: { as: 'resource' } }],
      'cannot be a tool or a resource',
    ],
    [
      'the URI of another one',
      [
        { method: 'GET', url: '/a', mcp: { as: 'resource' } },
        { method: 'GET', url: '/a', constraints: { version: '2.0.0' }, mcp: { as: 'resource' } },
      ],
      /is the resource route:\/a too/,
    ],
  ])('is refused at boot with %s', async (_title, routes, message) => {
    await expect(boot(...routes.map((route) => ({ ...route, handler })))).rejects.toThrow(message)
  })

  it('and tools exist when the app is ready', async () => {
    const app = createApp()
    await register(app)
    expect(() => resourcesOf(app)).toThrow('app.mcp.resources: call app.ready() first')
    expect(() => toolsOf(app)).toThrow('app.mcp.tools: call app.ready() first')
  })
})
