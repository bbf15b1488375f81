import { prefixCode } from '../error-prefix.ts'
import { logSafely } from '../logging/request-log.ts'
import { isFunction } from '../guards.ts'
import { messageOf } from '../read-error.ts'
import type { ManagedApp } from './managed-app.ts'
import { clearTimeout, nextTurn, setTimeout } from '../platform.ts'
import type { HookEntry } from '../hooks/hook-entry.ts'
import { runApplicationHook } from '../hooks/run-application-hook.ts'

/**
 * Closes an app: rejects new requests, ends event streams, waits for the requests in flight, then runs the `onClose`
 * hooks in reverse order. All hooks run, even if one fails; the first error is thrown at the end.
 *
 * Closing takes at most `closeGraceMs` and one second. When the grace period is over, connections are closed by force.
 * A hook that is still running is reported in the log and not awaited.
 */
export async function close(app: ManagedApp, booting: () => Promise<void> | null): Promise<void> {
  const budget = new CloseBudget(app.options.closeGraceMs)
  const untilBooted = (): Promise<unknown> => budget.wait((booting() ?? app.queue.loadAll()).catch(() => {}))
  // Finish booting first, because half-loaded plugins would leak resources. `ready()` reports a boot error, `close()`
  // does not.
  await untilBooted()
  // Again, because `ready()` may have been called while the plugins were loading.
  await untilBooted()
  const { preClose, onClose } = app.applicationHooks
  app.servesToTheEnd = !app.options.return503OnClosing || preClose.some(statesDrain)
  app.phase = 'closing'
  app.eventStreams.close()
  const failures: unknown[] = []
  const runHook = async (hook: HookEntry, timeoutMs: number): Promise<void> => {
    try {
      await runApplicationHook(hook, timeoutMs)
    } catch (thrown) {
      const err: unknown = prefixCode(thrown, app.options)
      failures.push(err)
      const line = `the app closes, although a hook failed: ${messageOf(err)}`
      logSafely(app, () => app.logger.error({ err }, line))
    }
  }
  for (const hook of preClose) await runHook(hook, shorter(app.options.pluginTimeout, budget.hookMs))
  // Node treats a connection as idle as soon as its response is sent, even if pipelined requests follow.
  await nextTurn()
  await app.stopListening(budget.graceMs).catch((error: unknown) => failures.push(error))
  // The handler of a WebSocket may run longer than its connection.
  await budget.wait(app.eventStreams.handled())
  await budget.wait(app.releases.settled())
  const { names } = app.releases
  if (names.length > 0) logSafely(app, () => app.logger.warn(heldLine(names)))
  for (const hook of [...onClose].reverse()) await runHook(hook, budget.hookMs)
  app.phase = 'closed'
  if (failures.length > 0) throw failures[0]
}

/** The key on a `preClose` hook for whether its plugin has drained the app: then no client may get a refusal. */
const DRAINED: unique symbol = Symbol.for('cloister.drained')

function statesDrain({ fn }: HookEntry): boolean {
  const isDrained: unknown = Reflect.get(fn, DRAINED)
  return isFunction(isDrained) && isDrained() === true
}

function heldLine(names: readonly string[]): string {
  return `the app closes while requests that have not ended, or a release, keep values of these guards: ${names.join(', ')}`
}

function shorter(one: number, other: number): number {
  return one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other)
}

/** Time reserved for hooks that have not run when the grace period is over. */
const RESERVE_MS = 500
/** The minimum time of a hook, so that one that ends at once always counts. */
const MIN_MS = 20

/** The time that closing may take: the grace period, and a short reserve for hooks. */
class CloseBudget {
  readonly #graceMs: number
  readonly #startedAt = performance.now()

  /** @param graceMs - the option `closeGraceMs`; 0 means no limit */
  constructor(graceMs: number) {
    this.#graceMs = graceMs
  }

  /** The rest of the grace period for open requests, in milliseconds; 0 means no limit. */
  get graceMs(): number {
    return this.#left(0, 1)
  }

  /** The milliseconds that the next hook may take; 0 means no limit. */
  get hookMs(): number {
    const grace = this.#left(0, 0)
    return this.#graceMs === 0 || grace > MIN_MS ? grace : this.#left(RESERVE_MS, MIN_MS)
  }

  #left(extraMs: number, atLeast: number): number {
    if (this.#graceMs === 0) return 0
    const left = this.#startedAt + this.#graceMs + extraMs - performance.now()
    return Math.max(atLeast, Math.ceil(left))
  }

  /** Waits for a promise until the grace period ends. */
  async wait(settling: Promise<unknown>): Promise<void> {
    if (this.#graceMs === 0) {
      await settling
      return
    }
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.graceMs)
    })
    await Promise.race([settling, over]).finally(() => clearTimeout(timer))
  }
}
