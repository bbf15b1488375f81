import { callWithDone, countParameters, declaresDone } from '../../hooks/adapt.ts'
import type { Context } from '../../context/context.ts'
import { prefixCode } from '../../error-prefix.ts'
import { wrapThrown } from '../../read-error.ts'
import { isAsyncFunction, type AnyFunction, isFunction } from '../../guards.ts'
import type { CallSite } from '../../call-site.ts'
import { warn } from '../../logging/warnings.ts'
import { LoadNode, argumentsOfAfter } from './load-node.ts'
import { beforeDeadline } from '../../hooks/run-application-hook.ts'
import { createError } from '../../errors.ts'
import { applyChildOptions, createChild } from '../../context/create-child.ts'
import { checkProvided, checkRequirements, readPlugin, type Plugin } from './plugin.ts'

/**
 * Loads plugins one at a time, in the order of registration. A plugin and everything that it registers load before the
 * next plugin starts.
 *
 * A registration belongs to the innermost plugin that is loading, even if it is made on an outer instance. Awaiting a
 * registration loads what is queued so far. An error stops the queue until an `after` callback takes it. The caller of
 * the registration gets the error too, but catching it there does not make the app ready.
 */
export class PluginQueue {
  readonly root: LoadNode
  readonly #timeoutMs: number
  /** the plugins that are loading, from the outermost to the innermost */
  readonly #loading: LoadNode[]

  constructor(root: Context, timeoutMs: number) {
    this.root = new LoadNode(root.name, root, null, null)
    root.loading = this.root
    // Fastify's tree begins with its default handler for requests without a route.
    this.root.turns.push(0)
    this.#loading = [this.root]
    this.#timeoutMs = timeoutMs
  }

