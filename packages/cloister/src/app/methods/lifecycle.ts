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
import { nodeEntryOf, type ServingLane } from '../../transport/transport.ts'
import { fetchHandler } from '../to-fetch.ts'
import type { ServerMembers } from '../../types/server.ts'
import { withCallSite, type Instance, type Members } from './members.ts'

type Then = (
  fulfilled?: ((instance: unknown) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => Promise<unknown>

/** The life of an app (loading, ready, listening, closed), and what the app shows of itself. */
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

  get transport(): ServingLane {
    return this[kApp].transport.lane
  },

  /** Takes a request of any server with Node's interface. */
  get routing() {
    return nodeEntryOf(this[kApp].transport, 'app.routing', 'the handler of the platform').handle
  },

  addresses(): readonly unknown[] {
    return this[kApp].transport.addresses
  },

  /** Types follow schemas by themselves; there is nothing to do at run time. */
  withTypeProvider(): Instance {
    return this
  },

  /** Awaiting an instance loads what was registered in it; an instance with nothing to load is no thenable. */
  get then(): Then | undefined {
    const { phase, queue } = this[kApp]
    if (phase !== 'loading' || !queue.isPending) return undefined
    return (fulfilled, rejected) => {
      const loaded = queue.load()
      // A promise of the instance would wait for it once more; who passes no function is given nothing.
      return isFunction(fulfilled)
        ? loaded.then(() => fulfilled(this), rejected)
        : loaded.then(null, rejected)
    }
  },

  /** Boots the app: loads the plugins, compiles the routes, runs the `onReady` hooks. */
  ready: withCallSite(ready),

  /** Boots the app and listens; resolves to the address, or to nothing when a signal has called it off. */
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

  /** Refuses new requests, waits for those in flight, then runs the `onClose` hooks in reverse order. */
  close(callback?: unknown): Promise<void> | undefined {
    const closing = this[kApp].close()
    if (!isFunction(callback)) return closing
    callBack(closing, (error) => callback(error))
    return undefined
  },

  [Symbol.asyncDispose](): Promise<void> {
    return this[kApp].close()
  },

  /** Sends a request without a socket; boots the app first. */
  inject(options: InjectOptions | string = {}, callback?: CallbackFunc): Chain | undefined {
    const app = this[kApp]
    const entry = nodeEntryOf(app.transport, 'app.inject', 'app.fetch')
    // To find where a call was made takes a microsecond, and a running app has no use for it.
    const isRunning = app.phase === 'ready'
    const callSite = isRunning ? null : new CallSite(lifecycleMembers.inject, app.queue.loadingPlugin)
    const boot = async (): Promise<void> => (callSite === null ? undefined : app.boot(callSite))
    return entry.injector.inject(options, callback, boot)
  },

  /** Answers a request of the web platform; works without the app, as in `Deno.serve(app.fetch)`. */
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

/** Hands the outcome of a promise to a callback; what the callback throws ends the process, as in any callback. */
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
 * Boots an app. In a plugin, `ready` waits in a queue that runs before the `onReady` hooks; on the app itself it waits
 * for the end of the boot.
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
  // Promises and callbacks settle in the order of asking.
  const booted = booting.then(() => self)
  if (callback === undefined) return booted
  callBack(booted, (error) => {
    if (error === null) callback.call(self, null, self)
    else callback.call(self, error)
  })
  return undefined
}
