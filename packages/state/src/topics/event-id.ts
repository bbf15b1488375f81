import { LOG_START } from '../cursor.ts'
import { hashOf } from '../keys.ts'

/** The cursors of a log as clients see them: with a hash of the log, so that those of other logs are refused. */
export class EventIds {
  readonly #hash: string
  readonly #keepMs: number

  /** @param keepMs - how long entries of the log are kept, in milliseconds */
  constructor(log: string, keepMs: number) {
    this.#hash = hashOf(log).slice(0, 12)
    this.#keepMs = keepMs
  }

  /** Returns the id of a cursor. That of the start has the time: a log of that name may begin more than once. */
  idOf(cursor: string): string {
    return cursor === LOG_START ? `${this.#hash}.@${Date.now()}` : `${this.#hash}.${cursor}`
  }

  /** Returns the cursor of an id; `null` for an id of another log, or one that is too old. */
  cursorOf(id: string): string | null {
    if (!id.startsWith(`${this.#hash}.`)) return null
    const cursor = id.slice(this.#hash.length + 1)
    if (!cursor.startsWith('@')) return cursor
    // The clock of the process that made the id may differ by half of the time. An id of the future has no known age.
    return Math.abs(Date.now() - Number(cursor.slice(1))) < this.#keepMs / 2 ? LOG_START : null
  }
}
