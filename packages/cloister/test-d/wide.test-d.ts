/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// Schemas in variables without `as const`: the compiler knows no type of them, and a handler reads what it casts.

import type { FastifyRequest } from 'cloister'

import { app, is, it } from './support.ts'

interface Item {
  a: string
  flag: boolean
}
const properties = { a: { type: 'string' }, flag: { type: 'boolean' } }
const body = { type: 'object', required: ['a', 'flag'], properties }
const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const response = { 200: body }

it('rejects a member of a part with a wide schema', () => {
  // @ts-expect-error -- its schema is in a variable without `as const`
  app.post('/', { schema: { body } }, (request) => request.body.a)
  // @ts-expect-error -- its schema is in a variable without `as const`
  app.get('/:id', { schema: { params } }, (request) => request.params.id)
  // @ts-expect-error -- its schema is in a variable without `as const`
  app.get('/', { schema: { querystring: properties } }, (request) => request.query.a?.length)
  // @ts-expect-error -- its schema is in a variable without `as const`
  app.post('/', { schema: { body } }, (request) => is<string>()(request.body))
  // @ts-expect-error -- its schema is in a variable without `as const`
  app.addSchema({ ...body, $id: 'x' }).post('/', { schema: { body: { $ref: 'x#' } } }, (r) => r.body.a)
})

it('takes casts and comparisons of a part with a wide schema', () => {
  app.post('/:id', { schema: { body, params, querystring: properties } }, (request) => {
    is<Item>()(request.body as Item)
    is<{ id: number }>()(request.params as { id: number })
    is<{ flag: boolean | null }>()(request.query as { flag: boolean | null })
    is<boolean>()(request.query.flag as boolean)
    if (typeof request.body === 'string') is<string>()(request.body)
  })
})

it('takes what annotations and type arguments state of a part with a wide schema', () => {
  const schema = { body, params, querystring: properties }
  interface Stated {
    Body: Item
    Params: { id: number }
    Querystring: { a: string | null; flag: boolean }
  }
  app.post('/:id', { schema }, (request: FastifyRequest<Stated>) => {
    is<Item>()(request.body)
    is<number>()(request.params.id)
    is<string | null>()(request.query.a)
  })
  app.post<{ Body: Item }>('/', { schema: { body } }, (request) => is<string>()(request.body.a))
})

it('sends any payload by a wide schema', () => {
  app.get('/', { schema: { response } }, () => ({ a: 'x', flag: true }))
})
