import { logSafely } from '../logging/request-log.ts'
import { messageOf } from '../read-error.ts'
import type { ManagedApp } from './managed-app.ts'
import { clearTimeout, nextTurn, setTimeout } from '../platform.ts'
import { runApplicationHooks, type BoundHook } from '../hooks/run-application-hooks.ts'

/**
 * The end of an app: new requests are refused, streams of events end, requests in flight get their responses, then the
 * `onClose` hooks run, the last one added first. A hook that fails does not keep the others from running; the first error is thrown at the
 * end.
 *
 * It ends within `closeGraceMs` and a second, whatever is open: connections are cut when the grace period is over,
 * and a hook that has not ended by then is named in the log and left behind.
 */
export async function close(app: ManagedApp, booting: Promise<void> | null): Promise<void> {
  const budget = new CloseBudget(app.options.closeGraceMs)
  // Finish booting first, or half-loaded plugins would leak. `ready()` reports a boot error, not `close()`.
  await budget.wait((booting ?? app.queue.loadAll()).catch(() => {}))
  app.phase = 'closing'
  app.eventStreams.close()
  let failure: { readonly error: unknown } | null = null
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step()
    } catch (error) {
      failure ??= { error }
    }
  }
  const runHook = (name: 'preClose' | 'onClose', hook: BoundHook, timeoutMs: number): Promise<void> =>
    attempt(async () => {
      try {
        await runApplicationHooks(name, [hook], timeoutMs)
      } catch (err) {
        const line = `the app closes, although a hook failed: ${messageOf(err)}`
        logSafely(app, () => app.logger.error({ err }, line))
        throw err
      }
    })
  const { preClose, onClose } = app.applicationHooks
  for (const hook of preClose) {
    await runHook('preClose', hook, shorter(app.options.pluginTimeout, budget.hookMs))
  }
  // A response that was just sent makes its connection look idle to Node, although pipelined requests wait behind it.
  await nextTurn()
  await attempt(() => app.stopListening(budget.graceMs))
  // The handler of a WebSocket outlives its connection.
  await budget.wait(app.eventStreams.handled())
  for (const hook of [...onClose].reverse()) await runHook('onClose', hook, budget.hookMs)
  app.phase = 'closed'
  if (failure !== null) throwFailure(failure)
}

/** The shorter of two times, of which 0 is any time. */
function shorter(one: number, other: number): number {
  return one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other)
}

function throwFailure({ error }: { readonly error: unknown }): never {
  throw error
}

/** For hooks that have yet to run when the grace period is over. */
const RESERVE_MS = 500
/** Hooks that are done at once have their say even when all the time is over. */
const LEAST_MS = 20

/** How much time the end of an app may take: the grace period, and a short reserve for the hooks behind it. */
export class CloseBudget {
  readonly #graceMs: number
  readonly #startedAt = performance.now()

  /** @param graceMs - the option `closeGraceMs`; 0 for any time */
  constructor(graceMs: number) {
    this.#graceMs = graceMs
  }

  /** The rest of the grace period for open requests, in milliseconds; 0 for no limit. */
  get graceMs(): number {
    return this.#left(0, 1)
  }

  /** The milliseconds that a hook may take now; 0 for no limit. */
  get hookMs(): number {
    const grace = this.#left(0, 0)
    return this.#graceMs === 0 || grace > LEAST_MS ? grace : this.#left(RESERVE_MS, LEAST_MS)
  }

  #left(extraMs: number, atLeast: number): number {
    if (this.#graceMs === 0) return 0
    const left = this.#startedAt + this.#graceMs + extraMs - performance.now()
    return Math.max(atLeast, Math.ceil(left))
  }

  /** Waits for a promise that settles in its own time, but not beyond the grace period. */
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
