// What projects export without an annotation: the declarations of a user's project name our types. `declaration` is on,
// so the compiler reports a type that no entry exports (TS2742, TS4023).
import { cloister, definePlugin } from 'cloister'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'cloister'
import type { RawServerDefault } from 'cloister/types'
import fp from '@cloister/plugin'

export default fp(async (app: FastifyInstance) => {
  app.decorate('clock', () => Date.now())
})
export const shared = fp(async (app: FastifyInstance<RawServerDefault>, options: { deep: boolean }) => {
  app.log.info(options)
})
export const clock = definePlugin<{ provides: { app: { now: () => number } } }>({
  name: 'clock',
  plugin: (app) => app.decorate('now', () => Date.now()),
})

export const app = cloister()
export const secure = cloister({ http2: true, https: {} })
export const chained = cloister()
  .decorate('db', { find: (id: string) => ({ id }) })
  .decorateRequest('user', '')
  .addSchema({ $id: 'user', type: 'object', properties: { name: { type: 'string' } } })
  .register(clock)
export const build = () => chained.get('/', (request) => ({ user: request.user }))
export const loading = app.register(async (api) => void api.get('/', () => 'hello'))
export const booted = async () => app.ready()

export const { addHook, inject, listen, get, register, fetch, explain, addContentTypeParser } = app
export const settings = [
  app.setErrorHandler,
  app.setValidatorCompiler,
  app.initialConfig,
  app.printRoutes,
] as const
export const facts = () => [app.explain(), app.explain('GET', '/'), app.transport, app.addresses()] as const
export const found = () => app.findRoute({ method: 'GET', url: '/' })

export const read = (request: FastifyRequest) =>
  [request.headers, request.routeOptions, request.validationError] as const
export const created = (reply: FastifyReply) => reply.code(201)
export const sent = (reply: FastifyReply) => reply.send({ ok: true })
export const typed = (reply: FastifyReply) => reply.type('text/plain')
export const validators = (request: FastifyRequest) => request.getValidationFunction('body')

export function routes() {
  return cloister().post(
    '/users',
    {
      schema: {
        body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        response: { 201: { content: { 'application/json': { schema: { type: 'string' } } } } },
      },
      preHandler: async (request) => void request.body.name,
    },
    (request, reply) => reply.code(201).type('application/json').send(request.body.name),
  )
}
export class Users {
  readonly app = cloister({ strict: true })
  create = (request: FastifyRequest<{ Body: { name: string } }>, reply: FastifyReply) =>
    reply.code(201).send(request.body)
}
