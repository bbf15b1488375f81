import { getHeapStatistics } from 'node:v8'

import type { SheddingLimits } from './types.ts'

/** What is above its limit. */
export type Pressure = 'event_loop_delay' | 'heap_used' | 'open_requests'

/** Timers that are later than this mean that the event loop was blocked. */
const TICK_MS = 10
const HEAP_EVERY_MS = 250

/**
 * Says whether a request can be taken. The event loop counts as blocked when its last turn, or the turn that is under
 * way, has lasted longer than the limit: a request that comes with many others is refused before these have run, not
 * once they have.
 */
export class PressureGauge {
  readonly #limits: SheddingLimits
  #timer: NodeJS.Timeout | null = null
  #lastTick = 0
  /** by how many milliseconds the last turn was too long */
  #delay = 0
  /** when the first request of this turn came; -1 when none has */
  #turnStart = -1
  #heapUsed = 0
  #heapReadAt = -Infinity

  constructor(limits: SheddingLimits) {
    this.#limits = limits
  }

  /** Measures from now on. */
  start(): void {
    if (this.#limits.eventLoopDelayMs === undefined) return
    this.#lastTick = performance.now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /**
   * Returns what is above its limit; `null` when nothing is.
   *
   * @param open - how many requests are open, this one included
   */
  read(open: number): Pressure | null {
    const { eventLoopDelayMs, heapUsedBytes, openRequests } = this.#limits
    if (openRequests !== undefined && open > openRequests) return 'open_requests'
    if (eventLoopDelayMs !== undefined && this.#isBlocked(eventLoopDelayMs)) return 'event_loop_delay'
    if (heapUsedBytes !== undefined && this.#readHeap() > heapUsedBytes) return 'heap_used'
    return null
  }

  /** Measures no more. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  #tick(): void {
    const now = performance.now()
    this.#delay = Math.max(0, now - this.#lastTick - TICK_MS)
    this.#lastTick = now
  }

  #isBlocked(limit: number): boolean {
    const now = performance.now()
    if (this.#turnStart < 0) {
      this.#turnStart = now
      setImmediate(() => {
        this.#turnStart = -1
      })
    }
    return this.#delay > limit || now - this.#turnStart > limit
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
