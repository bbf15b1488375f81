import { getHeapStatistics } from 'node:v8'

import type { SheddingLimits } from './types.ts'

/** The measure that exceeds its limit. */
export type Pressure = 'event_loop_delay' | 'heap_used' | 'open_requests'

/** What happens to a request: it is taken, it waits, or it is refused because of a measure above its limit. */
export type Admission = 'take' | 'wait' | Pressure

/** The interval of a timer that measures how long the event loop was blocked. */
const TICK_MS = 10
const HEAP_EVERY_MS = 250
/**
 * A turn of the event loop that has lasted this long takes no more requests. libuv accepts one connection per turn,
 * so long turns delay new connections, including those of probes.
 */
const TURN_MS = 5

/** Decides whether a request can be taken now. */
export class PressureGauge {
  readonly #limits: SheddingLimits
  #timer: NodeJS.Timeout | null = null
  #lastTick = 0
  /** by how many milliseconds the last turn was too long */
  #delay = 0
  /** when the first request of this turn arrived; -1 if none has */
  #turnStart = -1
  #wasLong = false
  #heapUsed = 0
  #heapReadAt = -Infinity

  constructor(limits: SheddingLimits) {
    this.#limits = limits
  }

  start(): void {
    if (this.#limits.eventLoopDelayMs === undefined) return
    this.#lastTick = performance.now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /**
   * Returns what happens to a request.
   *
   * @param open - how many requests are open, including this one
   */
  read(open: number): Admission {
    const { eventLoopDelayMs, heapUsedBytes, openRequests } = this.#limits
    if (openRequests !== undefined && open > openRequests) return 'open_requests'
    if (heapUsedBytes !== undefined && this.#readHeap() > heapUsedBytes) return 'heap_used'
    if (eventLoopDelayMs === undefined) return 'take'
    if (this.#delay > eventLoopDelayMs) return 'event_loop_delay'
    return this.hasTime() ? 'take' : 'wait'
  }

  /** Whether the last turn with requests had no time for more. */
  get wasLong(): boolean {
    return this.#wasLong
  }

  hasTime(): boolean {
    const now = performance.now()
    if (this.#turnStart < 0) {
      this.#turnStart = now
      setImmediate(() => {
        this.#wasLong = !this.hasTime()
        this.#turnStart = -1
      })
    }
    return now - this.#turnStart < TURN_MS
  }

  /**
   * Whether a request has waited longer than a share of the limit.
   *
   * @param since - when it arrived, from `performance.now()`
   */
  isLate(since: number, share: number): boolean {
    const { eventLoopDelayMs } = this.#limits
    return eventLoopDelayMs !== undefined && performance.now() - since > eventLoopDelayMs * share
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  #tick(): void {
    const now = performance.now()
    this.#delay = Math.max(0, now - this.#lastTick - TICK_MS)
    this.#lastTick = now
  }

  #readHeap(): number {
    const now = performance.now()
    if (now - this.#heapReadAt > HEAP_EVERY_MS) {
      this.#heapReadAt = now
      this.#heapUsed = getHeapStatistics().used_heap_size
    }
    return this.#heapUsed
  }
}
