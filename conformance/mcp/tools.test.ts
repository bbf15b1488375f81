// Routes as tools of the Model Context Protocol, called by both lines of the official client.
import { describeTransports } from '../harness/transports.ts'
import type { App } from '../harness/app-shape.ts'
import { connect, connectNew, register, toolsOf } from './tool-app.ts'

const EVERYWHERE = ['in-process', 'socket', 'http2', 'memory', 'fetch'] as const

/** Finds members of values that the client reads as unknown. */
function textOf(result: object): string {
  const content: unknown = Reflect.get(result, 'content')
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  const text: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'text') : undefined
  return String(text)
}

describeTransports(
  'routes that are tools',
  ({ createApp, it, expect }) => {
    it('are those of the context of the plugin and below, whatever is defined first, in strict apps too', async () => {
      const app = createApp({ strict: true })
      const get = (to: App, url: string): unknown =>
        to.route({ method: 'GET', url, mcp: { name: url.slice(1) }, handler: () => url })
      let inner = app
      app.register(async (inside: App) => {
        inner = inside
        inside.register(async (child: App) => get(child, '/below'))
        void register(inside, { path: '/inside' })
        get(inside, '/beside')
      })
      await app.ready()
      expect(toolsOf(inner).map(({ name }) => name)).toEqual(['beside', 'below'])
      await expect(async () => get(createApp({ strict: true }), '/without')).rejects.toThrow(
        /register the plugin/,
      )
    })
  },
  ['in-process'],
)

