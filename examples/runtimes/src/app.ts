import { cloister } from 'cloister'

const user = {
  $id: 'user',
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
} as const

/** One app for every platform: it keeps its users in memory, so that nothing but the platform differs. */
export function createApp() {
  const users = new Map([[1, { id: 1, name: 'ada' }]])
  return cloister()
    .addSchema(user)
    .get(
      '/users/:id',
      {
        schema: {
          params: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } },
          response: { 200: { $ref: 'user#' } },
        },
      },
      (request, reply) => users.get(request.params.id) ?? reply.callNotFound(),
    )
    .post(
      '/users',
      { schema: { body: { $ref: 'user#' }, response: { 201: { $ref: 'user#' } } } },
      (request, reply) => {
        users.set(request.body.id, request.body)
        return reply.code(201).send(request.body)
      },
    )
    .get('/ip', (request) => ({ ip: request.ip ?? 'unknown' }))
}
