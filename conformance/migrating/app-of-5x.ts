// An app as people write them for the 5.x line: promises, full schemas, router options in their own object.
import type { App } from '../harness/app-shape.ts'
import { wrap } from '../harness/subject.ts'

const clock = wrap(
  async (app: App) => {
    app.decorateRequest('startedBy', null)
    app.addHook('onRequest', async (request) => {
      request['startedBy'] = request.headers['x-user'] ?? 'nobody'
    })
  },
  { name: 'clock', fastify: '5.x' },
)

/** Builds the app with the factory that is given, the one thing that changes. */
export function buildAppOf5x(factory: (options?: Record<string, unknown>) => App): App {
  const app = factory({ requestIdHeader: false, routerOptions: { useSemicolonDelimiter: false } })
  app.register(clock)
  app.register(async (jobs) => {
    jobs.post('/jobs', {
      schema: {
        body: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1 }, tries: { type: 'integer', default: 3 } },
        },
        response: {
          201: {
            type: 'object',
            properties: { name: { type: 'string' }, tries: { type: 'integer' }, by: { type: 'string' } },
          },
        },
      },
      handler: async (request, reply) => {
        reply.code(201)
        return { ...Object(request.body), by: request['startedBy'], secret: 1 }
      },
    })
    jobs.get('/jobs/:id', async (request, reply) => {
      const { url, method } = request.routeOptions
      if (request.params['id'] === '0') return reply.callNotFound()
      return { url, method, id: request.id }
    })
  })
  app.setNotFoundHandler(async (request, reply) => {
    reply.code(404)
    return { missing: request.url }
  })
  return app
}
