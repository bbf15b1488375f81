import { expect, it } from 'vitest'
import { describeIntegration, post, start, type Untyped } from '../subject.ts'

const schema = `
  type Query { hello(name: String): String, who: String, fail: String }
  type Mutation { add(a: Int!, b: Int!): Int }
`

describeIntegration('@as-integrations/fastify', ({ use, createApp }) => {
  const startServer = async (): Promise<string> => {
    const { ApolloServer } = use('@apollo/server')
    const { default: apollo, fastifyApolloDrainPlugin } = use('@as-integrations/fastify')
    const app = createApp()
    const server = new ApolloServer({
      typeDefs: schema,
      resolvers: {
        Query: {
          hello: (_parent: unknown, input: Untyped) => `hello ${input.name}`,
          who: (_parent: unknown, _input: unknown, context: Untyped) => context.user,
          fail: () => {
            throw new Error('failed')
          },
        },
        Mutation: { add: (_parent: unknown, input: Untyped) => input.a + input.b },
      },
      plugins: [fastifyApolloDrainPlugin(app)],
    })
    await server.start()
    await app.register(apollo(server), {
      context: async (request: Untyped) => ({ user: request.headers['x-user'] }),
    })
    return start(app)
  }

  it('responds to queries and mutations with the context of the request', async () => {
    const url = await startServer()
    const query = await post(`${url}/graphql`, { query: '{ hello(name: "Ada") who }' }, { 'x-user': 'eve' })
    expect(query.body).toEqual({ data: { hello: 'hello Ada', who: 'eve' } })
    const mutation = await post(`${url}/graphql`, {
      query: 'mutation ($a: Int!) { add(a: $a, b: 2) }',
      variables: { a: 1 },
    })
    expect(mutation.body).toEqual({ data: { add: 3 } })
  })

  it('sends errors of documents and of resolvers in the shape of GraphQL', async () => {
    const url = await startServer()
    const wrong = await post(`${url}/graphql`, { query: '{ nothing }' })
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors[0].message).toContain('Cannot query field "nothing"')
    const failed = await post(`${url}/graphql`, { query: '{ fail }' })
    expect(failed.status).toBe(200)
    expect(failed.body).toMatchObject({ data: { fail: null }, errors: [{ message: 'failed' }] })
  })
})

describeIntegration('mercurius', ({ use, createApp }) => {
  it('responds to queries, mutations and loaders', async () => {
    const app = createApp()
    let batches = 0
    await app.register(use('mercurius'), {
      schema: `
        type Dog { name: String, owner: String }
        type Query { dogs: [Dog], who: String }
        type Mutation { add(a: Int!, b: Int!): Int }`,
      resolvers: {
        Query: {
          dogs: () => [{ name: 'Max' }, { name: 'Rex' }],
          who: (_parent: unknown, _input: unknown, context: Untyped) =>
            context.reply.request.headers['x-user'],
        },
        Mutation: { add: (_parent: unknown, input: Untyped) => input.a + input.b },
      },
      loaders: {
        Dog: {
          owner: async (queries: Untyped[]) => {
            batches += 1
            return queries.map(({ obj }) => `owner of ${obj.name}`)
          },
        },
      },
    })
    const url = await start(app)
    const query = await post(`${url}/graphql`, { query: '{ dogs { name owner } who }' }, { 'x-user': 'ada' })
    expect(query.body.data).toEqual({
      dogs: [
        { name: 'Max', owner: 'owner of Max' },
        { name: 'Rex', owner: 'owner of Rex' },
      ],
      who: 'ada',
    })
    expect(batches).toBe(1)
    const mutation = await post(`${url}/graphql`, { query: 'mutation { add(a: 1, b: 2) }' })
    expect(mutation.body).toEqual({ data: { add: 3 } })
    const get = await fetch(`${url}/graphql?query=${encodeURIComponent('{ dogs { name } }')}`)
    expect(await get.json()).toEqual({ data: { dogs: [{ name: 'Max' }, { name: 'Rex' }] } })
  })

  it('refuses a body that is no GraphQL request, and serves its page when asked to', async () => {
    const app = createApp()
    await app.register(use('mercurius'), {
      schema: 'type Query { a: String }',
      resolvers: { Query: { a: () => 'a' } },
      graphiql: true,
    })
    const url = await start(app)
    const wrong = await post(`${url}/graphql`, { query: '{ b }' })
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors[0].message).toContain('Cannot query field "b"')
    const none = await post(`${url}/graphql`, {})
    expect(none.status).toBe(400)
    const page = await fetch(`${url}/graphiql`)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  })

  it('publishes to subscriptions over a real WebSocket', async () => {
    const app = createApp()
    await app.register(use('mercurius'), {
      schema:
        'type Query { a: String } type Mutation { say(text: String!): Boolean } type Subscription { said: String }',
      resolvers: {
        Mutation: {
          say: async (_parent: unknown, input: Untyped, { pubsub }: Untyped) => {
            await pubsub.publish({ topic: 'said', payload: { said: input.text } })
            return true
          },
        },
        Subscription: {
          said: {
            subscribe: (_parent: unknown, _input: unknown, { pubsub }: Untyped) => pubsub.subscribe('said'),
          },
        },
      },
      subscription: true,
    })
    const url = await start(app)
    const { WebSocket } = use('ws')
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-ws')
    const received: Untyped[] = []
    socket.on('message', (data: unknown) => received.push(JSON.parse(String(data))))
    await new Promise((resolve) => {
      socket.once('open', resolve)
    })
    socket.send(JSON.stringify({ type: 'connection_init', payload: {} }))
    await expect.poll(() => received.map(({ type }) => type)).toContain('connection_ack')
    socket.send(JSON.stringify({ id: 1, type: 'start', payload: { query: 'subscription { said }' } }))
    await expect
      .poll(async () => {
        await post(`${url}/graphql`, { query: 'mutation { say(text: "hi") }' })
        return received.at(-1)
      })
      .toMatchObject({ type: 'data', payload: { data: { said: 'hi' } } })
    socket.close()
  })
})
