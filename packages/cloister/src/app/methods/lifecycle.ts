import type { CallbackFunc, Chain, InjectOptions } from 'light-my-request'

import { INTERFACE_LEVELS } from '../../boot/plugins/read-plugin.ts'
import { describeApp } from '../../inspect/describe-app.ts'
import { explain } from '../../inspect/explain-route.ts'
import { printPlugins } from '../../inspect/print.ts'
import { CallSite } from '../../call-site.ts'
import { createError } from '../../errors.ts'
import { isFunction, typeName } from '../../guards.ts'
import type { Logger } from '../../logging/logger.ts'
import { setImmediate } from '../../platform.ts'
import { isError, messageOf } from '../../read-error.ts'
import { kApp, kContext } from '../../symbols.ts'
import { readPlatform } from '../../transport/fetch/fetch-context.ts'
import { assertSignal, readListenTarget } from '../../transport/listen-options.ts'
import { nodeEntryOf } from '../../transport/transport.ts'
import { fetchHandler } from '../to-fetch.ts'
import type { AppTransport, ServerMembers } from '../../types/server.ts'
import { withCallSite, type Instance, type Members } from './members.ts'

type Then = (
  fulfilled?: ((instance: unknown) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => Promise<unknown>

export const lifecycleMembers: Members<
  | keyof ServerMembers
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
    return this[kApp].ownVersion
  },

  get initialConfig(): Readonly<Record<string, unknown>> {
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
    return (fulfilled, rejected) => {
      const loaded = queue.load()
      // Resolving with the instance would call its `then` again. Without a function there is nothing to pass it to.
      return isFunction(fulfilled)
        ? loaded.then(() => fulfilled(this), rejected)
        : loaded.then(null, rejected)
    }
  },

  ready: withCallSite(ready),

  listen: withCallSite((instance, callSite, ...args: unknown[]) => {
    const callback = args.at(-1)
    const hasCallback = isFunction(callback)
    const given = hasCallback ? args.slice(0, -1) : args
    assertSignal(given[0])
    const listen = async (): Promise<string | undefined> =>
      instance[kApp].listen(readListenTarget(given), callSite)
    const listening = listen()
    if (!hasCallback) return listening
    callBack(listening, (error, address) => {
      if (error !== null || address !== undefined) callback(error, address)
    })
    return undefined
  }),

  close(callback?: unknown): Promise<void> | undefined {
    const closing = this[kApp].close()
    if (!isFunction(callback)) return closing
    callBack(closing, (error) => callback(error))
    return undefined
  },

  [Symbol.asyncDispose](): Promise<void> {
    return this[kApp].close()
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
    return printPlugins(describeApp(this[kApp]).plugins)
  },

  explain(...query: readonly unknown[]): ReturnType<typeof explain> {
    return explain(this[kApp], query)
  },
}

/** Passes the outcome of a promise to a callback. An error thrown by the callback is uncaught, as in any callback. */
function callBack(outcome: Promise<unknown>, callback: (error: Error | null, value?: unknown) => void): void {
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
 * Boots an app. Called in a plugin, `ready` waits in a queue that runs before the `onReady` hooks; called on the app
 * itself, it waits for the end of the boot.
 *
 * @throws `CLO_ERR_PLUGIN_CALLBACK_NOT_FN`
 */
function ready(self: Instance, callSite: CallSite, callback?: unknown): Promise<unknown> | undefined {
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
  // Promises and callbacks settle in the order of the calls.
  const booted = booting.then(() => self)
  if (callback === undefined) return booted
  callBack(booted, (error) => {
    if (error === null) callback.call(self, null, self)
    else callback.call(self, error)
  })
  return undefined
}
