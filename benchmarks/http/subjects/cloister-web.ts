import { otel } from '@cloister/otel'
import { web } from '@cloister/web'
import cloister from 'cloister'
import { addHooks } from '../production-app.ts'
import { countSpans } from '../spans.ts'
import type { Subject } from '../subject.ts'
import { nullStream } from '../tally.ts'
import * as work from '../workload.ts'

const cookies = {
  type: 'object',
  properties: { session: { type: 'string' }, theme: { type: 'string' } },
} as const

/** The real service on Cloister, with its own parts in the place of plugins of Fastify. */
export const subject: Subject = {
  async start(_kind, tally) {
    countSpans(tally)
    const app = cloister({ logger: { stream: nullStream(tally) } })
    await app.register(otel)
    await app.register(web, {
      origins: ['https://example.org'],
      headers: 'helmet',
      cors: { credentials: true },
      limit: { max: 1_000_000_000, per: '1m' },
      conditional: false,
      csrf: false,
    })
    addHooks(app, tally)
    app.get(
      '/users/:id',
      { schema: { cookies, params: work.userParams, response: { 200: work.userResponse } } },
      (request, reply) => {
        reply.send(work.findUser(request.params.id))
      },
    )
    app.post(
      '/orders',
      { schema: { cookies, body: work.orderBody, response: { 201: work.orderResponse } } },
      (request, reply) => {
        reply.code(201).send(work.acceptOrder({ note: '', tags: [], ...request.body }))
      },
    )
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return Number(new URL(address).port)
  },
}
