/** Who listens to which channel. */
export class Listeners {
  readonly #listeners = new Map<string, Set<() => void>>()

  has(channel: string): boolean {
    return this.#listeners.has(channel)
  }

  /** Adds a listener; returns what removes it. */
  add(channel: string, listener: () => void): () => void {
    const own = (): void => listener()
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(own))
    return () => {
      listeners.delete(own)
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel)
    }
  }

  readonly wake = (channel: string): void => {
    for (const listener of this.#listeners.get(channel) ?? []) listener()
  }

  /** What was appended while a connection was broken is read now. */
  readonly wakeAll = (): void => {
    for (const channel of this.#listeners.keys()) this.wake(channel)
  }

  clear(): void {
    this.#listeners.clear()
  }
}

/** A connection that hears of messages; it connects again by itself. */
export interface Subscriber {
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  disconnect(): void
}

/** Hears of messages in channels, over one connection of its own. */
export class Waking {
  readonly #connect: (listeners: Listeners) => Promise<Subscriber>
  readonly #listeners = new Listeners()
  readonly #subscribed = new Set<string>()
  #subscriber: Promise<Subscriber> | null = null
  #work: Promise<void> = Promise.resolve()

  constructor(connect: (listeners: Listeners) => Promise<Subscriber>) {
    this.#connect = connect
  }

  async add(channel: string, listener: () => void): Promise<() => void> {
    const stop = this.#listeners.add(channel, listener)
    const remove = (): void => {
      stop()
      this.#settle(channel).catch(() => {})
    }
    try {
      await this.#settle(channel)
    } catch (error) {
      remove()
      throw error
    }
    return remove
  }

  /** Subscribes to a channel that has listeners, or unsubscribes, one after the other. */
  #settle(channel: string): Promise<void> {
    const next = this.#work.then(async () => {
      const isWanted = this.#listeners.has(channel)
      if (isWanted === this.#subscribed.has(channel)) return
      this.#subscriber ??= this.#open()
      const subscriber = await this.#subscriber
      await (isWanted ? subscriber.subscribe(channel) : subscriber.unsubscribe(channel))
      if (isWanted) this.#subscribed.add(channel)
      else this.#subscribed.delete(channel)
    })
    this.#work = next.catch(() => {})
    return next
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    this.#subscribed.clear()
    const opened = this.#subscriber
    this.#subscriber = null
    await opened?.then(
      (subscriber) => subscriber.disconnect(),
      () => {},
    )
  }

  #open(): Promise<Subscriber> {
    const opened = this.#connect(this.#listeners)
    // The next call tries again.
    opened.catch(() => {
      if (this.#subscriber === opened) this.#subscriber = null
    })
    return opened
  }
}
