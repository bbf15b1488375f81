import { NotFoundError } from '../errors.ts'
import type { ShelfApp } from '../shelf-app.ts'

const failures = { '4xx': { $ref: 'failure#' }, default: { $ref: 'failure#' } } as const
const byId = {
  type: 'object',
  required: ['id'],
  properties: { id: { $ref: 'book#/properties/id' } },
} as const

/** The public context: reading books and writing reviews. */
export async function bookRoutes(app: ShelfApp): Promise<void> {
  const { books, reviews } = app.library

  app.get(
    '/books',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: {
            search: { type: 'string', minLength: 2, maxLength: 100 },
            author: { $ref: 'book#/properties/author' },
            language: { $ref: 'common#language' },
            subject: { $ref: 'book#subject' },
            from: { $ref: 'common#/definitions/year' },
            to: { $ref: 'common#/definitions/year' },
            sort: { type: 'string', enum: ['title', 'author', 'year'], default: 'title' },
            limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
            offset: { type: 'integer', minimum: 0, default: 0 },
          },
        },
        response: { 200: { $ref: 'bookPage#' }, ...failures },
      },
    },
    async (request) => books.find(request.query),
  )

  app.get(
    '/books/:id',
    { schema: { params: byId, response: { 200: { $ref: 'book#' }, ...failures } } },
    async (request) => {
      const book = books.get(request.params.id)
      if (book === undefined) throw new NotFoundError(`there is no book '${request.params.id}'`)
      return book
    },
  )

  app.get(
    '/books/:id/reviews',
    {
      schema: { params: byId, response: { 200: { type: 'array', items: { $ref: 'review#' } }, ...failures } },
    },
    async (request) => {
      if (!books.has(request.params.id)) throw new NotFoundError(`there is no book '${request.params.id}'`)
      return reviews.ofBook(request.params.id)
    },
  )

  app.post(
    '/books/:id/reviews',
    {
      schema: {
        params: byId,
        body: { $ref: 'newReview#' },
        response: { 201: { $ref: 'review#' }, ...failures },
      },
    },
    async (request, reply) => {
      if (!books.has(request.params.id)) throw new NotFoundError(`there is no book '${request.params.id}'`)
      return reply.code(201).send(reviews.add(request.params.id, request.body))
    },
  )

  app.get('/authors', { schema: { response: { 200: { $ref: 'counts#' }, ...failures } } }, async () =>
    books.authors(),
  )

  app.get('/subjects', { schema: { response: { 200: { $ref: 'counts#' }, ...failures } } }, async () =>
    books.subjects(),
  )
}
