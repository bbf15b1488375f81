import { shown } from '../options.ts'
import { TopicError } from './errors.ts'
import type { EventIds } from './event-id.ts'
import { PAGE, parsePayload, RETRY_MS, type LogReader, type ReaderSettings } from './log-reader.ts'
import type { LogReaders } from './log-readers.ts'
import type { LogPage } from '../types.ts'
import type { SubscribeOptions, TopicEvent } from './types.ts'

/** After so many skipped messages, a subscriber gets a cursor, so that its own does not become too old. */
const MAX_SKIPPED = 100

/** What all subscriptions to a log have. */
export interface FollowedLog {
  readonly log: string
  readonly ids: EventIds
  readonly readers: LogReaders
  readonly settings: ReaderSettings
}

/** Yields the events of a log to one subscriber. */
export async function* subscribe(
  followed: FollowedLog,
  options: SubscribeOptions<unknown>,
): AsyncGenerator<TopicEvent<unknown>, void> {
  const { log, readers, settings } = followed
  const { signal } = options
  if (readers.isClosed || signal?.aborted === true) return
  const { reader, leave } = await readers.join(log, settings)
  const subscription = new Subscription(followed, reader, options)
  try {
    yield* subscription.events()
  } finally {
    subscription.end()
    leave()
  }
}

class Subscription {
  readonly #followed: FollowedLog
  readonly #reader: LogReader
  readonly #options: SubscribeOptions<unknown>
  readonly #stopListening: () => void
  /** behind the last event; `null` for the oldest kept */
  #cursor: string | null
  /** in the window of the reader; `null` while the log itself is read */
  #place: number | null = null
  #skipped = 0
  #failingSince: number | null = null
  #wake = (): void => {}
  readonly #onChange = (): void => this.#wake()

  constructor(followed: FollowedLog, reader: LogReader, options: SubscribeOptions<unknown>) {
    this.#followed = followed
    this.#reader = reader
    this.#options = options
    this.#stopListening = reader.listen(this.#onChange)
    options.signal?.addEventListener('abort', this.#onChange)
    this.#cursor = reader.cursor
  }

  end(): void {
    this.#stopListening()
    this.#options.signal?.removeEventListener('abort', this.#onChange)
  }

  get #isOver(): boolean {
    return this.#options.signal?.aborted === true || this.#followed.readers.isClosed
  }

  async *events(): AsyncGenerator<TopicEvent<unknown>, void> {
    if (!this.#isOver) yield* this.#begin()
    while (!this.#isOver) {
      this.#reader.assertWorking()
      this.#place ??= this.#cursor === null ? null : this.#reader.placeOf(this.#cursor)
      if (this.#place === null) yield* this.#readLog()
      else if (this.#place === this.#reader.end) await this.#change()
      else yield* this.#readWindow(this.#place)
    }
  }

  *#begin(): Generator<TopicEvent<unknown>, void> {
    const { after, from = 'now' } = this.#options
    const { ids } = this.#followed
    if (typeof after === 'string' && after !== '') {
      this.#cursor = ids.cursorOf(after)
      if (this.#cursor === null) yield { event: 'gap' }
    } else if (from === 'oldest') this.#cursor = null
    else {
      this.#place = this.#reader.end
      yield { id: ids.idOf(this.#reader.cursor) }
    }
  }

  /** Yields the rest of the window. A subscriber that was slow may have fallen behind it. */
  async *#readWindow(from: number): AsyncGenerator<TopicEvent<unknown>, void> {
    for (let place = from; !this.#isOver; place++) {
      const entry = this.#reader.at(place)
      this.#place = entry !== undefined || place === this.#reader.end ? place : null
      if (entry === undefined) return
      const event = entry.id === null ? GAP : await this.#eventOf(entry.id, entry.data)
      this.#place = place + 1
      if (event !== null) yield event
    }
  }

  /** Yields a page of the log, for a subscriber that is not in the window yet, or no longer. */
  async *#readLog(): AsyncGenerator<TopicEvent<unknown>, void> {
    const { log, ids, settings } = this.#followed
    const { end } = this.#reader
    const isFirst = this.#cursor === null
    const page = await this.#attempt(() => settings.state.read(log, this.#cursor, PAGE))
    if (page === null) return
    const { entries, gone, last } = page
    if (gone) yield GAP
    for (const { id, value } of entries) {
      if (this.#isOver) return
      const event = await this.#eventOf(id, parsePayload(value))
      if (event !== null) yield event
    }
    if (entries.length > 0) return
    this.#cursor = last
    if (gone || isFirst) yield { id: ids.idOf(last) }
    // The reader has not come as far yet.
    const isBehind = this.#reader.placeOf(last) === null && this.#reader.end === end
    if (isBehind && !this.#isOver) await this.#change()
  }

  #change(mostMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = mostMs === undefined ? undefined : setTimeout(resolve, mostMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Returns `null` while the store fails, until it has failed for too long. */
  async #attempt(read: () => Promise<LogPage>): Promise<LogPage | null> {
    try {
      const page = await read()
      this.#failingSince = null
      return page
    } catch (error) {
      this.#failingSince ??= performance.now()
      if (performance.now() - this.#failingSince >= this.#followed.settings.outageMs) throw error
      await this.#change(RETRY_MS)
      return null
    }
  }

  /** Returns the message; `null` if the subscriber may not have it, and now and then only its cursor. */
  async #eventOf(id: string, data: unknown): Promise<TopicEvent<unknown> | null> {
    const { where } = this.#options
    const isWanted: unknown = where === undefined ? true : await where(data)
    if (typeof isWanted !== 'boolean') {
      const problem = `the filter 'where' of a subscription must return true or false, not ${shown(isWanted)}`
      throw new TopicError('CLO_ERR_TOPIC_FILTER', problem)
    }
    this.#cursor = id
    if (isWanted) {
      this.#skipped = 0
      return { event: 'message', id: this.#followed.ids.idOf(id), data }
    }
    this.#skipped = (this.#skipped + 1) % MAX_SKIPPED
    return this.#skipped === 0 ? { id: this.#followed.ids.idOf(id) } : null
  }
}

const GAP = { event: 'gap' } as const
