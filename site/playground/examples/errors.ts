import { cloister } from 'cloister'

const app = cloister({ strict: true })

class OutOfStock extends Error {
  override name = 'OutOfStock'
}

app.setErrorHandler(async (error, _request, reply) => {
  // Goes to the handler of the context above, then to the framework's own.
  if (!(error instanceof OutOfStock)) throw error
  reply.code(409)
  return { message: error.message, retry: 'tomorrow' }
})

const params = { type: 'object', properties: { id: { type: 'integer' } } } as const
const response = {
  200: { type: 'object', properties: { id: { type: 'integer' } } },
  409: {
    type: 'object',
    properties: { message: { type: 'string' }, retry: { type: 'string' } },
  },
} as const

app.get('/books/:id', { schema: { params, response } }, async (request) => {
  if (request.params.id === 7) throw new OutOfStock('Book 7 is sold out')
  if (request.params.id === 8) throw new Error('A secret of the database')
  return { id: request.params.id }
})

export default app