  get #innermost(): LoadNode {
    return this.#loading.at(-1) ?? this.root
  }

  /** The innermost plugin that is loading, or the app. An `after` callback belongs to its plugin. */
  get loadingPlugin(): LoadNode {
    const node = this.#innermost
    return node.isCallback ? (node.parent ?? node) : node
  }

  register(registration: Registration): void {
    const node = this.#innermost
    const home = homeOf(node, registration.context)
    // After an error, plugins are skipped; `after` callbacks still run.
    node.items.push(() => (node.error === null ? this.#loadPlugin(registration, home, node) : undefined))
  }

  after(fn: AnyFunction, context: Context, callSite: CallSite): void {
    const node = this.#innermost
    const home = homeOf(node, context)
    node.items.push(() => this.#runAfter(fn, context, new LoadNode(null, home, node, callSite)))
  }

  /** Runs a step now, or after the plugins that are queued before it. */
  inTurn(run: () => void): void {
    const { items } = this.#innermost
    if (items.length === 0) run()
    else items.push(run)
  }

  /** Records that something which is no plugin took its turn in the innermost plugin, for the tree of plugins. */
  noteTurn(): void {
    const node = this.#innermost
    this.inTurn(() => node.turns.push(node.children.length))
  }

  /** Records a call of `ready()` while a plugin loads. If the plugin awaits it, the plugin waits for itself. */
  noteReady(callSite: CallSite): void {
    for (const node of this.#loading) node.readyAskedAt ??= callSite
  }

  get isPending(): boolean {
    const { items, draining } = this.#innermost
    return items.length > 0 || draining !== null
  }

  /**
   * Loads what the innermost plugin has queued. Rejects with the first error, and keeps the error until an `after`
   * callback takes it.
   */
  load(): Promise<void> {
    this.noteTurn()
    return this.#load(this.#innermost)
  }

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
    const { callSite, options: given } = registration
    const plugin = await readPlugin(registration.plugin, callSite)
    checkRequirements(plugin, home, callSite)
    const { fn, name } = plugin
    const context = plugin.breaksEncapsulation ? home : createChild(home, name)
    const options = openContext(context, plugin, home, given)
    const node = new LoadNode(name, context, parent, callSite)
    if (context !== home) context.loading = node
    try {
      // A plugin for Fastify 4.x may both take `done` and return a promise. The first to settle counts.
      if (isAsyncFunction(fn) && fn.length > 2) {
        warn('PLUGIN_STYLES_MIXED', { name, callSite: node.registeredAt })
      }
      await this.#run(node, fn, [context.instance, options], undefined)
      checkProvided(plugin, context, callSite)
    } catch (thrown) {
      throw describeBootError(wrapThrown(thrown), node)
    }
  }

  /** Runs an application function as `node`, then loads what it has queued. */
  async #run(node: LoadNode, fn: AnyFunction, args: readonly unknown[], self: unknown): Promise<void> {
    this.#loading.push(node)
    try {
      const calls = takesDone(fn, args.length)
      const describe = (): string =>
        `the plugin '${node.name}' (${node.path}), registered at ${node.registeredAt},`
      const run = (): unknown => (calls ? callWithDone(fn, self, args, describe) : fn.apply(self, [...args]))
      // While a nested plugin loads, only its own deadline applies, so that the error names the plugin that hangs.
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

  /** Passes the error of earlier plugins to an `after` callback with an `error` parameter, and clears it. */
  async #runAfter(fn: AnyFunction, context: Context, node: LoadNode): Promise<void> {
    const error = node.parent?.error ?? null
    if (fn.length > 0 && node.parent !== null) node.parent.error = null
    const args = argumentsOfAfter(fn, error, context)
    const { instance } = context
    const call = declaresDone(fn, args.length) ? fn : (): unknown => Reflect.apply(fn, instance, args)
    await this.#run(node, call, args, instance)
  }
}

/**
 * The context of a registration: that of the plugin that makes it, or an outer context if the plugin registers on an
 * outer instance.
 */
function homeOf({ context }: LoadNode, target: Context): Context {
  return context.isWithin(target) ? context : target
}

/** A function with rest parameters or `arguments` may take `done` although its `length` is small. */
const MAY_HIDE_DONE = /^[^(={]*\([^()]*\.\.\.|[,(]\s*arguments\s*[,)]|\barguments\[|\.\.\.arguments\b/

/**
 * Returns whether a function ends by calling `done`. It does if it declares the parameter, or if its text shows that it
 * may use `done` through rest parameters or `arguments`. Otherwise it ends when it returns.
 */
function takesDone(fn: AnyFunction, argsBeforeDone: number): boolean {
  if (countParameters(fn) > argsBeforeDone) return true
  return !isAsyncFunction(fn) && MAY_HIDE_DONE.test(Function.prototype.toString.call(fn))
}

const DESCRIBED: unique symbol = Symbol('cloister.bootError')

/**
 * Adds the plugin, its ancestors and the call site to an error of a plugin: as `error.plugin`, and as a line of the
 * stack. The message does not change. Only the innermost plugin does this.
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

function describeHang(node: LoadNode, ms: number, callsDone: boolean): Error {
  const { name, path, registeredAt: callSite, readyAskedAt } = node
  const missing = callsDone
    ? "it has not called 'done'"
    : 'its promise has not settled; something that it awaits never does'
  const aboutReady =
    'while it loaded, settles after all plugins only, this one included: do not wait for it in a plugin, use after() or an onReady hook'
  const waitingFor =
    readyAskedAt === null
      ? missing
      : `${missing}; ready(), called at ${readyAskedAt.toString()} ${aboutReady}`
  return createError('PLUGIN_TIMEOUT', { name, path, callSite, ms, waitingFor })
}

interface Registration {
  readonly plugin: unknown
  readonly options: unknown
  /** the context of the instance that was called */
  readonly context: Context
  readonly callSite: CallSite
}

/**
 * Adds a plugin to a context: the one in which it is registered (`parent`), or its own child of it.
 *
 * @param given - the options of the registration, or a function that returns them
 * @returns the options for the plugin
 */
function openContext(context: Context, { name, knownAs }: Plugin, parent: Context, given: unknown): unknown {
  const options = isFunction(given) ? given(context.instance) : (given ?? {})
  if (context === parent) parent.pluginNames.push(name)
  else applyChildOptions(context, given, options)
  if (knownAs !== undefined) parent.registeredPlugins.add(knownAs)
  if (context === parent) return options
  for (const { fn } of parent.hooksInForce('onRegister')) fn.call(parent.instance, context.instance, options)
  return options
}
