import { noSuchBook } from '../errors.ts'
import type { ShelfApp } from '../shelf-app.ts'
import { byBookId, problems } from './parts.ts'

/** Reading and writing reviews: open to everyone. */
export async function reviewRoutes(app: ShelfApp): Promise<void> {
  const { books, reviews } = app.library

  app.get(
    '/books/:id/reviews',
    {
      schema: {
        params: byBookId,
        response: { 200: { type: 'array', items: { $ref: 'review#' } }, ...problems },
      },
    },
    async (request) => {
      if (!books.has(request.params.id)) throw noSuchBook(request.params.id)
      return reviews.ofBook(request.params.id)
    },
  )

  app.post(
    '/books/:id/reviews',
    {
      schema: {
        params: byBookId,
        body: { $ref: 'newReview#' },
        response: { 201: { $ref: 'review#' }, ...problems },
      },
    },
    async (request, reply) => {
      if (!books.has(request.params.id)) throw noSuchBook(request.params.id)
      return reply.code(201).send(reviews.add(request.params.id, request.body))
    },
  )
}
