import { tracingChannel } from 'node:diagnostics_channel'

import { isThenable } from '../functions.ts'
import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'
import type { RoutePlan } from './route-plan.ts'
import { settleResult } from './settle-result.ts'

// The name under which tracing tools of the ecosystem subscribe.
const channels = tracingChannel('fastify.request.handler')

/** Tells whether somebody subscribes to the handler's channels. */
export function isTraced(): boolean {
  return channels.start.hasSubscribers || channels.asyncEnd.hasSubscribers || channels.error.hasSubscribers
}

/** Calls the handler with the events `start`, `end`, `asyncStart`, `asyncEnd` and `error` around it. */
export function traceHandler(plan: RoutePlan, request: RequestImpl, reply: ReplyImpl): unknown {
  const { url, method } = plan.routeOptions
  const message: Record<string, unknown> = { request, reply, async: false, route: { url, method } }
  return channels.start.runStores(message, () => {
    try {
      const result = plan.handler(request, reply)
      if (!isThenable(result)) return settleResult(result, reply)
      message['async'] = true
      const watched = result.then(
        (value) => {
          channels.asyncStart.publish(message)
          return value
        },
        (error: unknown) => {
          message['error'] = error
          channels.error.publish(message)
          channels.asyncStart.publish(message)
          throw error
        },
      )
      const settled = settleResult(watched, reply)
      return isThenable(settled) ? settled.then(() => channels.asyncEnd.publish(message)) : settled
    } catch (error) {
      message['error'] = error
      channels.error.publish(message)
      throw error
    } finally {
      channels.end.publish(message)
    }
  })
}