describeTransports(
  'tools',
  ({ createApp, send, it, expect }) => {
    /** Books, of which two routes are tools. */
    async function books(options: object = {}): Promise<{ app: App }> {
      const app = createApp({ logger: false })
      await register(app, options)
      app.addSchema({
        $id: 'book',
        type: 'object',
        required: ['title'],
        properties: { title: { type: 'string', minLength: 2 }, next: { $ref: 'book#' } },
      })
      const shelf = [{ title: 'Flatland', secret: 'B7' }]
      app.route({
        method: 'GET',
        url: '/books/:index',
        mcp: { name: 'read_book', description: 'Reads a book.' },
        schema: {
          params: { type: 'object', required: ['index'], properties: { index: { type: 'integer' } } },
          querystring: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
          response: { 200: { $ref: 'book#' } },
        },
        handler: (request, reply) => {
          const book = shelf[Number(request.params['index'])]
          return book === undefined
            ? reply.callNotFound()
            : { ...book, title: `${book.title}${String(request.query['tags'])}` }
        },
      })
      app.route({
        method: 'POST',
        url: '/books',
        mcp: true,
        schema: {
          summary: 'Add a book',
          body: { $ref: 'book#' },
          response: { 201: { type: 'integer' } },
        },
        handler: (request, reply) => {
          reply.code(201)
          return shelf.push(request.body as (typeof shelf)[0]) - 1
        },
      })
      app.get('/books', { mcp: false }, () => shelf)
      app.get('/plain', () => 'plain')
      app.route({ method: 'GET', url: '/hidden', mcp: true, schema: { hide: true }, handler: () => 'hidden' })
      return { app }
    }

    it.each([
      ['the first line of the client', connect],
      ['the client of the revision 2026-07-28', connectNew],
    ])('%s lists and calls the routes that opted in, and no other', async (_name, reach) => {
      const { app } = await books({ info: { name: 'shelf', version: '2.0.0' }, instructions: 'Books.' })
      const client = await reach(app, send)
      expect(client.getServerVersion()).toMatchObject({ name: 'shelf', version: '2.0.0' })
      expect(client.getInstructions()).toBe('Books.')
      const { tools } = await client.listTools()
      expect(tools.map(({ name, title }) => [name, title])).toEqual([
        ['read_book', undefined],
        ['post_books', 'Add a book'],
      ])
      expect(tools[0]?.inputSchema).toEqual({
        type: 'object',
        properties: {
          params: { type: 'object', required: ['index'], properties: { index: { type: 'integer' } } },
          query: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
        },
        required: ['params'],
        additionalProperties: false,
      })
      expect(tools[0]?.annotations).toEqual({ readOnlyHint: true })
      const read = await client.callTool({
        name: 'read_book',
        arguments: { params: { index: 0 }, query: { tags: ['a', 'b'] } },
      })
      expect(read.structuredContent).toEqual({ title: 'Flatlanda,b' })
      const added = await client.callTool({ name: 'post_books', arguments: { body: { title: 'Emma' } } })
      expect(added.structuredContent).toEqual({ result: 1 })
      const again = await client.callTool({ name: 'read_book', arguments: { params: { index: 1 } } })
      expect(again.structuredContent).toEqual({ title: 'Emmaundefined' })
      await client.close()
    })

    it('what a schema or a handler refuses is a result that the model can read', async () => {
      const { app } = await books()
      const client = await connect(app, send)
      const refused = await client.callTool({ name: 'post_books', arguments: { body: { title: 'E' } } })
      expect(refused.isError).toBe(true)
      expect(textOf(refused)).toContain('body/title must NOT have fewer than 2 characters')
      const missing = await client.callTool({ name: 'read_book', arguments: { params: { index: 9 } } })
      expect([missing.isError, textOf(missing).split('\n')[0]]).toEqual([
        true,
        'GET /books/:index: status 404',
      ])
      const unknown = await client.callTool({ name: 'read_book', arguments: { parameters: {} } })
      expect(textOf(unknown)).toBe("the tool has no argument 'parameters'")
      await expect(client.callTool({ name: 'get_hidden', arguments: {} })).rejects.toThrow(
        "there is no tool 'get_hidden'",
      )
      await client.close()
    })

    it('a call has the header fields and the address of its caller, and not those of its message', async () => {
      const app = createApp()
      await register(app)
      app.route({
        method: 'GET',
        url: '/who',
        mcp: true,
        handler: ({ headers, ip, hostname }) => ({
          ip,
          hostname,
          key: headers['x-api-key'],
          cookie: headers['cookie'],
          length: headers['content-length'],
          type: headers['content-type'],
          version: headers['mcp-protocol-version'],
        }),
      })
      app.get('/ip', ({ ip, hostname }) => ({ ip, hostname }))
      const direct: unknown = (await send(app, { path: '/ip' })).json()
      const client = await connect(app, send, { headers: { 'x-api-key': 'k', cookie: 'a=b' } })
      const result = await client.callTool({ name: 'get_who', arguments: {} })
      const seen: unknown = JSON.parse(textOf(result))
      expect(seen).toEqual({ ...Object(direct), key: 'k', cookie: 'a=b' })
      await client.close()
    })

    it('a route that asks for credentials gives the endpoint its status', async () => {
      const app = createApp()
      await register(app)
      app.route({
        method: 'GET',
        url: '/mine',
        mcp: true,
        onRequest: (request, reply, done) => {
          if (request.headers['authorization'] === 'Bearer yes') done()
          else reply.code(401).header('www-authenticate', 'Bearer realm="books"').send({ error: 'no token' })
        },
        handler: () => 'yours',
      })
      const call = {
        method: 'POST',
        path: '/mcp',
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_mine', arguments: {} } },
      }
      const refused = await send(app, call)
      expect([refused.status, refused.headers['www-authenticate'], refused.json()]).toEqual([
        401,
        'Bearer realm="books"',
        { error: 'no token' },
      ])
      const stranger = await connect(app, send)
      await expect(stranger.callTool({ name: 'get_mine', arguments: {} })).rejects.toThrow('no token')
      await stranger.close()
      const owner = await connect(app, send, { headers: { authorization: 'Bearer yes' } })
      expect(textOf(await owner.callTool({ name: 'get_mine', arguments: {} }))).toBe('yours')
      await owner.close()
    })

    it('no value leads to another route', async () => {
      const app = createApp()
      await register(app)
      const reached: string[] = []
      const route = (method: string, url: string, options: object = {}): void => {
        app.route({ method, url, ...options, handler: () => reached.push(url) })
      }
      route('DELETE', '/users/:id', { mcp: { name: 'remove' } })
      route('DELETE', '/users/all')
      route('DELETE', '/users/')
      route('DELETE', '/')
      route('DELETE', '/*')
      route('GET', '/files/*', { mcp: { name: 'read' } })
      route('GET', '/files/private')
      const client = await connect(app, send)
      for (const id of [
        'all',
        '.',
        '..',
        '',
        '%2e%2e',
        'a/b',
        '../all',
        'all?x',
        'all#x',
        'äöü',
        'a b',
        '*',
        ':id',
      ]) {
        await client.callTool({ name: 'remove', arguments: { params: { id } } })
      }
      for (const path of ['private', '../users/all', 'a/../private', './private', 'a//b', '', 'a/b c']) {
        await client.callTool({ name: 'read', arguments: { params: { '*': path } } })
      }
      expect(new Set(reached)).toEqual(new Set(['/users/:id', '/files/*']))
      const refused = await client.callTool({ name: 'remove', arguments: { params: { id: 'all' } } })
      expect([refused.isError, textOf(refused)]).toEqual([
        true,
        'the request would not reach the route DELETE /users/:id: check the values in params',
      ])
      await client.close()
    })

    it('pages of other origins are refused, and methods without use', async () => {
      const { app } = await books({ allowedOrigins: ['https://chat.example.com'] })
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const accept = 'application/json, text/event-stream'
      const statusOf = async (origin: string): Promise<number> =>
        (await send(app, { method: 'POST', path: '/mcp', headers: { accept, origin }, body })).status
      expect([
        await statusOf('https://chat.example.com'),
        await statusOf('https://evil.example.com'),
        await statusOf('null'),
      ]).toEqual([200, 403, 403])
      for (const method of ['GET', 'DELETE']) {
        const { status, headers } = await send(app, { method, path: '/mcp' })
        expect([status, headers['allow']]).toEqual([405, 'POST'])
      }
    })

    it('payloads above the limit fail, streams of events too', async () => {
      const app = createApp()
      await register(app, { payloadLimit: 100 })
      app.route({ method: 'GET', url: '/large', mcp: true, handler: () => 'x'.repeat(101) })
      app.route({
        method: 'GET',
        url: '/events',
        mcp: true,
        handler: (_request, reply) =>
          reply
            .type('text/event-stream')
            .send(new ReadableStream({ pull: (to) => to.enqueue(Buffer.from(':\n')) })),
      })
      const client = await connect(app, send)
      for (const [name, text] of [
        ['get_large', 'GET /large: the payload is larger than 100 bytes'],
        [
          'get_events',
          'GET /events: the stream has ended after 0 items: the payload is larger than 100 bytes\n[]',
        ],
      ] as const) {
        const result = await client.callTool({ name, arguments: {} })
        expect([result.isError, textOf(result)]).toEqual([true, text])
      }
      await client.close()
    })

    it('tools are those of the context that registers the plugin, and of the contexts below', async () => {
      const app = createApp()
      app.route({ method: 'GET', url: '/outside', mcp: true, handler: () => 'outside' })
      await app.register(
        async (inner: App) => {
          await register(inner)
          await inner.register(async (deeper: App) => {
            deeper.route({ method: 'GET', url: '/deeper', mcp: true, handler: () => 'deeper' })
          })
        },
        { prefix: '/api' },
      )
      const client = await connect(app, send, { path: '/api/mcp' })
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_api_deeper'])
      await client.close()
    })
  },
  EVERYWHERE,
)
