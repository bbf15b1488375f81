import { Decisions } from '../runtime/decisions.ts'
import { replay } from '../runtime/replay.ts'

/** The result of a look at a value. */
export type Verdict = typeof YES | typeof NO | typeof ASK

/** The value matches, with the noted edits. */
export const YES = 1
/** The value surely doesn't match, and Ajv would have changed nothing before it found out. */
export const NO = 0
/** Only a walk can decide. */
export const ASK = -1

/** What a look is allowed to do with a value. */
export type Use = typeof EDIT | typeof OBSERVE | typeof UNION | typeof JUDGE

/** It may note edits. */
export const EDIT = 0
/** Other schemas see the value, too: if Ajv would edit it, only a walk can decide. */
export const OBSERVE = 1
/**
 * The same as {@link OBSERVE}, in a union: the first verdict other than YES, in Ajv's order, decides between NO and
 * ASK.
 */
export const UNION = 2
/** There is no walk and nothing is edited: a value that only a walk could decide doesn't match. For serializers. */
export const JUDGE = 3

/** The maximum depth of open references. Deeper values are left to walks, which the stack does not limit. */
const MAX_OPEN = 120

/** One look at a value: the common state of all schemas. It is reused. */
export class Look {
  use: Use = EDIT
  /** References that are open. */
  open: number = 0
  readonly log: EditLog = new EditLog()
  /** The verdicts about values that other schemas see, too. */
  readonly decisions: Decisions<Verdict> = new Decisions()

  /** Begins a look. */
  begin(use: Use): this {
    this.use = use
    this.open = 0
    if (this.decisions.checks > 0) this.decisions.begin()
    return this
  }

  get isDeep(): boolean {
    return this.open >= MAX_OPEN
  }

  /** Ends the look, and makes the noted edits if the value matches. */
  end(fits: boolean): boolean {
    const { log } = this
    if (log.size > 0) {
      if (fits) replay(log.entries, log.size)
      log.clear()
    }
    return fits
  }
}

/** The edits that a walk has noted. The list is reused, because growing a new one takes more time than its entries. */
export class EditLog {
  /** Object, key, value, object, key, value, … */
  readonly entries: unknown[] = []
  /** How many entries are edits; a smaller number drops the later ones. */
  size: number = 0

  /** Notes a new value of a property, or `DELETED`. */
  push(object: unknown, key: string | number, value: unknown): void {
    const { entries, size: at } = this
    entries[at] = object
    entries[at + 1] = key
    entries[at + 2] = value
    this.size = at + 3
  }

  /** Drops the edits, and the values that they refer to. */
  clear(): void {
    const { entries } = this
    if (this.size > MAX_KEPT) entries.length = 0
    // The loop takes less time than the method of arrays.
    else for (let at = 0; at < this.size; at++) entries[at] = undefined
    this.size = 0
  }
}

/** The number of entries that are kept for the next walk. */
const MAX_KEPT = 150
