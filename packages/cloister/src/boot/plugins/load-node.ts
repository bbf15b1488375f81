import type { Context } from '../../context/context.ts'
import type { AnyFunction } from '../../guards.ts'
import type { CallSite } from '../../call-site.ts'

/** An item of the queue: a plugin, a callback that waits for the items before it, or a step. */
export type QueueItem =
  | {
      readonly kind: 'plugin'
      readonly plugin: unknown
      readonly options: unknown
      readonly context: Context
      readonly callSite: CallSite
    }
  | {
      readonly kind: 'after'
      readonly fn: AnyFunction
      readonly context: Context
      readonly callSite: CallSite
    }
  | { readonly kind: 'step'; readonly context: Context; run(): void }

/** An item with its context: that of the plugin that was loading when the item was queued. */
export interface QueuedItem {
  readonly item: QueueItem
  readonly home: Context
}

/** The name of callbacks of `after`, in paths. */
export const AFTER = 'after'

/** A plugin (or `after` callback) that is being loaded, with what it has queued below itself. */
export class LoadNode {
  readonly name: string
  readonly context: Context
  readonly parent: LoadNode | null
  readonly callSite: CallSite | null
  readonly items: QueuedItem[] = []
  readonly startedAt: number = performance.now()
  readonly children: LoadNode[] = []
  /** an error of a plugin below that no `after` callback has taken */
  error: Error | null = null
  draining: Promise<void> | null = null
  finishedAt: number | null = null
  /** call site of `ready()` without a callback while this was loading */
  readyAskedAt: CallSite | null = null

  constructor(name: string, context: Context, parent: LoadNode | null, callSite: CallSite | null) {
    this.name = name
    this.context = context
    this.parent = parent
    this.callSite = callSite
    parent?.children.push(this)
  }

  /** The path of plugins: `root > api > users`. */
  get path(): string {
    return this.parent === null ? this.name : `${this.parent.path} > ${this.name}`
  }

  /** Whether it is an `after` callback and no plugin. */
  get isCallback(): boolean {
    return this.name === AFTER
  }

  get isBusy(): boolean {
    return this.items.length > 0 || this.draining !== null
  }

  /** The milliseconds of loading: so far, or in all. */
  get tookMs(): number {
    return (this.finishedAt ?? performance.now()) - this.startedAt
  }
}

/**
 * Returns the arguments of an `after` or `ready` callback, which takes nothing, `(error)`, `(error, done)` or
 * `(error, instance, done)`.
 */
export function argumentsOfAfter(fn: AnyFunction, error: Error | null, context: Context): readonly unknown[] {
  if (fn.length === 0) return []
  return fn.length >= 3 ? [error, context.instance] : [error]
}
