import type { Outcome } from '../exchange/exchange.ts'
import { kExchange, kPlan, kRequestTrace } from '../symbols.ts'
import { requestChannels } from '../tracing.ts'
import type { Trace } from '../tracing.ts'
import type { ReplyState, RequestState } from './state.ts'

/**
 * Runs the path of a request with the events of its tracing channel around it: `start` and `end` around the part that
 * runs at once, `error` for each error on the way, `asyncStart` and `asyncEnd` when the exchange is over. Stores that
 * are bound to `start` hold on the whole path.
 *
 * @param run - starts the path
 */
export function traceRequest(request: RequestState, reply: ReplyState, run: () => void): void {
  const { url, method } = reply[kPlan].routeOptions()
  const trace: Trace = { request, reply, route: url === undefined ? null : { url, method } }
  reply[kRequestTrace] = trace
  reply[kExchange].onFinished((outcome) => endTrace(trace, outcome))
  requestChannels.start.runStores(trace, () => {
    try {
      run()
    } finally {
      requestChannels.end.publish(trace)
    }
  })
}

/** Publishes an error that goes to the error handlers of a request. */
export function publishRequestError(trace: Trace, error: unknown): void {
  trace['error'] = error
  requestChannels.error.publish(trace)
}

/** @param outcome - why the response never will be complete; `null` when it is */
function endTrace(trace: Trace, outcome: Outcome): void {
  if (outcome !== null) publishRequestError(trace, outcome)
  requestChannels.asyncStart.publish(trace)
  requestChannels.asyncEnd.publish(trace)
}
