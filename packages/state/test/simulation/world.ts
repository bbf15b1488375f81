/** What an event or a timer belongs to: a process, which may die, or the world outside. */
export interface Owner {
  isAlive: boolean
  /** until when it stands still */
  stalledUntil?: number
}

interface Event {
  at: number
  readonly order: number
  readonly owner: Owner
  readonly run: () => void
  isCancelled: boolean
}

const realImmediate = setImmediate

/**
 * A world with one clock and one source of chance. Whatever waits, waits in its queue; between two events, all that
 * follows at once happens. So a seed gives one schedule.
 */
export class World {
  now: number = 1_000_000
  steps = 0
  readonly outside: Owner = { isAlive: true }
  readonly #queue: Event[] = []
  #state: number
  #order = 0
  #current: Owner = this.outside

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  }

  /** Draws a whole number from 0 on. */
  draw(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }

  /** Whether something happens that does so once in a while. */
  happens(once: number): boolean {
    return once > 0 && this.draw(once) === 0
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.draw(from.length)] ?? from[0]
  }

  schedule(owner: Owner, ms: number, run: () => void): Event {
    const event = { at: this.now + Math.max(0, ms), order: this.#order++, owner, run, isCancelled: false }
    this.#insert(event)
    return event
  }

  #insert(event: Event): void {
    let index = this.#queue.length
    while (index > 0 && (this.#queue[index - 1]?.at ?? 0) > event.at) index--
    this.#queue.splice(index, 0, event)
  }

  sleep(owner: Owner, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(owner, ms, resolve)
    })
  }

  /** Runs event after event until a condition holds, or a time has come. */
  async run(until: number, isDone: () => boolean = () => false): Promise<void> {
    while (!isDone()) {
      const event = this.#queue[0]
      if (event === undefined || event.at > until) break
      this.#queue.shift()
      if (event.isCancelled || !event.owner.isAlive) continue
      this.now = event.at
      const { stalledUntil = 0 } = event.owner
      if (stalledUntil > this.now) {
        event.at = stalledUntil
        this.#insert(event)
        continue
      }
      this.steps += 1
      this.#current = event.owner
      event.run()
      await new Promise((resolve) => realImmediate(resolve))
    }
    if (!isDone()) this.now = until
  }

  /** Replaces the clocks and timers of this process by those of the world while a function runs. */
  async within<T>(run: () => Promise<T>): Promise<T> {
    const real = { setTimeout, clearTimeout, setInterval, clearInterval, now: Date.now }
    const start = (run: () => void, ms: number, isRepeated: boolean): object => {
      const owner = this.#current
      const timer = {
        event: this.schedule(owner, ms, () => fire()),
        unref: () => timer,
        [Symbol.toPrimitive]: () => 0,
      }
      const fire = (): void => {
        if (isRepeated) timer.event = this.schedule(owner, ms, fire)
        run()
      }
      return timer
    }
    const stop = (timer: unknown): void => {
      const event: unknown = timer === undefined ? undefined : Reflect.get(Object(timer), 'event')
      if (event !== undefined) Reflect.set(Object(event), 'isCancelled', true)
    }
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms: number) => start(run, ms, false),
      setInterval: (run: () => void, ms: number) => start(run, ms, true),
      clearTimeout: stop,
      clearInterval: stop,
    })
    Date.now = () => this.now
    Object.defineProperty(performance, 'now', { value: () => this.now, configurable: true })
    try {
      return await run()
    } finally {
      const { now, ...timers } = real
      Object.assign(globalThis, timers)
      Date.now = now
      Reflect.deleteProperty(performance, 'now')
    }
  }
}
