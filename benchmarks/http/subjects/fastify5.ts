import fastify from 'fastify5'
import { partsOf } from '../app-kinds.ts'
import { certificate } from '../certificate.ts'
import { defineLists } from '../lists.ts'
import { addParts, defineProductionRoutes } from '../production-app.ts'
import type { Subject } from '../subject.ts'
import { nullStream } from '../tally.ts'
import * as work from '../workload.ts'

/** Fastify 5 with its defaults, and the parts that are asked for. */
export const subject: Subject = {
  async start(kind, tally) {
    const parts = partsOf(kind)
    const logger = parts.logger ? { stream: nullStream(tally) } : false
    // Over TLS it has another type, whose members are the same.
    const secure: object = parts.tls ? { https: certificate } : {}
    const app = fastify({ logger, ...secure })
    await addParts(app, parts, tally)
    app.get<{ Params: { id: number } }>(
      '/users/:id',
      { schema: { params: work.userParams, response: { 200: work.userResponse } } },
      (request, reply) => {
        reply.send(work.findUser(request.params.id))
      },
    )
    app.post<{ Body: work.Order }>(
      '/orders',
      { schema: { body: work.orderBody, response: { 201: work.orderResponse } } },
      (request, reply) => {
        reply.code(201).send(work.acceptOrder(request.body))
      },
    )
    app.get('/hello', (_request, reply) => {
      reply.send(work.sayHello())
    })
    defineLists(app)
    defineProductionRoutes(app)
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return Number(new URL(address).port)
  },
}
