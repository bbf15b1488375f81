import { tracingChannel } from 'node:diagnostics_channel'
import type { TracingChannel } from 'node:diagnostics_channel'

import { isThenable } from '../functions.ts'
import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'
import type { RoutePlan } from './route-plan.ts'

/** The handler's channels, under the name by which tracing tools of the ecosystem subscribe. */
export const handlerChannels: TracingChannel<string, Record<string, unknown>> = tracingChannel(
  'fastify.request.handler',
)

/** Calls the handler with the events `start`, `end`, `asyncStart`, `asyncEnd` and `error` around it. */
export function traceHandler(
  plan: RoutePlan,
  request: RequestImpl,
  reply: ReplyImpl,
  settleResult: (result: unknown, reply: ReplyImpl) => unknown,
): unknown {
  const { url, method } = plan.routeOptions()
  const message: Record<string, unknown> = { request, reply, async: false, route: { url, method } }
  return handlerChannels.start.runStores(message, () => {
    try {
      const result = plan.handler(request, reply)
      if (!isThenable(result)) return settleResult(result, reply)
      message['async'] = true
      const watched = result.then(
        (value) => {
          handlerChannels.asyncStart.publish(message)
          return value
        },
        (error: unknown) => {
          message['error'] = error
          handlerChannels.error.publish(message)
          handlerChannels.asyncStart.publish(message)
          throw error
        },
      )
      const settled = settleResult(watched, reply)
      return isThenable(settled) ? settled.then(() => handlerChannels.asyncEnd.publish(message)) : settled
    } catch (error) {
      message['error'] = error
      handlerChannels.error.publish(message)
      throw error
    } finally {
      handlerChannels.end.publish(message)
    }
  })
}
