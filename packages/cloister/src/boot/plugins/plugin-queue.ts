import { callWithDone, countParameters, declaresDone } from '../../hooks/adapt.ts'
import type { Context } from '../../context/context.ts'
import { prefixCode } from '../../error-prefix.ts'
import { wrapThrown } from '../../read-error.ts'
import { isAsyncFunction, type AnyFunction } from '../../guards.ts'
import type { CallSite } from '../../call-site.ts'
import { warn } from '../../logging/warnings.ts'
import { LoadNode, argumentsOfAfter } from './load-node.ts'
import { openPlugin, type Registration } from './register.ts'
import { beforeDeadline } from '../../hooks/run-application-hook.ts'
import { createError } from '../../errors.ts'

/**
 * Loads plugins one at a time, in the order they were registered. A plugin and everything that it registers load before
 * the next one starts.
 *
 * A registration belongs to the innermost plugin that is loading, even if it is made on an outer instance. Awaiting a
 * registration loads what is queued so far. An error stops the queue until an `after` callback takes it. The caller
 * of the registration gets the error too, but catching it there does not make the app ready.
 */
export class PluginQueue {
  readonly root: LoadNode
  readonly #timeoutMs: number
  /** the plugins that are loading, from the root to the innermost */
  readonly #loading: LoadNode[]

  constructor(root: Context, timeoutMs: number) {
    this.root = new LoadNode(root.name, root, null, null)
    root.loading = this.root
    this.#loading = [this.root]
    this.#timeoutMs = timeoutMs
  }

  get #innermost(): LoadNode {
    return this.#loading.at(-1) ?? this.root
  }

  /** The innermost plugin that is loading, or the app itself. An `after` callback is part of its plugin. */
  get loadingPlugin(): LoadNode {
    const node = this.#innermost
    return node.isCallback ? (node.parent ?? node) : node
  }

  /** Queues a plugin below the innermost one that is loading. */
  register(registration: Registration): void {
    const node = this.#innermost
    const home = homeOf(node, registration.context)
    // An error stops plugins alone.
    node.items.push(() => (node.error === null ? this.#loadPlugin(registration, home, node) : undefined))
  }

  /** Queues a callback of `after` below the innermost plugin that is loading. */
  after(fn: AnyFunction, context: Context, callSite: CallSite): void {
    const node = this.#innermost
    const home = homeOf(node, context)
    node.items.push(() => this.#runAfter(fn, context, new LoadNode(null, home, node, callSite)))
  }

  /** Runs a step at once, or after the plugins that are queued before it. */
  inTurn(run: () => void): void {
    const { items } = this.#innermost
    if (items.length === 0) run()
    else items.push(run)
  }

  /** Records a call of `ready()` while a plugin loads: such a plugin may wait for itself. */
  noteReady(callSite: CallSite): void {
    for (const node of this.#loading) node.readyAskedAt ??= callSite
  }

  /** Whether something is queued where the next registration would go. */
  get isPending(): boolean {
    const { items, draining } = this.#innermost
    return items.length > 0 || draining !== null
  }

  /**
   * Loads what is queued below the innermost plugin that is loading. Rejects with the first error, and keeps it until
   * an `after` callback takes it.
   */
  load(): Promise<void> {
    return this.#load(this.#innermost)
  }

  /** Loads everything that is queued. */
  async loadAll(): Promise<void> {
    await this.#load(this.root)
    this.root.finishedAt ??= performance.now()
  }

  async #load(node: LoadNode): Promise<void> {
    await this.#drain(node)
    if (node.error !== null) throw node.error
  }

  #drain(node: LoadNode): Promise<void> {
    node.draining ??= this.#drainItems(node).finally(() => {
      node.draining = null
    })
    return node.draining
  }

  async #drainItems(node: LoadNode): Promise<void> {
    for (let load = node.items.shift(); load !== undefined; load = node.items.shift()) {
      try {
        await load()
      } catch (thrown) {
        prefixCode(thrown, this.root.context.app.options.errorCodePrefix)
        node.error ??= wrapThrown(thrown)
      }
    }
  }

  async #loadPlugin(registration: Registration, home: Context, parent: LoadNode): Promise<void> {
    const { plugin, context, options } = await openPlugin(registration, home)
    const { fn, name, breaksEncapsulation } = plugin
    const node = new LoadNode(name, context, parent, registration.callSite)
    if (!breaksEncapsulation) context.loading = node
    try {
      // A plugin for Fastify 4.x may take `done` and return a promise: the first to settle counts.
      if (isAsyncFunction(fn) && fn.length > 2) {
        warn('PLUGIN_STYLES_MIXED', { name, callSite: node.registeredAt })
      }
      await this.#run(node, fn, [context.instance, options], undefined)
    } catch (thrown) {
      throw describeBootError(wrapThrown(thrown), node)
    }
  }

  /** Runs a function of the application as `node`, then loads what it has queued. */
  async #run(node: LoadNode, fn: AnyFunction, args: readonly unknown[], self: unknown): Promise<void> {
    this.#loading.push(node)
    try {
      const calls = takesDone(fn, args.length)
      const run = (): unknown =>
        calls ? callWithDone(fn, self, args, () => whoIs(node)) : fn.apply(self, [...args])
      // While a plugin below it loads, only the deadline of that one runs, so the error names the one that really hangs.
      const expired = (): Error | null =>
        node.draining === null ? describeHang(node, this.#timeoutMs, calls) : null
      await beforeDeadline(run, this.#timeoutMs, expired)
      await this.#drain(node)
      if (node.error !== null) throw node.error
    } finally {
      node.finishedAt = performance.now()
      this.#loading.splice(this.#loading.indexOf(node), 1)
    }
  }

  /** Gives an `after` callback with an `error` parameter the error of the plugins before it; that takes the error. */
  async #runAfter(fn: AnyFunction, context: Context, node: LoadNode): Promise<void> {
    const error = node.parent?.error ?? null
    if (fn.length > 0 && node.parent !== null) node.parent.error = null
    const args = argumentsOfAfter(fn, error, context)
    const { instance } = context
    const call = declaresDone(fn, args.length) ? fn : (): unknown => Reflect.apply(fn, instance, args)
    await this.#run(node, call, args, instance)
  }
}

