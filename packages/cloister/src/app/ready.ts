import { createError } from '../errors.ts'
import { isFunction, typeName } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { kApp, kContext } from '../symbols.ts'
import type { Instance } from './methods/members.ts'
import { isError, messageOf } from '../read-error.ts'
import { setImmediate } from '../platform.ts'

/** Hands the outcome of a promise to a callback; what the callback throws ends the process, as in any callback. */
export function callBack(
  outcome: Promise<unknown>,
  callback: (error: Error | null, value?: unknown) => void,
): void {
  const call = (error: Error | null, value: unknown): void => {
    try {
      callback(error, value)
    } catch (thrown) {
      setImmediate(() => {
        throw thrown
      })
    }
  }
  outcome.then(
    (value) => call(null, value),
    (error: unknown) => call(isError(error) ? error : new Error(messageOf(error), { cause: error }), null),
  )
}

/**
 * Boots an app. In a plugin, `ready` waits in a queue that runs before the `onReady` hooks; on the app itself it waits
 * for the end of the boot.
 *
 * @throws `CLO_ERR_PLUGIN_CALLBACK_NOT_FN`
 */
export function ready(self: Instance, callSite: CallSite, callback?: unknown): Promise<unknown> | undefined {
  const app = self[kApp]
  const context = self[kContext]
  const booting = app.boot(callSite)
  if (callback !== undefined && !isFunction(callback)) {
    throw createError('PLUGIN_CALLBACK_NOT_FN', { method: 'ready', type: typeName(callback) })
  }
  if (callback === undefined && app.phase === 'loading') app.queue.noteReady(callSite)
  if (context !== app.root && app.phase === 'loading') {
    if (callback === undefined) return app.readyCallbacks.promise(context, callSite).then(() => self)
    app.readyCallbacks.add(callback, context, callSite)
    return undefined
  }
  // Promises and callbacks settle in the order of asking.
  const booted = booting.then(() => self)
  if (callback === undefined) return booted
  callBack(booted, (error) => {
    if (error === null) callback.call(self, null, self)
    else callback.call(self, error)
  })
  return undefined
}
