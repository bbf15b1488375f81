import { callWithDone, declaresDone, mayCallDone } from '../../context/adapt-hook.ts'
import type { Context } from '../../context/context.ts'
import { wrapThrown } from '../../errors.ts'
import { isAsyncFunction } from '../../functions.ts'
import type { AnyFunction } from '../../functions.ts'
import type { Place } from '../../place.ts'
import { warn } from '../../logging/warnings.ts'
import { withDeadline } from './deadline.ts'
import { argumentsOfAfter } from './after-callback.ts'
import { describeBootError } from './boot-error.ts'
import { LoadNode } from './load-node.ts'
import type { QueueItem } from './load-node.ts'
import { openPlugin } from './register.ts'

/**
 * Loads plugins in the order they were registered: one at a time, each with everything it registers itself, before
 * the next one starts.
 *
 * Whatever a plugin function registers while it runs belongs to it, also when it is wrapped and shares its parent's
 * context. Awaiting a registration loads what is queued so far at once. An error stops the loading of what follows,
 * until an `after` callback takes it: who awaits is told of it, and catching it there does not make the app ready.
 */
export class PluginQueue {
  readonly root: LoadNode
  readonly #timeoutMs: number
  /** who is loading in a context just now, innermost last */
  readonly #loading = new Map<Context, LoadNode[]>()

  constructor(root: Context, timeoutMs: number) {
    this.root = new LoadNode(root.name, root, null, null)
    this.#loading.set(root, [this.root])
    this.#timeoutMs = timeoutMs
  }

  /** Queues a plugin or an `after` callback below whoever is loading in its context. */
  add(item: QueueItem): void {
    this.#current(item.context).items.push(item)
  }

  /** Runs a step in its turn: at once, or behind the plugins that are queued before it. */
  inTurn(context: Context, run: () => void): void {
    if (this.#current(context).items.length === 0) run()
    else this.add({ kind: 'step', context, run })
  }

  /** Notes who may wait for `ready` while it loads, and so for itself. */
  noteReady(place: Place): void {
    for (const stack of this.#loading.values()) {
      const node = stack.at(-1)
      if (node !== undefined) node.readyAskedAt ??= place
    }
  }

  /** Something waits to be loaded in a context. */
  isPending(context: Context): boolean {
    return this.#current(context).isBusy
  }

  /** Loads what is queued in a context; rejects with the first error, which stays until an `after` takes it. */
  async load(context: Context): Promise<void> {
    const node = this.#current(context)
    await this.#drain(node)
    if (node.error !== null) throw node.error
  }

  #current(context: Context): LoadNode {
    return this.#loading.get(context)?.at(-1) ?? this.root
  }

  #drain(node: LoadNode): Promise<void> {
    node.draining ??= this.#drainItems(node).finally(() => {
      node.draining = null
    })
    return node.draining
  }

  async #drainItems(node: LoadNode): Promise<void> {
    for (let item = node.items.shift(); item !== undefined; item = node.items.shift()) {
      if (item.kind === 'plugin' && node.error !== null) continue
      try {
        if (item.kind === 'plugin') await this.#loadPlugin(item, node)
        else if (item.kind === 'after') await this.#runAfter(item, node)
        else item.run()
      } catch (thrown) {
        node.error ??= wrapThrown(thrown)
      }
    }
  }

  async #loadPlugin(item: Extract<QueueItem, { kind: 'plugin' }>, parent: LoadNode): Promise<void> {
    const { plugin, context, options } = await openPlugin(item)
    const node = new LoadNode(plugin.name, context, parent, item.place)
    try {
      // Plugins of the 4.x line may be both: whichever settles first counts.
      if (isAsyncFunction(plugin.fn) && plugin.fn.length > 2) {
        warn('PLUGIN_STYLES_MIXED', { name: plugin.name, place: item.place.toString() })
      }
      await this.#run(node, legible(plugin.fn), [context.instance, options], 2)
    } catch (thrown) {
      throw describeBootError(wrapThrown(thrown), node)
    }
  }

  /** Runs a function of the application as `node`, then loads what it has queued. */
  async #run(
    node: LoadNode,
    fn: AnyFunction,
    args: readonly unknown[],
    argsBeforeDone: number,
  ): Promise<void> {
    const stack = this.#loading.get(node.context) ?? []
    this.#loading.set(node.context, stack)
    stack.push(node)
    try {
      const calls = mayCallDone(fn, argsBeforeDone) || fn.length > argsBeforeDone
      const { instance } = node.context
      const start = (): unknown =>
        calls ? callWithDone(fn, instance, args, () => whoIs(node)) : fn.apply(instance, [...args])
      await withDeadline(start, node, this.#timeoutMs, calls)
      await this.#drain(node)
      if (node.error !== null) throw node.error
    } finally {
      node.finishedAt = performance.now()
      stack.splice(stack.indexOf(node), 1)
    }
  }

  /** An `after` callback that takes an error is given the one of the plugins before it, and has thereby taken it. */
  async #runAfter(item: Extract<QueueItem, { kind: 'after' }>, parent: LoadNode): Promise<void> {
    const { fn, context, place } = item
    const node = new LoadNode('after', context, parent, place)
    const { error } = parent
    if (fn.length > 0) parent.error = null
    const args = argumentsOfAfter(fn, error, context)
    const { instance } = context
    const call = declaresDone(fn, args.length) ? fn : (): unknown => Reflect.apply(fn, instance, args)
    await this.#run(node, call, args, args.length)
  }
}

function whoIs({ name, path, place }: LoadNode): string {
  return `the plugin '${name}' (${path}), registered at ${place?.toString() ?? 'an unknown place'},`
}

/** A bound function shows no text, but how many arguments it takes: one that has no place for `done` calls none. */
function legible(fn: AnyFunction): AnyFunction {
  if (fn.length > 2 || !fn.name.startsWith('bound ')) return fn
  return (instance, options) => fn.call(instance, instance, options)
}
