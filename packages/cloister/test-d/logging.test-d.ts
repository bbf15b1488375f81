/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { cloister, LogController } from 'cloister'
import type { BaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'cloister'

import { is, it } from './support.ts'

it('types a log controller of the application', () => {
  class Own extends LogController {
    override isLogDisabled(request: FastifyRequest): boolean {
      return request.url === '/health' || super.isLogDisabled(request)
    }
    override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
      request.log.debug({ req: request, status: reply.statusCode }, 'came')
      super.incomingRequest(request, reply, { more: 1 })
    }
    override serializerError(
      error: Error,
      _request: FastifyRequest,
      reply: FastifyReply,
      metadata: { statusCode: number },
    ): void {
      reply.log.error({ err: error, status: metadata.statusCode })
    }
    override serviceUnavailable(logger: BaseLogger, server: FastifyInstance): void {
      logger.info(server.prefix)
    }
  }
  const logController = new Own({ requestIdLogLabel: 'trace', disableRequestLogging: true })
  is<string>()(logController.requestIdLogLabel)
  return cloister({ logger: true, logController })
})

it('knows the request in the function of a log controller', () => {
  return new LogController({ disableRequestLogging: (request) => request.headers.host === 'probe' })
})

it('takes nothing else as a log controller', () => {
  // @ts-expect-error -- not an instance of LogController
  return cloister({ logController: { incomingRequest() {} } })
})
