import { prefixCode } from '../../error-prefix.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { kStartTime } from '../../symbols.ts'
import type { DispatchServices } from '../services.ts'
import { settleResult } from '../stages/call-handler.ts'
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
  if (plan.watched) watch(plan, request, reply)
  const { frameworkErrors } = app.options
  if (frameworkErrors === null) {
    plan.fail(reply, error)
    return
  }
  try {
    prefixCode(error, app.options.errorCodePrefix)
    void settleResult(frameworkErrors(error, request, reply), reply)
  } catch (thrown) {
    plan.fail(reply, thrown)
  }
}

/** Returns the raw query string of a request target. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}
