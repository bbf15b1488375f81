import { NestingError } from '../nesting.ts'

/*
 * How deeply a walk goes into a value is counted, and does not depend on the stack. Where the count is full the walk is
 * given up: the part that lies there is decided by itself, and the walk starts again and finds what was decided.
 */

/** How many schemas may be open within each other. The default stack has room for several times as many. */
const MAX_OPEN = 150
/**
 * How many levels of references are followed: more than Ajv has room for on the default stack. A union costs some
 * microseconds at each level, and its client as few as seven bytes.
 */
const MAX_LEVELS = 5000

/** A part of a walk that is decided by itself. */
interface Part {
  /** How many levels are around it. */
  readonly level: number
  readonly decide: () => void
}

/** Thrown to give up a walk. */
class Pause {
  /** The part that the walk needs. */
  readonly part: Part

  constructor(part: Part) {
    this.part = part
  }
}

/** How deep a walk is. */
export class Descent {
  /** What is open in this part of the walk: schemas, or functions. */
  open: number = 0
  /** Levels of references that are open, those around this part included. */
  level: number = 0
  /** A walk was given up: from then on decisions are kept, so that none is made twice. */
  isDeep: boolean = false
  readonly #limit: number
  /** The last part that was decided has not been asked for yet. */
  #isUnused: boolean = false
  /** Parts cannot be decided by themselves. */
  #isWhole: boolean = false

  /** @param limit - what may be open until a part is decided by itself */
  constructor(limit: number = MAX_OPEN) {
    this.#limit = limit
  }

  /** Whether a part must be decided by itself. */
  get isFull(): boolean {
    return this.open >= this.#limit && !this.#isWhole
  }

  /**
   * Runs a walk to its end. A value that is another one each time it is read is walked over as a whole, as far as the
   * stack reaches.
   * @param walk - may run several times
   * @throws NestingError for a value with too many levels
   */
  run<Result>(walk: () => Result): Result {
    this.open = 0
    this.level = 0
    this.isDeep = false
    this.#isUnused = false
    this.#isWhole = false
    try {
      return walk()
    } catch (error) {
      if (!(error instanceof Pause)) throw error
      this.isDeep = true
      return this.#runInParts(walk, [error.part])
    }
  }

  #runInParts<Result>(walk: () => Result, waiting: Part[]): Result {
    for (;;) {
      const next = waiting.at(-1)
      this.open = 0
      this.level = next?.level ?? 0
      try {
        if (next === undefined) return walk()
        next.decide()
        waiting.pop()
        this.#isUnused = true
      } catch (error) {
        if (!(error instanceof Pause)) throw error
        if (this.#isUnused) {
          this.#isWhole = true
          waiting.length = 0
        } else waiting.push(error.part)
      }
    }
  }

  /** Notes that a decision is used. */
  found(): void {
    this.#isUnused = false
  }

  /**
   * Ends the walk of a scalar that coercion puts into lists without end: lists in which every item is such a list.
   * @throws NestingError
   */
  stopEndless(): void {
    if (this.open >= 2 * this.#limit && !this.#isWhole) throw new NestingError(MAX_LEVELS)
  }

  /** Gives the walk up until a part has been decided. */
  pause(decide: () => void): never {
    if (this.level > MAX_LEVELS) throw new NestingError(MAX_LEVELS)
    // oxlint-disable-next-line typescript/only-throw-error -- it is no error, and `run` catches it
    throw new Pause({ level: this.level, decide })
  }
}
