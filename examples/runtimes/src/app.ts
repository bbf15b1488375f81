import { cloister } from 'cloister'
import { memoryUsers } from './users.ts'
import type { Users } from './users.ts'

const user = {
  $id: 'user',
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
} as const

/**
 * One app for every platform.
 *
 * @param usersOf - where the users are; a worker gets its database with each request
 */
export function createApp(usersOf: (request: object) => Users = keepIn(memoryUsers())) {
  return cloister()
    .addSchema(user)
    .get(
      '/users/:id',
      {
        schema: {
          params: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } },
          response: {
            200: { $ref: 'user#' },
            404: { type: 'object', properties: { message: { type: 'string' } } },
          },
        },
      },
      async (request, reply) => (await usersOf(request).find(request.params.id)) ?? reply.callNotFound(),
    )
    .post(
      '/users',
      { schema: { body: { $ref: 'user#' }, response: { 201: { $ref: 'user#' } } } },
      async (request, reply) => {
        await usersOf(request).save(request.body)
        return reply.code(201).send(request.body)
      },
    )
    .get('/ip', (request) => ({ ip: request.ip ?? 'unknown' }))
}

/** Has the same users for every request. */
export function keepIn(users: Users): () => Users {
  return () => users
}
