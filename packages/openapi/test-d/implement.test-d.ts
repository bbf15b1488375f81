/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// The types of `implement`: handlers of a document whose types `cloister types --from` has written.
import { cloister } from 'cloister'
import type { Ctx } from 'cloister'
import { implement } from '@cloister/openapi'
import type { Handlers, Typed, TypedDocument } from '@cloister/openapi'

interface Operations {
  listPets: {
    schema: {
      querystring: Typed<{ limit: number }>
      response: { '200': { content: { 'application/json': { schema: Typed<string[]> } } } }
    }
  }
  addPet: {
    schema: {
      params: Typed<{ id: number }>
      body: { content: { 'application/json': { schema: Typed<{ name: string }> } }; required: false }
      response: {
        '201': { content: { 'application/json': { schema: Typed<{ id: number }> } } }
        '4xx': { content: { 'application/json': { schema: Typed<{ code: number }> } } }
        '204': Typed<null | undefined>
      }
    }
  }
}

declare const document: TypedDocument<Operations, never>
declare const secured: TypedDocument<Operations, 'token' | 'key'>
declare const untyped: { openapi: string; paths: object }

const handlers: Handlers<Operations> = {
  listPets: async ({ query }) => {
    const limit: number = query.limit
    // @ts-expect-error -- the document has no such parameter
    void query.offset
    return ['a'].slice(limit)
  },
  addPet: async ({ params, body }, reply) => {
    // @ts-expect-error -- the body may be missing
    void body.name
    if (body === undefined) return reply.code(204).send()
    if (body.name === '') return reply.code(400).send({ code: 400 })
    // @ts-expect-error -- the document has no response 500
    if (body.name === 'x') return reply.code(500).send({ code: 500 })
    // @ts-expect-error -- the payload has another type
    if (body.name === 'y') return reply.code(201).send({ id: body.name })
    return reply.code(201).send({ id: params.id })
  },
}
cloister().register(implement(document, handlers))

// @ts-expect-error -- a handler is missing
implement(document, { listPets: handlers.listPets })
// @ts-expect-error -- a handler is misspelt
implement(document, { ...handlers, listPet: handlers.listPets })
// @ts-expect-error -- a handler is misspelt, and so another one missing
implement(document, { addPet: handlers.addPet, listPet: handlers.listPets })
// @ts-expect-error -- the payload has another type
implement(document, { addPet: handlers.addPet, listPets: async () => [5] })

// @ts-expect-error -- the security schemes have no handlers
implement(secured, handlers)
// @ts-expect-error -- one security scheme has no handler
implement(secured, handlers, { security: { token: () => true } })
// @ts-expect-error -- the document has no such scheme
implement(secured, handlers, { security: { token: () => true, key: () => true, keys: () => true } })
implement(secured, handlers, {
  security: {
    token: ({ headers }, _reply, scopes) => headers.authorization === scopes.join(),
    key: async (request) => request.headers['x-key'] === 'yes',
  },
})

// Of a document without types nothing is known, and any handler goes.
implement(untyped, { listPets: async () => 'anything' })
implement(untyped, { listPets: async () => 'anything' }, { security: { token: () => true } })

// Handlers may need decorations, which the context that registers them must have.
type Decorated = Ctx<{ names: string[] }>
const decorated: Handlers<Operations, Decorated> = {
  listPets: async ({ server }) => server.names,
  addPet: handlers.addPet,
}
cloister().decorate('names', ['a']).register(implement<Operations, never, Decorated>(document, decorated))
cloister().decorate('names', ['a']).register(implement(document, decorated))
// @ts-expect-error -- nothing has decorated `names`
cloister().register(implement(document, decorated))

// A document whose types have bigints needs an app that reads them, and one whose types have numbers an app that does not.
declare const exact: TypedDocument<Operations, never, 'bigint'>
declare const rounded: TypedDocument<Operations, never, 'number'>
cloister({ integers: 'bigint' }).register(implement(exact, handlers))
cloister({ integers: 'exact' }).register(implement(rounded, handlers))
cloister({ integers: 'bigint' }).register(implement(document, handlers))
// @ts-expect-error -- the app reads numbers
cloister().register(implement(exact, handlers))
// @ts-expect-error -- the app reads bigints
cloister({ integers: 'bigint' }).register(implement(rounded, handlers))
