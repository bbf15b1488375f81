import { LOG_START } from '../cursor.ts'
import type { KeepOptions, LogEntry, State } from '../types.ts'

/** What a reader follows, and how. */
export interface ReaderSettings {
  readonly state: State
  readonly keep: KeepOptions
  readonly pollMs: number
  readonly outageMs: number
}

/** An entry of the log in a window, or a place where entries may be missing. */
export interface WindowEntry {
  /** `null` for a gap */
  readonly id: string | null
  readonly data: unknown
  readonly size: number
}

/** How many entries are read at once. */
export const PAGE = 100
/** How much a window keeps: entries, and characters of their values. */
const WINDOW = { entries: 500, size: 1_048_576 }
/** How long a store that fails rests, in milliseconds. */
export const RETRY_MS = 250

/** Parses a payload. All subscriptions of a process share it, so it is frozen. */
export function parsePayload(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => Object.freeze(value))
}

/**
 * Follows a log, once for all subscriptions of this process. It keeps a window of the newest entries; a subscription that
 * falls behind it reads the log itself.
 */
export class LogReader {
  readonly #log: string
  readonly #settings: ReaderSettings
  readonly #listeners = new Set<() => void>()
  #window: WindowEntry[] = []
  /** how many entries have left the window */
  #base = 0
  #size = 0
  #cursor: string = LOG_START
  #failure: { readonly error: unknown } | null = null
  /** when the newest entry was read, or the reader began */
  #seenAt = 0
  #failingSince: number | null = null
  #timer: NodeJS.Timeout | undefined
  /** also until the reader has its cursor */
  #isReading = true
  #isWoken = false
  #isStopped = false
  #stopWaking = (): void => {}

  constructor(log: string, settings: ReaderSettings) {
    this.#log = log
    this.#settings = settings
  }

  /** Begins to follow the log behind its newest entry. */
  async start(): Promise<void> {
    const { state } = this.#settings
    const stopWaking = await state.wake(this.#log, () => void this.#read())
    if (this.#isStopped) {
      stopWaking()
      return
    }
    this.#stopWaking = stopWaking
    const { last } = await state.read(this.#log, null, 1)
    this.#cursor = last
    this.#seenAt = performance.now()
    this.#isReading = false
    this.#schedule(this.#isWoken ? 0 : this.#settings.pollMs)
  }

  /** Ends the reader; subscriptions that wait are called once more. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#stopWaking()
    this.#notify()
  }

  /** The cursor behind the newest entry that was read. */
  get cursor(): string {
    return this.#cursor
  }

  /** The place behind the window. */
  get end(): number {
    return this.#base + this.#window.length
  }

  /** @throws StateError if the store has failed for too long */
  assertWorking(): void {
    if (this.#failure !== null) throw this.#failure.error
  }

  /** Returns the entry at a place; `undefined` if it has left the window. */
  at(place: number): WindowEntry | undefined {
    return this.#window[place - this.#base]
  }

  /** Returns the place behind a cursor; `null` if it is not in the window. */
  placeOf(cursor: string): number | null {
    if (cursor === this.#cursor) return this.end
    const index = this.#window.findIndex(({ id }) => id === cursor)
    return index === -1 ? null : this.#base + index + 1
  }

  /** Calls a listener after each change, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#read(), ms)
    this.#timer.unref?.()
  }

  /** Reads all that is new. A call while it reads lets it read once more. */
  async #read(): Promise<void> {
    this.#isWoken = true
    if (this.#isReading) return
    this.#isReading = true
    const { pollMs, outageMs } = this.#settings
    try {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false
        await this.#readPage()
        this.#failingSince = null
        this.#failure = null
      }
      this.#schedule(pollMs)
    } catch (error) {
      this.#failingSince ??= performance.now()
      if (performance.now() - this.#failingSince >= outageMs) {
        this.#failure = { error }
        this.#notify()
      }
      this.#schedule(RETRY_MS)
    } finally {
      this.#isReading = false
    }
  }

  async #readPage(): Promise<void> {
    const { state, keep } = this.#settings
    const { entries, gone, last } = await state.read(this.#log, this.#cursor, PAGE)
    const now = performance.now()
    // A log without new entries expires whole, which loses nothing. The newest one was read a little after its append.
    const hasExpired = last === LOG_START && now - this.#seenAt >= keep.ms * 0.9
    if (gone && !hasExpired) this.#push({ id: null, data: null, size: 0 })
    if (entries.length > 0) this.#seenAt = now
    for (const entry of entries) this.#push(windowEntry(entry))
    if (entries.length === PAGE) this.#isWoken = true
    this.#cursor = entries.at(-1)?.id ?? last
    if (gone || entries.length > 0) this.#notify()
  }

  #push(entry: WindowEntry): void {
    this.#window.push(entry)
    this.#size += entry.size
    if (this.#window.length <= WINDOW.entries && this.#size <= WINDOW.size) return
    const left = this.#window.splice(0, Math.ceil(this.#window.length / 2))
    this.#base += left.length
    for (const { size } of left) this.#size -= size
  }
}

function windowEntry({ id, value }: LogEntry): WindowEntry {
  return { id, data: parsePayload(value), size: value.length }
}
