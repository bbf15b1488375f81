import type { CallbackFunc, Chain, InjectOptions } from 'light-my-request'

import { argumentsOfAfter } from '../../boot/plugins/load-node.ts'
import { INTERFACE_LEVELS } from '../../boot/plugins/plugin.ts'
import { explain } from '../../inspect/explain.ts'
import { printPlugins } from '../../inspect/print.ts'
import { CallSite } from '../../call-site.ts'
import { createError } from '../../errors.ts'
import { isFunction, typeName, type AnyFunction, type Dictionary } from '../../guards.ts'
import { callWithDone, declaresDone } from '../../hooks/adapt.ts'
import type { HookEntry } from '../../hooks/hook-entry.ts'
import type { Logger } from '../../logging/logger.ts'
import { nextTurn, setImmediate } from '../../platform.ts'
import { isError, messageOf } from '../../read-error.ts'
import { kApp } from '../../symbols.ts'
import { readPlatform } from '../../transport/fetch/fetch-context.ts'
import { assertSignal } from '../../transport/listen-options.ts'
import { nodeEntryOf } from '../../transport/transport.ts'
import { OWN_VERSION, type CloisterApp } from '../cloister-app.ts'
import { prefixCode } from '../../error-prefix.ts'
import { fetchHandler } from '../to-fetch.ts'
import type { AppTransport, OwnServerMembers, ServerMembers } from '../../types/server.ts'
import { withCall, type Call, type Instance, type Members } from './members.ts'

