import { cloister } from 'cloister'

const app = cloister({ strict: true })

app.post(
  '/books',
  {
    schema: {
      body: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1 },
          year: { type: 'integer', minimum: 1450 },
          tags: { type: 'array', items: { type: 'string' }, default: [] },
        },
      },
      response: {
        201: {
          type: 'object',
          required: ['title', 'tags'],
          properties: {
            title: { type: 'string' },
            tags: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
  async (request, reply) => {
    reply.code(201)
    // The type of the body follows from the schema.
    // `shelf` is not in the response, because its schema declares no such property.
    return { ...request.body, shelf: 'B7' }
  },
)

export default app
