import { bearerAuth } from '@cloister/bearer-auth'

import { ConflictError, NotFoundError } from '../errors.ts'
import { answerProblem, PROBLEM_TYPE, toProblem } from '../plugins/problems.ts'
import type { ShelfApp } from '../shelf-app.ts'

// Errors are answered with problem details; see the error handler.
const problems = { content: { 'application/problem+json': { schema: { $ref: 'problem#' } } } } as const
const failures = { '4xx': problems, default: problems } as const
const byId = {
  type: 'object',
  required: ['id'],
  properties: { id: { $ref: 'book#/properties/id' } },
} as const

/** The admin context: changing what is on the shelf. Every route below needs the key. */
export async function adminRoutes(app: ShelfApp, options: { readonly key: string }): Promise<void> {
  await app.register(bearerAuth, {
    keys: [options.key],
    realm: 'bookshelf',
    verifyErrorLogLevel: 'info',
    contentType: PROBLEM_TYPE,
    errorResponse: (error: Error) => toProblem(error, 401),
  })
  app.setErrorHandler(answerProblem)

  const { books, reviews } = app.library

  app.post(
    '/books',
    { schema: { body: { $ref: 'book#' }, response: { 201: { $ref: 'book#' }, ...failures } } },
    async (request, reply) => {
      const taken = books.addAll([request.body])
      if (taken.length > 0) throw new ConflictError(`there is a book '${request.body.id}' already`)
      return reply.code(201).header('location', `/books/${request.body.id}`).send(request.body)
    },
  )

  app.post(
    '/books/import',
    {
      schema: {
        body: { type: 'array', minItems: 1, maxItems: 1000, items: { $ref: 'book#' } },
        response: {
          200: {
            type: 'object',
            required: ['added', 'skipped'],
            properties: {
              added: { type: 'integer' },
              skipped: { type: 'array', items: { $ref: 'book#/properties/id' } },
            },
          },
          ...failures,
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
        params: byId,
        body: {
          type: 'object',
          minProperties: 1,
          additionalProperties: false,
          properties: {
            title: { $ref: 'book#/properties/title' },
            author: { $ref: 'book#/properties/author' },
            year: { $ref: 'book#/properties/year' },
            language: { $ref: 'book#/properties/language' },
            subjects: { $ref: 'book#/properties/subjects' },
          },
        },
        response: { 200: { $ref: 'book#' }, ...failures },
      },
    },
    async (request) => {
      const { id } = request.params
      const book = books.get(id)
      if (book === undefined) throw new NotFoundError(`there is no book '${id}'`)
      const changed = { ...book, ...request.body }
      books.change(id, changed)
      return changed
    },
  )

  app.delete(
    '/books/:id',
    { schema: { params: byId, response: { 204: { type: 'null' }, ...failures } } },
    async (request, reply) => {
      if (!books.remove(request.params.id)) throw new NotFoundError(`there is no book '${request.params.id}'`)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/reviews/:id',
    {
      schema: {
        params: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } },
        response: { 204: { type: 'null' }, ...failures },
      },
    },
    async (request, reply) => {
      if (!reviews.remove(request.params.id))
        throw new NotFoundError(`there is no review ${request.params.id}`)
      return reply.code(204).send()
    },
  )

  app.get(
    '/stats',
    {
      schema: {
        response: {
          200: {
            type: 'object',
            required: ['books', 'authors', 'reviews', 'oldest', 'newest'],
            properties: {
              books: { type: 'integer' },
              authors: { type: 'integer' },
              reviews: { type: 'integer' },
              oldest: { type: 'integer', nullable: true },
              newest: { type: 'integer', nullable: true },
            },
          },
          ...failures,
        },
      },
    },
    async () => app.library.stats(),
  )
}
