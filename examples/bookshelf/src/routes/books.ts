import { noSuchBook } from '../errors.ts'
import type { ShelfApp } from '../shelf-app.ts'
import { byBookId, failures } from './parts.ts'

/** Looking for books: open to everyone. */
export async function bookRoutes(app: ShelfApp): Promise<void> {
  const { books } = app.library

  app.get(
    '/books',
    {
      schema: { querystring: { $ref: 'bookQuery#' }, response: { 200: { $ref: 'bookPage#' }, ...failures } },
    },
    async (request) => books.find(request.query),
  )

  app.get(
    '/books/:id',
    { schema: { params: byBookId, response: { 200: { $ref: 'book#' }, ...failures } } },
    async (request) => {
      const book = books.get(request.params.id)
      if (book === undefined) throw noSuchBook(request.params.id)
      return book
    },
  )

  app.get('/authors', { schema: { response: { 200: { $ref: 'counts#' }, ...failures } } }, async () =>
    books.authors(),
  )

  app.get('/subjects', { schema: { response: { 200: { $ref: 'counts#' }, ...failures } } }, async () =>
    books.subjects(),
  )
}
