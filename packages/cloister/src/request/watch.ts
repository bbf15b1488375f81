import { isPrematureClose, type Outcome } from '../exchange/exchange.ts'
import { wrapThrown } from '../read-error.ts'
import { isLate, isThenable, whenSettled } from '../guards.ts'
import { logSafely, reportLogFailure } from '../logging/request-log.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import { HIJACKED, type ReplyState, type RequestState } from './state.ts'
import type { RoutePlan } from './route-plan.ts'
import { writeLine } from './write-line.ts'
import { callHookWithDone, type RequestHook } from '../hooks/request-hook.ts'

/** The events outside of the path: log lines and the hooks `onResponse`, `onRequestAbort` and `onTimeout`. */
export function watch(plan: RoutePlan, request: RequestState, reply: ReplyState): void {
  const { hooks, app } = plan
  if (app.logsRequests) logIncoming(app, request, reply)
  // Each is a separate function, so that a request only pays for those it needs.
  if (app.logsRequests || hooks.onResponse.length > 0) watchEnd(plan, reply)
  if (hooks.onRequestAbort.length > 0) watchAbort(plan, reply)
  if (hooks.onTimeout.length > 0) watchTimeout(plan, reply)
}

function logIncoming(app: RoutePlan['app'], request: RequestState, reply: ReplyState): void {
  logSafely(app, () => app.logController.incomingRequest(request, reply))
}

function watchEnd(plan: RoutePlan, reply: ReplyState): void {
  reply[kExchange].onFinished((error) => finish(plan, reply, error))
}

function watchAbort({ hooks: { onRequestAbort } }: RoutePlan, reply: ReplyState): void {
  reply[kExchange].onAbort(() => runHooksAside(onRequestAbort, reply, logFailure, 'onRequestAbort'))
}

function watchTimeout({ hooks: { onTimeout } }: RoutePlan, reply: ReplyState): void {
  reply[kExchange].onTimeout(() => runHooksAside(onTimeout, reply, logFailure, 'onTimeout'))
}

/** The last log line waits for the `onResponse` hooks, which don't run if the client disconnected. */
function finish(plan: RoutePlan, reply: ReplyState, error: Outcome): void {
  reply[kState].endTime = performance.now()
  const { onResponse } = plan.hooks
  if (isPrematureClose(error)) {
    if (!isHandedOver(reply)) complete(reply, error)
  } else if (onResponse.length === 0) complete(reply, error)
  else runHooksAside(onResponse, reply, completeAfterHooks, error)
}

/** The connection has switched protocols (a WebSocket), so its end is not the end of a response. */
function isHandedOver(reply: ReplyState): boolean {
  return reply[kState].phase === HIJACKED && reply[kExchange].header('upgrade') !== undefined
}

/** Logs the error of an `onResponse` hook like one of the request itself. */
function completeAfterHooks(reply: ReplyState, failure: HookFailure | null, error: Error | null): void {
  const { app } = reply[kPlan]
  if (failure === null) complete(reply, error)
  else if (app.logsRequests && isLogged(app, reply)) complete(reply, wrapThrown(failure.thrown))
  else logFailure(reply, failure, 'onResponse')
}

/** If the application's check of whether a line is wanted fails, the line is written. */
function isLogged(app: RoutePlan['app'], reply: ReplyState): boolean {
  try {
    const isDisabled = app.logController.isLogDisabled(reply.request)
    return isLate(isDisabled) || !isDisabled
  } catch (failure) {
    reportLogFailure(app, failure)
    return true
  }
}

function complete(reply: ReplyState, error: Error | null): void {
  const { app } = reply[kPlan]
  if (!app.logsRequests) return
  logSafely(app, () => app.logController.requestCompleted(error, reply.request, reply))
}

function logFailure(reply: ReplyState, failure: HookFailure | null, name: string): void {
  if (failure !== null) writeLine(reply, 'error', { err: failure.thrown }, `${name} hook failed`)
}

/** A value that a hook has thrown. */
export interface HookFailure {
  readonly thrown: unknown
}

/** Called after the last hook, with the error that a hook has thrown, and the note of the caller. */
export type HooksSettled<Note> = (reply: ReplyState, failure: HookFailure | null, note: Note) => void

/**
 * Runs hooks outside of the path (`onResponse`, `onTimeout`, `onRequestAbort`, `onError`), up to one that fails.
 *
 * @param value - the third argument of hooks that have one
 */
export function runHooksAside<Note>(
  hooks: readonly RequestHook[],
  reply: ReplyState,
  settled: HooksSettled<Note>,
  note: Note,
  value?: unknown,
): void {
  const { request } = reply
  let index = 0
  const hookFailed = (thrown: unknown): void => settled(reply, { thrown }, note)
  /** Calls the remaining hooks, up to one that must be awaited. */
  const hookSettled = (): void => {
    while (index < hooks.length) {
      const hook = hooks[index++]
      if (hook === undefined) break
      if (hook.takesDone) {
        callHookWithDone(hook, request, reply, value, { hookSettled, hookFailed })
        return
      }
      let result: unknown
      try {
        result = callAside(hook, request, reply, value)
      } catch (thrown) {
        hookFailed(thrown)
        return
      }
      if (isThenable(result)) {
        whenSettled(result, hookSettled, hookFailed)
        return
      }
    }
    settled(reply, null, note)
  }
  hookSettled()
}

function callAside(hook: RequestHook, request: unknown, reply: unknown, value: unknown): unknown {
  if (hook.args === 1) return hook.call(request)
  return hook.args === 2 ? hook.call(request, reply) : hook.call(request, reply, value)
}
