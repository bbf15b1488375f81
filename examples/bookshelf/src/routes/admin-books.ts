import { ConflictError, noSuchBook } from '../errors.ts'
import type { ShelfApp } from '../shelf-app.ts'
import { byBookId, problems } from './parts.ts'

/** Adding, changing and removing books. */
export async function adminBookRoutes(app: ShelfApp): Promise<void> {
  const { books } = app.library

  app.post(
    '/books',
    { schema: { body: { $ref: 'book#' }, response: { 201: { $ref: 'book#' }, ...problems } } },
    async (request, reply) => {
      const { id } = request.body
      const taken = books.addAll([request.body])
      if (taken.length > 0) throw new ConflictError(`there is a book '${id}' already`)
      return reply.code(201).header('location', `/books/${id}`).send(request.body)
    },
  )

  app.post(
    '/books/import',
    {
      schema: {
        body: { type: 'array', minItems: 1, maxItems: 1000, items: { $ref: 'book#' } },
        // The short form: a list of properties.
        response: {
          200: {
            added: { type: 'integer' },
            skipped: { type: 'array', items: { $ref: 'book#/properties/id' } },
          },
          ...problems,
        },
      },
    },
    async (request) => {
      const skipped = books.addAll(request.body)
      return { added: request.body.length - skipped.length, skipped }
    },
  )

  app.patch(
    '/books/:id',
    {
      schema: {
        params: byBookId,
        body: { $ref: 'bookChanges#' },
        response: { 200: { $ref: 'book#' }, ...problems },
      },
    },
    async (request) => {
      const { id } = request.params
      const book = books.get(id)
      if (book === undefined) throw noSuchBook(id)
      const changed = { ...book, ...request.body }
      books.change(changed)
      return changed
    },
  )

  app.delete(
    '/books/:id',
    { schema: { params: byBookId, response: { 204: { type: 'null' }, ...problems } } },
    async (request, reply) => {
      if (!books.remove(request.params.id)) throw noSuchBook(request.params.id)
      return reply.code(204).send()
    },
  )
}
