import { cloister } from 'cloister'

const greeting = {
  $id: 'greeting',
  type: 'object',
  required: ['hello'],
  properties: { hello: { type: 'string' } },
} as const

/** One shared schema, one route: what comes in is checked and converted, what goes out is declared. */
export function createApp() {
  return cloister()
    .addSchema(greeting)
    .get(
      '/hello/:name',
      {
        schema: {
          querystring: { times: { type: 'integer', minimum: 1, maximum: 3, default: 1 } },
          response: { '2xx': { type: 'array', items: { $ref: 'greeting#' } } },
        },
      },
      async (request) =>
        Array.from({ length: request.query.times }, () => ({ hello: request.params.name, secret: 42 })),
    )
}
