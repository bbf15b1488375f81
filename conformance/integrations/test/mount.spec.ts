import { expect, it } from 'vitest'
import { describeIntegration, json, post, start, type Untyped } from '../subject.ts'

/** A hook that lets nobody pass without a key: it guards what is mounted in its context. */
function guard(app: Untyped): void {
  app.addHook('onRequest', async (request: Untyped, reply: Untyped) => {
    if (request.headers['x-key'] !== 'k') return reply.code(401).send({ error: 'no key' })
    return undefined
  })
}

const KEY = { 'x-key': 'k' }

describeIntegration(
  'express',
  ({ use, createApp }) => {
    it('runs mounted, under the hooks of its context', async () => {
      const express = use('express')
      const inner = express()
      inner.use(express.json())
      inner.get('/hello/:name', (request: Untyped, response: Untyped) => {
        response.json({ hello: request.params.name, url: request.originalUrl })
      })
      inner.post('/sum', (request: Untyped, response: Untyped) => {
        response.status(201).json({ sum: request.body.a + request.body.b })
      })
      const app = createApp()
      app.register(async (child: Untyped) => {
        guard(child)
        child.mount('/old', inner, { stripPrefix: true })
      })
      const url = await start(app)
      expect((await fetch(`${url}/old/hello/ada`)).status).toBe(401)
      const response = await fetch(`${url}/old/hello/ada`, { headers: KEY })
      expect(await json(response)).toEqual({ hello: 'ada', url: '/old/hello/ada' })
      expect(await post(`${url}/old/sum`, { a: 1, b: 2 }, KEY)).toMatchObject({
        status: 201,
        body: { sum: 3 },
      })
      expect((await fetch(`${url}/old/nothing`, { headers: KEY })).status).toBe(404)
    })
  },
  [5],
)

describeIntegration(
  'graphql-yoga',
  ({ use, createApp }) => {
    it('runs mounted', async () => {
      const { createYoga, createSchema } = use('graphql-yoga')
      const resolvers = { Query: { hello: (_parent: unknown, { name }: Untyped) => `hello ${name}` } }
      const schema = createSchema({ typeDefs: 'type Query { hello(name: String): String }', resolvers })
      const app = createApp()
      guard(app)
      app.mount('/graphql', createYoga({ schema, logging: false }))
      const url = await start(app)
      expect((await post(`${url}/graphql`, { query: '{ __typename }' })).status).toBe(401)
      const { body } = await post(`${url}/graphql`, { query: '{ hello(name: "Ada") }' }, KEY)
      expect(body).toEqual({ data: { hello: 'hello Ada' } })
    })
  },
  [5],
)

describeIntegration(
  '@trpc/server',
  ({ use, createApp }) => {
    it('runs mounted, by its fetch adapter', async () => {
      const { initTRPC } = use('@trpc/server')
      const { fetchRequestHandler } = use('@trpc/server/adapters/fetch')
      const { z } = use('zod')
      const t = initTRPC.create()
      const router = t.router({
        hello: t.procedure.input(z.string()).query(({ input }: Untyped) => `hello ${input}`),
        add: t.procedure.input(z.array(z.number())).mutation(({ input }: Untyped) => input.length),
      })
      const app = createApp()
      app.mount('/trpc', (req: Request) =>
        fetchRequestHandler({ endpoint: '/trpc', req, router, createContext: () => ({}) }),
      )
      const url = await start(app)
      const { createTRPCClient, httpBatchLink } = use('@trpc/client')
      const client = createTRPCClient({ links: [httpBatchLink({ url: `${url}/trpc` })] })
      expect([await client.hello.query('Ada'), await client.add.mutate([1, 2])]).toEqual(['hello Ada', 2])
    })
  },
  [5],
)

describeIntegration(
  'better-auth',
  ({ use, createApp }) => {
    it('runs mounted: signs up, signs in, and knows the session', async () => {
      const { betterAuth } = use('better-auth')
      const { memoryAdapter } = use('better-auth/adapters/memory')
      const app = createApp()
      const tables = { user: [], session: [], account: [], verification: [] }
      const auth = betterAuth({
        baseURL: 'http://localhost',
        trustedOrigins: ['http://localhost'],
        secret: 'a secret of a test, which is long enough',
        database: memoryAdapter(tables),
        emailAndPassword: { enabled: true },
        telemetry: { enabled: false },
      })
      app.mount('/api/auth', auth.handler)
      const url = await start(app)
      const origin = { origin: 'http://localhost' }
      const person = { email: 'ada@example.com', password: 'correct horse', name: 'Ada' }
      const signedUp = await post(`${url}/api/auth/sign-up/email`, person, origin)
      expect([signedUp.status, signedUp.body.user?.name]).toEqual([200, 'Ada'])
      const signedIn = await fetch(`${url}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...origin },
        body: JSON.stringify(person),
      })
      expect(signedIn.status).toBe(200)
      const cookie = signedIn.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      const session = await json(await fetch(`${url}/api/auth/get-session`, { headers: { cookie } }))
      expect(session.user.email).toBe('ada@example.com')
    })
  },
  [5],
)

describeIntegration(
  '@modelcontextprotocol/sdk',
  ({ use, createApp, closeAfter }) => {
    it('runs mounted, as a server that its own client calls', async () => {
      const { McpServer } = use('@modelcontextprotocol/sdk/server/mcp.js')
      const { StreamableHTTPServerTransport } = use('@modelcontextprotocol/sdk/server/streamableHttp.js')
      const { Client } = use('@modelcontextprotocol/sdk/client/index.js')
      const { StreamableHTTPClientTransport } = use('@modelcontextprotocol/sdk/client/streamableHttp.js')
      const { z } = use('zod')
      const serve = async (request: Untyped, response: Untyped): Promise<void> => {
        const server = new McpServer({ name: 'sums', version: '1.0.0' })
        server.registerTool(
          'add',
          { inputSchema: { a: z.number(), b: z.number() } },
          ({ a, b }: Untyped) => ({
            content: [{ type: 'text', text: String(a + b) }],
          }),
        )
        const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
        await server.connect(transport)
        await transport.handleRequest(request, response)
      }
      const app = createApp()
      app.mount('/mcp', serve)
      const url = await start(app)
      const client = new Client({ name: 'test', version: '1.0.0' })
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
      closeAfter(client)
      const { content } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
      expect(content).toEqual([{ type: 'text', text: '3' }])
    })
  },
  [5],
)
