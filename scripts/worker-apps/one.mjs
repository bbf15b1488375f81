// A route with schemas of the path, the body and the response.
import { cloister } from 'cloister'
import { toFetch } from 'cloister/fetch'

const app = cloister()
app.post(
  '/users/:id',
  {
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer' } } },
      body: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 50 }, age: { type: 'integer', minimum: 0 } },
      },
      response: {
        200: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
      },
    },
  },
  async (request) => ({ id: request.params.id, name: request.body.name }),
)

export default { fetch: toFetch(app) }
