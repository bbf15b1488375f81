export default async function routes(fastify) {
  fastify.addSchema({
    $id: 'todo',
    type: 'object',
    properties: { id: { type: 'integer' }, text: { type: 'string' }, done: { type: 'boolean' } },
  })

  fastify.get('/', { schema: { response: { 200: { type: 'array', items: { $ref: 'todo#' } } } } }, async () =>
    fastify.todos.all(),
  )

  fastify.route({
    method: 'POST',
    url: '/',
    schema: {
      body: {
        type: 'object',
        required: ['text'],
        additionalProperties: false,
        properties: { text: { type: 'string', minLength: 1 } },
      },
      response: { 201: { $ref: 'todo#' } },
    },
    preHandler(request, _reply, done) {
      request.body.text = request.body.text.trim()
      done()
    },
    handler(request, reply) {
      reply.code(201).send(fastify.todos.add(request.body.text))
    },
  })

  fastify.patch(
    '/:id',
    {
      schema: {
        params: { type: 'object', properties: { id: { type: 'integer' } } },
        body: { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } },
        response: { '2xx': { $ref: 'todo#' } },
      },
    },
    async (request, reply) => {
      const todo = fastify.todos.get(request.params.id)
      if (todo === undefined) return reply.callNotFound()
      todo.done = request.body.done
      return todo
    },
  )

  fastify.setErrorHandler((error, request, reply) => {
    request.log.info(error)
    reply.status(error.statusCode ?? 500).send({ oops: error.message, where: error.validationContext })
  })
}
