import { callWithDone, countParameters, declaresDone } from '../../hooks/adapt.ts'
import type { Context } from '../../context/context.ts'
import { wrapThrown } from '../../read-error.ts'
import { isAsyncFunction, isFunction, type AnyFunction } from '../../guards.ts'
import type { CallSite } from '../../call-site.ts'
import { warn } from '../../logging/warnings.ts'
import { argumentsOfAfter, LoadNode } from './load-node.ts'
import { beforeDeadline } from '../../hooks/run-application-hook.ts'
import { createError } from '../../errors.ts'
import { applyChildOptions, createChild } from '../../context/create-child.ts'
import { checkOnce } from './once.ts'
import { checkProvided, checkRequirements, readPlugin, type Plugin } from './plugin.ts'
import type { PluginQueue } from './plugin-queue.ts'

/** A call of `register`. */
export interface Registration {
  readonly plugin: unknown
  readonly options: unknown
  /** the context of the instance that was called */
  readonly context: Context
  readonly callSite: CallSite
}

/** What loading a plugin needs of the queue. */
type Queue = Pick<PluginQueue, 'timeoutMs' | 'enter' | 'leave' | 'drain'>

/** Runs a plugin in its context, then loads what it has queued. */
export async function loadPlugin(
  queue: Queue,
  registration: Registration,
  home: Context,
  parent: LoadNode,
): Promise<void> {
  const { callSite, options: given } = registration
  const plugin = await readPlugin(registration.plugin, callSite)
  checkRequirements(plugin, home, callSite)
  checkOnce(plugin, home, callSite)
  const { fn, name } = plugin
  const context = plugin.breaksEncapsulation ? home : createChild(home, name)
  const node = new LoadNode(name, context, parent, callSite)
  if (context !== home) context.loading = node
  try {
    const options = openContext(context, plugin, home, given)
    // A plugin for Fastify 4.x may both take `done` and return a promise. The first to settle counts.
    if (isAsyncFunction(fn) && fn.length > 2) {
      warn('PLUGIN_STYLES_MIXED', { name, callSite: node.registeredAt })
    }
    await run(queue, node, fn, [context.instance, options], undefined)
    checkProvided(plugin, context, callSite)
  } catch (thrown) {
    throw describeBootError(wrapThrown(thrown), node)
  }
}

/** Runs an application function as `node`, then loads what it has queued. */
async function run(
  queue: Queue,
  node: LoadNode,
  fn: AnyFunction,
  args: readonly unknown[],
  self: unknown,
): Promise<void> {
  queue.enter(node)
  try {
    const calls = takesDone(fn, args.length)
    const describe = (): string =>
      `the plugin '${node.name}' (${node.path}), registered at ${node.registeredAt},`
    const call = (): unknown => (calls ? callWithDone(fn, self, args, describe) : fn.apply(self, [...args]))
    // While a nested plugin loads, only its own deadline applies, so that the error names the plugin that hangs.
    const expired = (): Error | null =>
      node.draining === null ? describeHang(node, queue.timeoutMs, calls) : null
    await beforeDeadline(call, queue.timeoutMs, expired)
    await queue.drain(node)
    if (node.error !== null) throw node.error
  } finally {
    node.finishedAt = performance.now()
    queue.leave(node)
  }
}

/** Passes the error of earlier plugins to an `after` callback with an `error` parameter, and clears it. */
export async function runAfter(
  queue: Queue,
  fn: AnyFunction,
  context: Context,
  node: LoadNode,
): Promise<void> {
  const error = node.parent?.error ?? null
  if (fn.length > 0 && node.parent !== null) node.parent.error = null
  const args = argumentsOfAfter(fn, error, context)
  const { instance } = context
  const call = declaresDone(fn, args.length) ? fn : (): unknown => Reflect.apply(fn, instance, args)
  await run(queue, node, call, args, instance)
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
