import type { Context } from '../../context/context.ts'
import type { AnyFunction } from '../../guards.ts'
import type { CallSite } from '../../call-site.ts'

/** A plugin that is loading, or a callback of `after`, with the items that it has queued. */
export class LoadNode {
  readonly name: string
  readonly isCallback: boolean
  readonly context: Context
  readonly parent: LoadNode | null
  readonly callSite: CallSite | null
  /** queued plugins, callbacks of `after`, and steps between them */
  readonly items: (() => Promise<void> | void)[] = []
  readonly startedAt: number = performance.now()
  readonly children: LoadNode[] = []
  /** for each hook, route or `await` that took its turn between the children: how many came before it */
  readonly turns: number[] = []
  /** an error of a nested plugin that no `after` callback has taken */
  error: Error | null = null
  draining: Promise<void> | null = null
  finishedAt: number | null = null
  /** call site of `ready()` without a callback during the load */
  readyAskedAt: CallSite | null = null

  /** @param pluginName - `null` for a callback of `after` */
  constructor(
    pluginName: string | null,
    context: Context,
    parent: LoadNode | null,
    callSite: CallSite | null,
  ) {
    this.name = pluginName ?? 'after'
    this.isCallback = pluginName === null
    this.context = context
    this.parent = parent
    this.callSite = callSite
    parent?.children.push(this)
  }

  get path(): string {
    return this.parent === null ? this.name : `${this.parent.path} > ${this.name}`
  }

  get registeredAt(): string {
    return this.callSite?.toString() ?? 'an unknown file'
  }

  get tookMs(): number {
    return (this.finishedAt ?? performance.now()) - this.startedAt
  }
}

/**
 * Returns the arguments of an `after` or `ready` callback, which may have the parameters `()`, `(error)`, `(error,
 * done)` or `(error, instance, done)`.
 */
export function argumentsOfAfter(fn: AnyFunction, error: unknown, context: Context): readonly unknown[] {
  if (fn.length === 0) return []
  return fn.length >= 3 ? [error, context.instance] : [error]
}
