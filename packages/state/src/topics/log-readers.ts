import { LogReader, type ReaderSettings } from './log-reader.ts'

interface Followed {
  readonly reader: LogReader
  readonly started: Promise<void>
  users: number
}

/** The readers of this process: one for each log that has subscriptions. */
export class LogReaders {
  readonly #readers = new Map<string, Followed>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * Returns the reader of a log, which has begun to follow it, and what gives it back.
   *
   * @throws StateError if the store fails
   */
  async join(
    log: string,
    settings: ReaderSettings,
  ): Promise<{ readonly reader: LogReader; readonly leave: () => void }> {
    const known = this.#readers.get(log) ?? this.#start(log, settings)
    known.users += 1
    // A later subscription may have begun another.
    const forget = (): void => {
      if (this.#readers.get(log) === known) this.#readers.delete(log)
    }
    const leave = (): void => {
      known.users -= 1
      if (known.users > 0) return
      known.reader.stop()
      forget()
    }
    try {
      await known.started
    } catch (error) {
      // The next subscription tries again.
      forget()
      leave()
      throw error
    }
    return { reader: known.reader, leave }
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#isClosed = true
    for (const { reader } of this.#readers.values()) reader.stop()
  }

  #start(log: string, settings: ReaderSettings): Followed {
    const reader = new LogReader(log, settings)
    const followed = { reader, started: reader.start(), users: 0 }
    this.#readers.set(log, followed)
    return followed
  }
}
