import { prefixCode } from '../../error-prefix.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { kPlan, kStartTime } from '../../symbols.ts'
import type { DispatchServices } from '../services.ts'
import { settleResult } from '../stages/call-handler.ts'
import type { ReplyState } from '../state.ts'
import { requestChannels } from '../../tracing.ts'
import { traceRequest } from '../trace-request.ts'
import { watch } from '../watch.ts'

/**
 * Responds to a request that reached no route: a malformed path, a parameter that is too long, a constraint that
 * failed. No hook and no handler of a context runs; `frameworkErrors` may respond instead.
 */
export function sendFrameworkError(app: DispatchServices, exchange: Exchange, error: unknown): void {
  const plan = app.frameworkPlan
  const request = new plan.Request(exchange, plan, {}, queryOf(exchange.target), ++app.sequence)
  const reply = new plan.Reply(exchange, plan, request)
  reply[kStartTime] = performance.now()
  if (requestChannels.hasSubscribers) traceRequest(request, reply, () => respond(app, reply, error))
  else respond(app, reply, error)
}

function respond(app: DispatchServices, reply: ReplyState, error: unknown): void {
  const plan = reply[kPlan]
  if (plan.watched) watch(plan, reply.request, reply)
  const { errorCodePrefix, frameworkErrors } = app.options
  if (frameworkErrors === null) {
    plan.fail(reply, error)
    return
  }
  try {
    prefixCode(error, errorCodePrefix)
    void settleResult(frameworkErrors(error, reply.request, reply), reply)
  } catch (thrown) {
    plan.fail(reply, thrown)
  }
}

/** Returns the raw query string of a request target. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}
