import cloister from 'cloister'
import { defineLists } from '../lists.ts'
import type { Subject } from '../subject.ts'
import * as work from '../workload.ts'

/** Cloister with its defaults and no logger. */
export const subject: Subject = {
  async start() {
    const app = cloister({ logger: false })
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
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return Number(new URL(address).port)
  },
}
