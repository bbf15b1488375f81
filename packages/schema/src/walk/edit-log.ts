import { isObject } from '../guards.ts'
import { ItemRun } from '../runtime/item-run.ts'
import { DELETED } from '../runtime/replay.ts'

/** The edits that a walk has noted. The list is used again: one that grows anew costs more than what it holds. */
export class EditLog {
  /** Object, key, value, object, key, value, … */
  readonly #entries: unknown[] = []
  #size: number = 0

  /** How much was noted; a smaller number forgets what was noted since. */
  get length(): number {
    return this.#size
  }

  set length(size: number) {
    this.#size = size
  }

  /** Notes that a property gets another value, or {@link DELETED}; an {@link ItemRun} says it of several items. */
  push(object: unknown, key: string | number, value: unknown): void {
    const entries = this.#entries
    const at = this.#size
    entries[at] = object
    entries[at + 1] = key
    entries[at + 2] = value
    this.#size = at + 3
  }

  /** Makes the edits. */
  replay(): void {
    const entries = this.#entries
    for (let at = 0; at < this.#size; at += 3) {
      const object = entries[at]
      const key = entries[at + 1]
      if (!isObject(object) || (typeof key !== 'string' && typeof key !== 'number')) continue
      const value = entries[at + 2]
      if (value === DELETED) delete object[key]
      else if (value instanceof ItemRun) value.replay(object)
      else object[key] = value
    }
  }

  /** Takes the last edit back, and returns the value that was to be there. */
  takeBack(): unknown {
    this.#size -= 3
    return this.#entries[this.#size + 2]
  }

  /** Forgets the edits and all that they hold. */
  clear(): void {
    const entries = this.#entries
    if (this.#size > MAX_KEPT) entries.length = 0
    // The loop takes less time than the method of arrays.
    else for (let at = 0; at < this.#size; at++) entries[at] = undefined
    this.#size = 0
  }
}

/** How many entries keep their place for the next walk. */
const MAX_KEPT = 150
