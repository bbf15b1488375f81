import { client } from '@cloister/client'
import { mutationOptions, queryOptions, ReplyError } from '@cloister/client/query'
import { CancelledError, MutationObserver, QueryClient } from '@tanstack/query-core'
import { cloister } from 'cloister'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'

interface User {
  id: number
  name: string
}

interface Api {
  'GET /users/:id': {
    params: { id: number }
    query?: { full?: boolean }
    replies: { 200: User; 404: { message: string } }
  }
  'GET /time': { replies: { 200: number } }
  'POST /users': { body: { name: string }; replies: { 201: User; 400: { message: string } } }
  'DELETE /users/:id': { params: { id: number }; replies: { 204: undefined } }
}

const app = cloister()
app.get('/users/:id', (request, reply) => {
  const { id } = request.params
  if (id === '9') return reply.code(404).send({ message: 'none' })
  return { id: Number(id), name: 'ada' }
})
app.get('/time', async () => {
  await new Promise((resolve) => setTimeout(resolve, 10_000).unref())
  return 1
})
app.post('/users', (request, reply) => reply.code(201).send({ id: 2, ...Object(request.body) }))
app.delete('/users/:id', (_request, reply) => reply.code(204).send())

const api = client<Api>(app.fetch)
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })

afterEach(() => queries.clear())

describe('queryOptions', () => {
  it('make a query whose data are the body of a success', async () => {
    const user = await queries.fetchQuery(queryOptions(api, 'GET /users/:id', { params: { id: 7 } }))
    expectTypeOf(user).toEqualTypeOf<User>()
    expect(user).toEqual({ id: 7, name: 'ada' })
  })

  it('have a key that distinguishes params and query, and that a prefix finds', async () => {
    const one = queryOptions(api, 'GET /users/:id', { params: { id: 1 } })
    const full = queryOptions(api, 'GET /users/:id', { params: { id: 1 }, query: { full: true } })
    const other = queryOptions(api, 'GET /users/:id', { params: { id: 1 }, headers: { 'x-trace': 1 } })
    await queries.fetchQuery(one)
    expect(queries.getQueryData(one.queryKey)).toEqual({ id: 1, name: 'ada' })
    expect(queries.getQueryData(other.queryKey)).toEqual({ id: 1, name: 'ada' })
    expect(queries.getQueryData(full.queryKey)).toBeUndefined()
    expect(queries.getQueriesData({ queryKey: ['GET /users/:id'] })).toHaveLength(1)
  })

  it('reject with the reply of a failure', async () => {
    const call = queries.fetchQuery(queryOptions(api, 'GET /users/:id', { params: { id: 9 } }))
    const error: unknown = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ReplyError)
    expect(error).toMatchObject({
      message: 'GET /users/:id: 404',
      route: 'GET /users/:id',
      reply: { status: 404, body: { message: 'none' } },
    })
  })

  it('end the request of a query that is cancelled', async () => {
    const options = queryOptions(api, 'GET /time')
    const call = queries.fetchQuery(options).catch((reason: unknown) => reason)
    await queries.cancelQueries({ queryKey: options.queryKey })
    expect(await call).toBeInstanceOf(CancelledError)
  })
})

describe('mutationOptions', () => {
  it('make a mutation that takes the input of the route', async () => {
    const mutation = new MutationObserver(queries, mutationOptions(api, 'POST /users'))
    const user = await mutation.mutate({ body: { name: 'grace' } })
    expectTypeOf(user).toEqualTypeOf<User>()
    expect(user).toEqual({ id: 2, name: 'grace' })
    expect(queries.getMutationCache().find({ mutationKey: ['POST /users'] })).toBeDefined()
  })

  it('have null for a response without a body', async () => {
    const mutation = new MutationObserver(queries, mutationOptions(api, 'DELETE /users/:id'))
    const nothing = await mutation.mutate({ params: { id: 1 } })
    expectTypeOf(nothing).toEqualTypeOf<null>()
    expect(nothing).toBeNull()
  })
})
