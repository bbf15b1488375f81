/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { Type as OldType } from '@sinclair/typebox'
import { Type } from 'typebox'

import { app, is, it } from './support.ts'

it('takes a shared schema that refers to itself by its $id', () => {
  app
    .addSchema({
      $id: 'tree',
      type: 'object',
      properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: 'tree#' } } },
      required: ['value', 'children'],
    })
    .post('/', { schema: { body: { $ref: 'tree#' } } }, (request) =>
      is<number | undefined>()(request.body.children[0]?.children[0]?.value),
    )
})

it('takes shared schemas that refer to each other', () => {
  app
    .addSchema({
      $id: 'author',
      type: 'object',
      properties: { name: { type: 'string' }, books: { type: 'array', items: { $ref: 'book#' } } },
      required: ['name', 'books'],
    })
    .addSchema({
      $id: 'book',
      type: 'object',
      properties: { author: { $ref: 'author#' }, title: { type: 'string' } },
      required: ['author', 'title'],
    })
    .post('/', { schema: { body: { $ref: 'book#' } } }, (request) => {
      is<string>()(request.body.author.name)
      is<string | undefined>()(request.body.author.books[0]?.title)
    })
})

it('takes a shared schema that refers to one that is added later', () => {
  app
    .addSchema({ $id: 'shelf', type: 'array', items: { $ref: 'volume' } })
    .addSchema({ $id: 'volume', type: 'string' })
    .post('/', { schema: { body: { $ref: 'shelf' } } }, (request) => is<string[]>()(request.body))
})

it('reads a relative reference between URIs', () => {
  const library = app
    .addSchema({ $id: 'https://example.com/schemas/title.json', type: 'string' })
    .addSchema({ $id: 'https://example.com/pages.json', type: 'integer' })
    .addSchema({
      $id: 'https://example.com/schemas/book.json',
      type: 'object',
      properties: {
        title: { $ref: 'title.json' },
        subtitle: { $ref: './title.json#' },
        pages: { $ref: '../pages.json' },
        more: { $ref: '/pages.json' },
      },
      required: ['title', 'subtitle', 'pages', 'more'],
    })
  library.post('/', { schema: { body: { $ref: 'https://example.com/schemas/book.json' } } }, (request) =>
    is<{ title: string; subtitle: string; pages: number; more: number }>()(request.body),
  )
})

it('refuses a place of the shared schema itself that is not there', () => {
  // @ts-expect-error -- there is no such definition
  app.addSchema({ $id: 'a', type: 'object', properties: { b: { $ref: '#/definitions/b' } } })
  // @ts-expect-error -- nor under the schema's own name
  app.addSchema({ $id: 'a', type: 'object', properties: { b: { $ref: 'a#/definitions/b' } } })
})

it('refuses a place that a schema shared before does not have', () => {
  const known = app.addSchema({ $id: 'book', type: 'object', properties: { title: { type: 'string' } } })
  // @ts-expect-error -- 'book' has no such property
  known.addSchema({ $id: 'shelf', type: 'array', items: { $ref: 'book#/properties/pages' } })
})

it('takes schemas of TypeBox, whose types do not say which $id they have', () => {
  const known = app
    .addSchema({ $id: 'title', type: 'string' })
    .addSchema(Type.Object({ name: Type.String() }, { $id: 'User' }))
  known.post('/', { schema: { body: { $ref: 'User#' } } }, (request) => is<unknown>()(request.body))
  known.post('/', { schema: { body: { $ref: 'title#' } } }, (request) => is<string>()(request.body))
  app.addSchema(OldType.Object({ name: OldType.String() }, { $id: 'Old' }))
})

it("still refuses a schema of one's own without an $id", () => {
  // @ts-expect-error -- it needs one
  app.addSchema({ type: 'string' })
})