type Then = (
  fulfilled?: ((instance: unknown) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => Promise<unknown>

export const lifecycleMembers: Members<
  | keyof ServerMembers
  | keyof OwnServerMembers
  | 'log'
  | 'version'
  | 'cloisterVersion'
  | 'initialConfig'
  | 'server'
  | 'withTypeProvider'
  | 'then'
  | 'ready'
  | 'printPlugins'
  | 'explain'
> = {
  get log(): Logger {
    return this[kApp].logger
  },

  get version(): string {
    return INTERFACE_LEVELS[0] ?? ''
  },

  get cloisterVersion(): string {
    return OWN_VERSION
  },

  get initialConfig(): Dictionary {
    return this[kApp].initialConfig
  },

  get server(): unknown {
    return nodeEntryOf(this[kApp].transport, 'app.server', 'the server of the platform').server
  },

  get listeningOrigin(): string {
    return this[kApp].transport.origin
  },

  get transport(): AppTransport {
    return this[kApp].transport.lane
  },

  /** The request listener for any server with Node's interface. */
  get routing() {
    return nodeEntryOf(this[kApp].transport, 'app.routing', 'the handler of the platform').handle
  },

  addresses(): readonly unknown[] {
    return this[kApp].transport.addresses
  },

  /** Types follow schemas without a type provider, so there is nothing to do at run time. */
  withTypeProvider(): Instance {
    return this
  },

  /** `await app` loads the registered plugins. An instance with nothing to load has no `then`. */
  get then(): Then | undefined {
    const { phase, queue } = this[kApp]
    if (phase !== 'loading' || !queue.isPending) return undefined
    // Resolving with the instance would call its `then` again. Without a function there is nothing to pass it to.
    return (fulfilled, rejected) =>
      queue.load().then(isFunction(fulfilled) ? () => fulfilled(this) : null, rejected)
  },

  ready: withCall(ready),

  listen: withCall(({ app, callSite }, ...args: unknown[]) => {
    const callback = args.at(-1)
    const hasCallback = isFunction(callback)
    const given = hasCallback ? args.slice(0, -1) : args
    assertSignal(given[0])
    const listening = app.listen(given, callSite)
    if (!hasCallback) return listening
    callBack(app, listening, (error, address) => {
      if (error !== null || address !== undefined) callback(error, address)
    })
    return undefined
  }),

  close(callback?: unknown): Promise<void> | undefined {
    const app = this[kApp]
    const closing = app.closeOnce()
    if (!isFunction(callback)) return closing
    callBack(app, closing, (error) => callback(error))
    return undefined
  },

  [Symbol.asyncDispose](): Promise<void> {
    return this[kApp].closeOnce()
  },

  inject(options: InjectOptions | string = {}, callback?: CallbackFunc): Chain | undefined {
    const app = this[kApp]
    const entry = nodeEntryOf(app.transport, 'app.inject', 'app.fetch')
    // Taking a call site costs a microsecond, and a running app doesn't need it.
    const isRunning = app.phase === 'ready'
    const callSite = isRunning ? null : new CallSite(lifecycleMembers.inject, app.queue.loadingPlugin)
    const boot = async (): Promise<void> => (callSite === null ? undefined : app.boot(callSite))
    return entry.injector.inject(options, callback, boot)
  },

  /** Handles a request of the web platform. It also works detached from the app, as in `Deno.serve(app.fetch)`. */
  get fetch() {
    return fetchHandler(this[kApp], readPlatform)
  },

  printPlugins(): string {
    return printPlugins(this[kApp].queue.root)
  },

  explain(...query: readonly unknown[]): ReturnType<typeof explain> {
    return explain(this[kApp], query)
  },
}

/**
 * Passes the outcome of a promise to a callback; an error's code gets the prefix of the app. An error thrown by the
 * callback is uncaught, as in any callback.
 */
function callBack(
  { options }: Pick<CloisterApp, 'options'>,
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
    (thrown: unknown) => {
      const error = isError(thrown) ? thrown : new Error(messageOf(thrown), { cause: thrown })
      call(prefixCode(error, options), null)
    },
  )
}

/**
 * Boots an app. Called in a plugin, `ready` waits in a queue that runs before the `onReady` hooks; called on the app
 * itself, it waits for the end of the boot.
 *
 * @throws `CLO_ERR_PLUGIN_CALLBACK_NOT_FN`
 */
function ready(call: Call, callback?: unknown): Promise<unknown> | undefined {
  const { instance: self, app, context, callSite } = call
  const booting = app.boot(callSite)
  if (callback !== undefined && !isFunction(callback)) {
    throw createError('PLUGIN_CALLBACK_NOT_FN', { method: 'ready', type: typeName(callback) })
  }
  if (callback === undefined && app.phase === 'loading') app.queue.noteReady(callSite)
  if (context === app.root || app.phase !== 'loading') {
    // Promises and callbacks settle in the order of the calls.
    const booted = booting.then(() => self)
    if (callback === undefined) return booted
    callBack(app, booted, (error) => callback.apply(self, error === null ? [null, self] : [error]))
    return undefined
  }
  if (callback !== undefined) {
    app.readyCallbacks.push(readyCallback(callback, call))
    return undefined
  }
  return new Promise((resolve, reject) => {
    const settle = (error: unknown): unknown => {
      if (error === null) resolve(self)
      else reject(error)
      // Lets the caller that awaits the promise continue before the next callback runs.
      return error === null ? nextTurn() : undefined
    }
    app.readyCallbacks.push(readyCallback(settle, call))
  })
}

/**
 * Creates the entry of a `ready` callback of a plugin. It runs after all plugins have loaded and before the `onReady`
 * hooks; if the boot fails, it gets the error. Callbacks of the app itself run after those hooks.
 *
 * @param fn - has the parameters `()`, `(error)`, `(error, done)` or `(error, instance, done)`
 */
function readyCallback(fn: AnyFunction, { context, callSite }: Call): HookEntry {
  const describe = (): string => `the callback of ready, given at ${callSite.toString()},`
  const { instance } = context
  return {
    name: 'onReady',
    callSite,
    owner: context,
    source: 'context',
    guard: null,
    fn: (error: unknown = null): unknown => {
      const args = argumentsOfAfter(fn, error, context)
      return declaresDone(fn, args.length)
        ? callWithDone(fn, instance, args, describe)
        : fn.call(instance, error)
    },
  }
}
