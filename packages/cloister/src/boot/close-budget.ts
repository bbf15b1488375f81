import { clearTimeout, setTimeout } from '../platform.ts'

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
