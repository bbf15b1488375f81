import type { InjectOptions } from 'light-my-request'

import { INTERFACE_LEVELS } from '../boot/plugins/read-plugin.ts'
import { printPlugins } from '../boot/plugins/print-plugins.ts'
import { assertOpen } from '../boot/seal.ts'
import { createError, isError } from '../errors.ts'
import { isFunction, makeAssignable, typeName } from '../functions.ts'
import type { Logger } from '../logging/logger.ts'
import { Place } from '../place.ts'
import { kApp, kContext } from '../symbols.ts'
import { inject } from '../transport/inject/inject.ts'
import type { InjectCallback } from '../transport/inject/inject.ts'
import { assertSignal, readListenTarget } from '../transport/listen-options.ts'
import { nodeEntryOf } from '../transport/transport.ts'
import { Routing } from './routing.ts'

type Settle = (error: Error | null, value?: unknown) => void
type Then = (
  fulfilled?: ((instance: unknown) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => Promise<unknown>

/** The life of an app: loading, ready, listening, closed. */
export class Lifecycle extends Routing {
  get log(): Logger {
    return this[kApp].logger
  }

  get version(): string {
    return INTERFACE_LEVELS[0] ?? ''
  }

  get cloisterVersion(): string {
    return this[kApp].ownVersion
  }

  get initialConfig(): Readonly<Record<string, unknown>> {
    return this[kApp].initialConfig
  }

  get server(): unknown {
    return nodeEntryOf(this[kApp].transport, 'app.server', 'the server of the platform').server
  }

  get listeningOrigin(): string {
    return this[kApp].transport.origin
  }

  /** Takes a request of any server with Node's interface. */
  get routing(): unknown {
    return nodeEntryOf(this[kApp].transport, 'app.routing', 'the handler of the platform').handle
  }

  addresses(): readonly unknown[] {
    return this[kApp].transport.addresses
  }

  /** Types follow schemas by themselves; there is nothing to do at run time. */
  withTypeProvider(): this {
    return this
  }

  /** Waits for what was registered before: as a callback in the queue, or as a promise that loads it at once. */
  after(fn?: unknown): this | Promise<void> {
    const place = new Place(this.after)
    const context = this[kContext]
    const { queue } = this[kApp]
    if (fn === undefined) return queue.load()
    if (!isFunction(fn)) throw createError('PLUGIN_CALLBACK_NOT_FN', { method: 'after', type: typeName(fn) })
    assertOpen(context.app, 'add an after callback', (when) =>
      createError('ROOT_PLG_BOOTED', { action: 'add an after callback', when }),
    )
    queue.add({ kind: 'after', fn, context, place })
    return this
  }

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
  }

  /** Boots the app: loads the plugins, compiles the routes, runs the `onReady` hooks. */
  ready(callback?: unknown): Promise<unknown> | undefined {
    const place = new Place(this.ready)
    const app = this[kApp]
    const context = this[kContext]
    const booting = app.boot(place)
    if (callback !== undefined && !isFunction(callback)) {
      throw createError('PLUGIN_CALLBACK_NOT_FN', { method: 'ready', type: typeName(callback) })
    }
    if (callback === undefined && app.phase === 'loading') app.queue.noteReady(place)
    if (context !== app.root && app.phase === 'loading') {
      if (callback === undefined) return app.readyCallbacks.promise(context, place).then(() => this)
      app.readyCallbacks.add(callback, context, place)
      return undefined
    }
    // Promises and callbacks settle in the order of asking.
    const booted = booting.then(() => this)
    if (callback === undefined) return booted
    callBack(booted, (error) => {
      if (error === null) callback.call(this, null, this)
      else callback.call(this, error)
    })
    return undefined
  }

  /** Boots the app and listens; resolves to the address, or to nothing when a signal has called it off. */
  listen(...args: unknown[]): Promise<string | undefined> | undefined {
    const place = new Place(this.listen)
    const app = this[kApp]
    const callback = args.at(-1)
    const hasCallback = isFunction(callback)
    const given = hasCallback ? args.slice(0, -1) : args
    assertSignal(given[0])
    const listen = async (): Promise<string | undefined> => app.listen(readListenTarget(given), place)
    const listening = listen()
    if (!hasCallback) return listening
    callBack(listening, (error, address) => {
      if (error !== null || address !== undefined) callback(error, address)
    })
    return undefined
  }

  /** Refuses new requests, waits for those in flight, then runs the `onClose` hooks in reverse order. */
  close(callback?: unknown): Promise<void> | undefined {
    const closing = this[kApp].close()
    if (!isFunction(callback)) return closing
    callBack(closing, (error) => callback(error))
    return undefined
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this[kApp].close()
  }

  /** Sends a request without a socket; boots the app first. */
  inject(options: InjectOptions | string = {}, callback?: InjectCallback): unknown {
    const app = this[kApp]
    const place = new Place(this.inject)
    const ready = (): Promise<unknown> =>
      app.isClosing ? Promise.reject(createError('REOPENED_CLOSE_SERVER', {})) : app.boot(place)
    const { handle } = nodeEntryOf(app.transport, 'app.inject', 'the handler of the platform')
    return inject(handle, ready, options, callback)
  }

  printPlugins(): string {
    return printPlugins(this[kApp].queue.root)
  }
}

makeAssignable(Lifecycle.prototype, ['log', 'initialConfig', 'server', 'routing'])
// User code is called with an instance as its `this`: its stack frames name no class of ours.
Object.defineProperty(Lifecycle.prototype, Symbol.toStringTag, { value: 'Object', configurable: true })

/** Hands the outcome of a promise to a callback; what the callback throws is nobody's rejection. */
function callBack(outcome: Promise<unknown>, callback: Settle): void {
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
    (error: unknown) => call(isError(error) ? error : new Error(String(error)), null),
  )
}
