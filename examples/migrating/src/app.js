import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import Fastify from 'cloister' // was: import Fastify from 'fastify'

import todos from './plugins/todos.js'
import visits from './plugins/visits.js'
import routes from './routes/todos.js'

export function build(options = {}) {
  const app = Fastify(options)

  app.register(cookie)
  app.register(formbody)
  app.register(visits)
  app.register(todos)
  app.register(routes, { prefix: '/todos' })

  app.setNotFoundHandler((request, reply) => {
    reply.code(404).send({ message: `${request.method} ${request.url} is not here` })
  })
  return app
}
