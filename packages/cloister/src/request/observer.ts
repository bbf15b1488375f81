import type { Outcome } from '../exchange/ends.ts'
import { logSafely } from '../logging/request-log.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import type { RequestObserver, StartObserver } from '../types/observers.ts'
import { isHandedOver, type ReplyState } from './state.ts'

/**
 * Runs the path of a request within its observer. A failing observer is logged, and the request goes on without it.
 *
 * @param path - starts the path
 */
export function observePath(reply: ReplyState, start: StartObserver, path: () => void): void {
  const { request, [kExchange]: exchange } = reply
  try {
    request[kState].observer = start(request, reply, exchange)
    exchange.onFinished((outcome) => end(reply, outcome))
  } catch (err) {
    reportFailure(reply, err)
  }
  observePart(reply, path)
}

/** The end of a WebSocket is no failure, however its connection ends. */
function end(reply: ReplyState, outcome: Outcome): void {
  const isSocket = outcome !== null && isHandedOver(reply)
  const hasResponse = outcome === null || reply[kExchange].turn.hasBegun
  const status = isSocket ? 101 : hasResponse ? reply.statusCode : null
  tell(reply, (one) => one.ended(isSocket ? null : outcome, status))
}

/** @param inContent - the error ends the content of a response that has begun */
export function observeError(reply: ReplyState, error: unknown, inContent: boolean): void {
  if (reply.request[kState].observer !== null) tell(reply, (one) => one.failed(error, inContent))
}

/** Runs a part of a request within its observer: once, whatever the observer does. */
export function observePart(reply: ReplyState, run: () => void): void {
  const { observer } = reply.request[kState]
  if (observer === null) {
    run()
    return
  }
  let hasBegun = false
  const begin = (): void => {
    if (hasBegun) return
    hasBegun = true
    run()
  }
  try {
    observer.within(begin)
  } catch (err) {
    if (hasBegun) throw err
    reportFailure(reply, err)
  }
  begin()
}

function tell(reply: ReplyState, call: (observer: RequestObserver) => void): void {
  const { observer } = reply.request[kState]
  if (observer === null) return
  try {
    call(observer)
  } catch (err) {
    reportFailure(reply, err)
  }
}

function reportFailure(reply: ReplyState, err: unknown): void {
  const { app } = reply[kPlan]
  logSafely(app, () => app.logger.error({ err }, 'the observer of a request failed'))
}
