import { NotFoundError } from '../errors.ts'
import type { ShelfApp } from '../shelf-app.ts'
import { problems } from './parts.ts'

const byReviewId = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 } },
} as const

/** Removing reviews. */
export async function adminReviewRoutes(app: ShelfApp): Promise<void> {
  app.delete(
    '/reviews/:id',
    { schema: { params: byReviewId, response: { 204: { type: 'null' }, ...problems } } },
    async (request, reply) => {
      const { id } = request.params
      if (!app.library.reviews.remove(id)) throw new NotFoundError(`there is no review ${id}`)
      return reply.code(204).send()
    },
  )
}