/** The context that a registration fills: that of the plugin that makes it, or the outer one that it is made on. */
function homeOf({ context }: LoadNode, target: Context): Context {
  return context.isWithin(target) ? context : target
}

function whoIs({ name, path, registeredAt }: LoadNode): string {
  return `the plugin '${name}' (${path}), registered at ${registeredAt},`
}

/** A function with rest parameters or `arguments` may take `done` although its length is short. */
const MAY_HIDE_DONE = /^[^(={]*\([^()]*\.\.\.|[,(]\s*arguments\s*[,)]|\barguments\[|\.\.\.arguments\b/

/**
 * Whether a function ends by calling `done`. It does if it has a parameter for it. With fewer parameters it ends when
 * it returns, unless its text shows that it may take `done` anyway.
 */
function takesDone(fn: AnyFunction, argsBeforeDone: number): boolean {
  if (countParameters(fn) > argsBeforeDone) return true
  return !isAsyncFunction(fn) && MAY_HIDE_DONE.test(Function.prototype.toString.call(fn))
}

const DESCRIBED: unique symbol = Symbol('cloister.bootError')

/**
 * Adds the plugin, its registrar and the call site to an error of a plugin. The innermost plugin does so, once. It sets
 * `error.plugin` and adds a line to the stack; the message does not change.
 */
function describeBootError(thrown: Error, node: LoadNode): Error {
  if (Object.hasOwn(thrown, DESCRIBED) || Object.isFrozen(thrown)) return thrown
  const { path, registeredAt: callSite } = node
  Object.defineProperties(thrown, {
    [DESCRIBED]: { value: true },
    plugin: { value: { path, callSite }, enumerable: false, configurable: true },
    stack: {
      value: `${thrown.stack ?? String(thrown)}\n    in plugin ${path} (registered at ${callSite})`,
      enumerable: false,
      configurable: true,
      writable: true,
    },
  })
  return thrown
}

function aboutReady(callSite: CallSite): string {
  return (
    `ready(), called at ${callSite.toString()} while it loaded, settles after all plugins only, this one included: ` +
    'do not wait for it in a plugin, use after() or an onReady hook'
  )
}

function describeHang(node: LoadNode, ms: number, callsDone: boolean): Error {
  const { name, path, registeredAt: callSite, readyAskedAt } = node
  const missing = callsDone
    ? "it has not called 'done'"
    : 'its promise has not settled; something that it awaits never does'
  const waitingFor = readyAskedAt === null ? missing : `${missing}; ${aboutReady(readyAskedAt)}`
  return createError('PLUGIN_TIMEOUT', { name, path, callSite, ms, waitingFor })
}
