import { Decisions } from '../runtime/decisions.ts'
import { EditLog } from './edit-log.ts'
import type { Verdict } from './verdict.ts'

/** What a look may do with a value. */
export type Use = typeof EDIT | typeof OBSERVE | typeof UNION

/** It may note edits. */
export const EDIT = 0
/** Other schemas see the value, too: where Ajv would edit it, only a walk can tell. */
export const OBSERVE = 1
/** As {@link OBSERVE}, in a union: the first verdict other than YES, in Ajv's order, decides between NO and ASK. */
export const UNION = 2

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
