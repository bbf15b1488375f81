import cloister from 'cloister'
import { partsOf } from '../app-kinds.ts'
import type { AppKind } from '../app-kinds.ts'
import { certificate } from '../certificate.ts'
import { defineLists } from '../lists.ts'
import { addParts, defineProductionRoutes } from '../production-app.ts'
import type { Subject } from '../subject.ts'
import { nullStream } from '../tally.ts'
import type { Tally } from '../tally.ts'
import * as work from '../workload.ts'

/** Cloister with its defaults, and the parts that are asked for. */
export const subject: Subject = createSubject({ transport: 'node' })

/** Options that make a subject of its own. */
export interface SubjectOptions {
  readonly transport: 'auto' | 'node'
  readonly strict?: boolean
  readonly integers?: 'exact'
  readonly bodyText?: 'utf-8'
  readonly duplicateNames?: 'refuse'
}

/** @param options - those of the app */
export function createSubject(options: SubjectOptions): Subject {
  return { start: (kind, tally) => start(options, kind, tally) }
}

async function start(options: SubjectOptions, kind: AppKind, tally: Tally): Promise<number> {
  const parts = partsOf(kind)
  const logger = parts.logger ? { stream: nullStream(tally) } : false
  const app = cloister({ ...options, logger, ...(parts.tls ? { https: certificate } : {}) })
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
}
