import { performance } from 'node:perf_hooks'

import { wrapThrown } from '../errors.ts'
import { reportLogFailure } from '../logging/request-log.ts'
import { kEndTime, kExchange, kPhase, kPlan } from '../symbols.ts'
import type { ReplyImpl } from './reply.ts'
import { HIJACKED } from './reply-phase.ts'
import type { RequestImpl } from './request.ts'
import type { RoutePlan } from './route-plan.ts'
import { runHooksAside } from './hooks-aside.ts'
import type { HooksSettled } from './hooks-aside.ts'

/** What happens beside the path: log lines and the hooks `onResponse`, `onRequestAbort` and `onTimeout`. */
export function watch(plan: RoutePlan, request: RequestImpl, reply: ReplyImpl): void {
  const exchange = request[kExchange]
  const { hooks, app } = plan
  if (app.logsRequests) app.logController.incomingRequest(request, reply)
  if (app.logsRequests || hooks.onResponse.length > 0) {
    exchange.onFinished((error: NodeJS.ErrnoException | null) => {
      reply[kEndTime] = performance.now()
      // A client that went away got no response: that is what `onRequestAbort` is for.
      if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') {
        if (!isHandedOver(reply)) complete(reply, error)
      } else runOnResponse(plan, request, reply, error)
    })
  }
  if (hooks.onRequestAbort.length > 0) {
    exchange.onAbort(() =>
      runHooksAside(hooks.onRequestAbort, request, reply, logFailure('onRequestAbort', reply)),
    )
  }
  if (hooks.onTimeout.length > 0) {
    exchange.onTimeout(() => runHooksAside(hooks.onTimeout, request, reply, logFailure('onTimeout', reply)))
  }
}

/** The connection speaks another protocol now (a WebSocket): its end is not the end of an answer. */
function isHandedOver(reply: ReplyImpl): boolean {
  return reply[kPhase] === HIJACKED && reply[kExchange].header('upgrade') !== undefined
}

/** The last line waits for the `onResponse` hooks; the error of one of them ends the request like one of its own. */
function runOnResponse(plan: RoutePlan, request: RequestImpl, reply: ReplyImpl, error: Error | null): void {
  const { hooks, app } = plan
  if (hooks.onResponse.length === 0) {
    complete(reply, error)
    return
  }
  runHooksAside(hooks.onResponse, request, reply, (failure) => {
    if (failure === null) complete(reply, error)
    else if (app.logsRequests && !app.logController.isLogDisabled(request)) {
      complete(reply, wrapThrown(failure.thrown))
    } else logFailure('onResponse', reply)(failure)
  })
}

function complete(reply: ReplyImpl, error: Error | null): void {
  const { app } = reply[kPlan]
  if (!app.logsRequests) return
  try {
    app.logController.requestCompleted(error, reply.request, reply)
  } catch (failure) {
    reportLogFailure(app, failure)
  }
}

function logFailure(name: string, reply: ReplyImpl): HooksSettled {
  return (failure) => {
    if (failure !== null) reply.log.error({ err: failure.thrown }, `${name} hook failed`)
  }
}
