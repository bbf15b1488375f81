import { expect, it } from 'vitest'
import { describeIntegration, start, type Untyped } from '../subject.ts'

describeIntegration('@trpc/server', ({ use, createApp }) => {
  /** A router with a query, a mutation with input, a failing query and the context of the request. */
  const makeRouter = (): Untyped => {
    const { initTRPC, TRPCError } = use('@trpc/server')
    const { z } = use('zod')
    const t = initTRPC.context().create()
    return t.router({
      hello: t.procedure.input(z.string()).query(({ input }: Untyped) => `hello ${input}`),
      who: t.procedure.query(({ ctx }: Untyped) => ctx.user),
      add: t.procedure
        .input(z.object({ a: z.number(), b: z.number() }))
        .mutation(({ input }: Untyped) => input.a + input.b),
      forbidden: t.procedure.query(() => {
        throw new TRPCError({ code: 'FORBIDDEN', message: 'not for you' })
      }),
    })
  }

  const register = async (app: Untyped): Promise<void> => {
    const { fastifyTRPCPlugin } = use('@trpc/server/adapters/fastify')
    await app.register(fastifyTRPCPlugin, {
      prefix: '/trpc',
      trpcOptions: {
        router: makeRouter(),
        createContext: ({ req }: Untyped) => ({ user: req.headers['x-user'] ?? 'nobody' }),
      },
    })
  }

  const makeClient = (url: string, link: string): Untyped => {
    const client = use('@trpc/client')
    const create = client.createTRPCProxyClient ?? client.createTRPCClient
    return create({
      links: [client[link]({ url: `${url}/trpc`, headers: { 'x-user': 'ada' } })],
    })
  }

  it('responds to queries and mutations of its own client, one by one and batched', async () => {
    const app = createApp()
    await register(app)
    const url = await start(app)
    for (const link of ['httpLink', 'httpBatchLink']) {
      const client = makeClient(url, link)
      expect(await Promise.all([client.hello.query('world'), client.who.query()])).toEqual([
        'hello world',
        'ada',
      ])
      expect(await client.add.mutate({ a: 1, b: 2 })).toBe(3)
    }
  })

  it('sends failures with their status and code, beside routes of the app', async () => {
    const app = createApp()
    await register(app)
    app.post('/own', (request: Untyped) => request.body)
    const url = await start(app)
    const client = makeClient(url, 'httpLink')
    await expect(client.forbidden.query()).rejects.toThrow('not for you')
    const response = await fetch(`${url}/trpc/forbidden`)
    expect(response.status).toBe(403)
    const wrong = await fetch(`${url}/trpc/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ a: 'x', b: 2 }),
    })
    expect(wrong.status).toBe(400)
    const own = await fetch(`${url}/own`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    })
    expect(await own.json()).toEqual({ a: 1 })
  })
})
