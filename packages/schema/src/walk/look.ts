import { Decisions } from '../runtime/decisions.ts'
import { replay } from '../runtime/replay.ts'

/** What a look at a value says. */
export type Verdict = typeof YES | typeof NO | typeof ASK

/** It fits, with the edits that were noted. */
export const YES = 1
/** It surely does not fit, and Ajv would have changed nothing up to here. */
export const NO = 0
/** Only a walk can tell. */
export const ASK = -1

/** What a look may do with a value. */
export type Use = typeof EDIT | typeof OBSERVE | typeof UNION | typeof JUDGE

/** It may note edits. */
export const EDIT = 0
/** Other schemas see the value, too: where Ajv would edit it, only a walk can tell. */
export const OBSERVE = 1
/** As {@link OBSERVE}, in a union: the first verdict other than YES, in Ajv's order, decides between NO and ASK. */
export const UNION = 2
/** There is no walk and nothing is edited: what only a walk could tell does not fit. For serializers. */
export const JUDGE = 3

/** References that are looked through at once. Deeper values are for walks, which the stack does not limit. */
const MAX_OPEN = 120

/** One look at a value: what all schemas that take part in it share. It is used again. */
export class Look {
  use: Use = EDIT
  /** References that are open. */
  open: number = 0
  readonly log: EditLog = new EditLog()
  /** What schemas have decided about a value that other schemas see, too. */
  readonly decisions: Decisions<Verdict> = new Decisions()

  /** Begins a look. */
  begin(use: Use): this {
    this.use = use
    this.open = 0
    this.decisions.begin()
    return this
  }

  get isDeep(): boolean {
    return this.open >= MAX_OPEN
  }

  /** Ends it, and makes the edits that it has noted where the value fits. */
  end(fits: boolean): boolean {
    const { log } = this
    if (log.length > 0) {
      if (fits) log.replay()
      log.clear()
    }
    return fits
  }
}

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

  /** Notes that a property gets another value, or `DELETED`. */
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
    replay(this.#entries, this.#size)
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
