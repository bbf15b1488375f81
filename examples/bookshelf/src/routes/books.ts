import { noSuchBook } from '../errors.ts'
import type { ShelfApp } from '../shelf-app.ts'
import { byBookId, problems } from './parts.ts'

/** Looking for books: open to everyone. */
export async function bookRoutes(app: ShelfApp): Promise<void> {
  const { books } = app.library

  app.get(
    '/books',
    {
      schema: { querystring: { $ref: 'bookQuery#' }, response: { 200: { $ref: 'bookPage#' }, ...problems } },
    },
    async (request) => books.find(request.query),
  )

  app.get(
    '/books/:id',
    { schema: { params: byBookId, response: { 200: { $ref: 'book#' }, ...problems } } },
    async (request) => {
      const book = books.get(request.params.id)
      if (book === undefined) throw noSuchBook(request.params.id)
      return book
    },
  )

  app.get('/authors', { schema: { response: { 200: { $ref: 'counts#' }, ...problems } } }, async () =>
    books.authors(),
  )

  app.get('/subjects', { schema: { response: { 200: { $ref: 'counts#' }, ...problems } } }, async () =>
    books.subjects(),
  )
}
