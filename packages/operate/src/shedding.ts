import type { CloisterReply } from 'cloister'

import type { Settings } from './options.ts'
import { PressureGauge } from './pressure.ts'
import type { Pressure } from './pressure.ts'

/** The part of the log that is written to. */
interface Log {
  warn(line: string): void
  info(line: string): void
}

const BODY = JSON.stringify({
  statusCode: 503,
  code: 'CLO_ERR_OPERATE_OVERLOADED',
  error: 'Service Unavailable',
  message: 'the server has too much to do; try again later',
})
/** Nothing has been refused for so long: the overload is over. */
const CALM_MS = 1000

/** Refuses requests while the process is overloaded: before their bodies are read, and without a line in the log for each. */
export class Shedding {
  readonly counts: Record<Pressure, number> = { event_loop_delay: 0, heap_used: 0, open_requests: 0 }
  readonly #gauge: PressureGauge
  readonly #retryAfter: string
  readonly #log: Log
  readonly #refused: (limit: Pressure) => void
  #calm: NodeJS.Timeout | null = null
  #refusedSince = 0

  /** @param refused - called for each request that is refused */
  constructor({ shedding }: Settings, log: Log, refused: (limit: Pressure) => void) {
    this.#gauge = new PressureGauge(shedding)
    this.#retryAfter = String(Math.ceil(shedding.retryAfterS ?? 1))
    this.#log = log
    this.#refused = refused
  }

  /** Whether there is a limit at all. */
  static isWanted({ shedding }: Settings): boolean {
    const { eventLoopDelayMs, heapUsedBytes, openRequests } = shedding
    return (eventLoopDelayMs ?? heapUsedBytes ?? openRequests) !== undefined
  }

  /**
   * Refuses a request if the process is overloaded.
   *
   * @returns whether it has
   */
  refuse(reply: CloisterReply, open: number): boolean {
    const limit = this.#gauge.read(open)
    if (limit === null) return false
    this.#count(limit)
    void reply
      .code(503)
      .header('retry-after', this.#retryAfter)
      .type('application/json; charset=utf-8')
      .send(BODY)
    return true
  }

  /** Measures from now on. */
  start(): void {
    this.#gauge.start()
  }

  /** Measures no more. */
  stop(): void {
    this.#gauge.stop()
    if (this.#calm !== null) clearTimeout(this.#calm)
  }

  #count(limit: Pressure): void {
    this.counts[limit]++
    this.#refusedSince++
    this.#refused(limit)
    if (this.#calm !== null) {
      this.#calm.refresh()
      return
    }
    this.#log.warn(`requests are refused: ${limit} is above its limit`)
    this.#calm = setTimeout(() => {
      this.#log.info(`requests are taken again; ${this.#refusedSince} were refused`)
      this.#refusedSince = 0
      this.#calm = null
    }, CALM_MS).unref()
  }
}
