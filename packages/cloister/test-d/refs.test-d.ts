/* oxlint-disable typescript/ban-ts-comment, eslint/no-unused-vars -- a type test also says what must not compile */

import type { Infer } from 'cloister'

import type { Problem } from '../src/types/problem.ts'
import type { CheckRoute } from '../src/types/refs.ts'
import { app, is, it, shop } from './support.ts'

const library = app
  .addSchema({
    $id: 'book',
    type: 'object',
    properties: { title: { type: 'string' }, author: { $ref: '#/definitions/person' } },
    required: ['title', 'author'],
    definitions: {
      person: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      isbn: { $id: '#isbn', type: 'string' },
    },
  })
  .addSchema({ $id: 'shelf', type: 'array', items: { $ref: 'book#' } })

it('resolves `#name` in the same schema', () => {
  app.post(
    '/',
    {
      schema: {
        body: {
          type: 'object',
          properties: { from: { $ref: '#place' } },
          required: ['from'],
          definitions: { place: { $id: '#place', type: 'string' } },
        },
      },
    },
    (request) => is<{ from: string }>()(request.body),
  )
})

it('resolves `#/definitions/name` in the same schema', () => {
  app.post(
    '/',
    {
      schema: {
        body: {
          type: 'object',
          properties: { from: { $ref: '#/definitions/place' } },
          required: ['from'],
          definitions: { place: { type: 'integer' } },
        },
      },
    },
    (request) => is<{ from: number }>()(request.body),
  )
})

it('resolves `id#`, whose own references stay with it', () => {
  library.post('/', { schema: { body: { $ref: 'book#' } } }, (request) => {
    is<string>()(request.body.title)
    is<string>()(request.body.author.name)
  })
})

it('resolves `id#/definitions/name` and `id#/properties/name`', () => {
  library.post('/', { schema: { body: { $ref: 'book#/definitions/person' } } }, (request) =>
    is<{ name: string }>()(request.body),
  )
  library.post('/', { schema: { body: { $ref: 'book#/properties/title' } } }, (request) =>
    is<string>()(request.body),
  )
})

it('resolves `id#name`', () => {
  library.post('/', { schema: { body: { $ref: 'book#isbn' } } }, (request) => is<string>()(request.body))
})

it('resolves a reference from one shared schema to another', () => {
  library.post('/', { schema: { body: { $ref: 'shelf#' } } }, (request) =>
    is<string>()(request.body[0]?.author.name ?? ''),
  )
})

it('resolves references deep in a schema and in a reply', () => {
  library.post(
    '/',
    {
      schema: {
        body: {
          type: 'object',
          properties: { books: { type: 'array', items: { $ref: 'book#' } } },
          required: ['books'],
        },
        response: { 200: { $ref: 'book#' } },
      },
    },
    (request) => {
      is<string | undefined>()(request.body.books[0]?.title)
      return { title: 'x', author: { name: 'y' } }
    },
  )
})

it('reads a schema that refers to itself', () => {
  type Tree = Infer<{
    type: 'object'
    properties: { value: { type: 'number' }; children: { type: 'array'; items: { $ref: '#' } } }
    required: ['value', 'children']
  }>
  const tree = { value: 1, children: [{ value: 2, children: [] }] } satisfies Tree
  is<number>()(tree.value)
  // @ts-expect-error -- a child has a value
  const wrong = { value: 1, children: [{ children: [] }] } satisfies Tree
})

it('refuses a reference that leads nowhere', () => {
  // @ts-expect-error -- 'boook#' refers to no schema that this context sees
  library.post('/', { schema: { body: { $ref: 'boook#' } } }, () => 'x')
  // @ts-expect-error -- there is no such definition
  library.post('/', { schema: { body: { $ref: 'book#/definitions/publisher' } } }, () => 'x')
  // @ts-expect-error -- in a reply as well
  library.get('/', { schema: { response: { 200: { $ref: 'boook#' } } } }, () => 'x')
})

it('names the page of shared schemas for a reference that it refuses', () => {
  type Told =
    CheckRoute<{ body: { $ref: 'boook#' } }, {}> extends { readonly body: infer Body } ? Body : never
  type Message = Extract<Told, Problem<string>> extends Problem<infer Text> ? Text : never
  const names: Message extends `'boook#' refers to no schema${string}/docs/typescript.md#routes-in-files`
    ? true
    : false = true
  return names
})

it('refuses a reference to what a sibling shared', () => {
  app.register(async (first) => {
    first
      .addSchema({ $id: 'own', type: 'string' })
      .post('/', { schema: { body: { $ref: 'own#' } } }, () => 'x')
  })
  app.register(async (second) => {
    // @ts-expect-error -- a sibling cannot see it
    second.post('/', { schema: { body: { $ref: 'own#' } } }, () => 'x')
  })
})

it('shows a child the schemas of its parent', () => {
  shop.register(async (child) => {
    child.post('/', { schema: { body: { $ref: 'book#' } } }, (request) => is<string>()(request.body.title))
  })
})

it('refuses a shared schema without `$id`, and an `$id` that is taken', () => {
  // @ts-expect-error -- no $id
  app.addSchema({ type: 'object' })
  // @ts-expect-error -- 'book' is shared already
  library.addSchema({ $id: 'book', type: 'object' })
})

it('gives a shared schema back by its `$id`', () => {
  is<'array'>()(library.getSchema('shelf').type)
  is<unknown>()(library.getSchema('other'))
})

it('lets code that knows no context refer to anything', () => {
  const routes = (instance: import('cloister').FastifyInstance) =>
    instance.post('/', { schema: { body: { $ref: 'anything#' } } }, (request) => is<unknown>()(request.body))
  routes(app)
})

it('finds a reference under every keyword that holds schemas', () => {
  const none = { $ref: 'none#' } as const
  // @ts-expect-error -- a list for each position
  app.post('/a', { schema: { body: { type: 'array', items: [{ type: 'string' }, none] } } }, () => 'x')
  // @ts-expect-error -- a choice
  app.post('/b', { schema: { body: { type: 'object', anyOf: [{ type: 'object' }, none] } } }, () => 'x')
  // @ts-expect-error -- a condition
  app.post('/c', { schema: { body: { type: 'object', if: { type: 'object' }, then: none } } }, () => 'x')
  // @ts-expect-error -- what else may be there
  app.post('/d', { schema: { body: { type: 'object', additionalProperties: none } } }, () => 'x')
  const deep = { a: { type: 'string', not: none } } as const
  // @ts-expect-error -- a negation, deep within
  app.post('/e', { schema: { body: { type: 'object', properties: deep } } }, () => 'x')
  // @ts-expect-error -- one of the replies
  app.get('/f', { schema: { response: { 200: { type: 'string' }, 404: none } } }, () => 'x')
  // @ts-expect-error -- a dependency
  app.post('/g', { schema: { body: { type: 'object', dependencies: { a: none } } } }, () => 'x')
  // @ts-expect-error -- the shorthand form
  app.get('/h', { schema: { querystring: { type: { type: 'string' }, a: none } } }, () => 'x')
})
