import type { Context } from '../../context/context.ts'
import { prefixCode } from '../../error-prefix.ts'
import { wrapThrown } from '../../read-error.ts'
import type { AnyFunction } from '../../guards.ts'
import type { CallSite } from '../../call-site.ts'
import { LoadNode } from './load-node.ts'
import { loadPlugin, runAfter, type Registration } from './load-plugin.ts'

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
  readonly timeoutMs: number
  /** the plugins that are loading, from the outermost to the innermost */
  readonly #loading: LoadNode[]

  constructor(root: Context, timeoutMs: number) {
    this.root = new LoadNode(root.name, root, null, null)
    root.loading = this.root
    // Fastify's tree begins with its default handler for requests without a route.
    this.root.turns.push(0)
    this.#loading = [this.root]
    this.timeoutMs = timeoutMs
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
    node.items.push(() => (node.error === null ? loadPlugin(this, registration, home, node) : undefined))
  }

  after(fn: AnyFunction, context: Context, callSite: CallSite): void {
    const node = this.#innermost
    const home = homeOf(node, context)
    node.items.push(() => runAfter(this, fn, context, new LoadNode(null, home, node, callSite)))
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

  /** Makes a plugin the innermost one that is loading. */
  enter(node: LoadNode): void {
    this.#loading.push(node)
  }

  leave(node: LoadNode): void {
    this.#loading.splice(this.#loading.indexOf(node), 1)
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
    await this.drain(node)
    if (node.error !== null) throw node.error
  }

  /** Loads what a plugin has queued. */
  drain(node: LoadNode): Promise<void> {
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
        prefixCode(thrown, this.root.context.app.options)
        node.error ??= wrapThrown(thrown)
      }
    }
  }
}

/**
 * The context of a registration: that of the plugin that makes it, or an outer context if the plugin registers on an
 * outer instance.
 */
function homeOf({ context }: LoadNode, target: Context): Context {
  return context.isWithin(target) ? context : target
}
