import fp from 'fastify-plugin'

// A request decorator that a hook fills from a cookie.
async function visits(fastify) {
  fastify.decorateRequest('visits', 0)

  fastify.addHook('onRequest', async (request, reply) => {
    request.visits = Number(request.cookies.visits ?? 0) + 1
    reply.setCookie('visits', String(request.visits), { path: '/', httpOnly: true })
  })
  fastify.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-visits', request.visits)
    return payload
  })
}

export default fp(visits, { name: 'visits', dependencies: ['@fastify/cookie'], fastify: '>=4' })
