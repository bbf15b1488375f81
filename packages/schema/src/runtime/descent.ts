import { isStackOverflow, MAX_LEVELS, NestingError } from '../nesting.ts'

/*
 * Counts how deeply a walk goes into a value, which must not depend on the stack. At the limit the walk is aborted:
 * the part at this depth is decided separately, then the walk starts again and finds that decision.
 */

/** The maximum number of open schemas. The default stack has room for several times as many. */
const MAX_OPEN = 150

/** A part of a walk that is decided separately. */
interface Part {
  readonly level: number
  /** Returns the decision. */
  readonly decide: () => object
}

/** Thrown to abort a walk. */
class Pause {
  readonly part: Part

  constructor(part: Part) {
    this.part = part
  }
}

/** The current depth of a walk. */
export class Descent {
  /** The number of open schemas, or functions, in this part of the walk. */
  open: number = 0
  /** The number of open reference levels, including those around this part. */
  level: number = 0
  /** Set after a walk was aborted: from then on decisions are kept, so that none is made twice. */
  isDeep: boolean = false
  readonly #limit: number
  /** The decision about the last part; null once it was used. */
  #unused: object | null = null
  /** Whether parts cannot be decided separately. */
  #isWhole: boolean = false

  /** @param limit - how many may be open before a part is decided separately */
  constructor(limit: number = MAX_OPEN) {
    this.#limit = limit
  }

  /** Whether a part must be decided separately. */
  get isFull(): boolean {
    return this.open >= this.#limit && !this.#isWhole
  }

  /**
   * Runs a walk to its end. If a value differs each time it is read, or coercion makes another list of it each time, the
   * walk covers it as a whole, as far as the stack allows.
   * @param walk - may run several times
   * @throws NestingError for a value with too many levels, or with more than the stack allows
   */
  run<Result>(walk: () => Result): Result {
    this.open = 0
    this.level = 0
    this.isDeep = false
    this.#unused = null
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
        this.#unused = next.decide()
        waiting.pop()
      } catch (error) {
        if (this.#isWhole && isStackOverflow(error)) throw new NestingError()
        if (!(error instanceof Pause)) throw error
        if (this.#unused !== null) {
          this.#isWhole = true
          waiting.length = 0
        } else waiting.push(error.part)
      }
    }
  }

  /** Records that a decision is used. */
  found(decision: object): void {
    if (decision === this.#unused) this.#unused = null
  }

  /**
   * Ends the walk of a scalar that coercion would wrap in lists without end: lists in which every item is such a
   * list.
   * @throws NestingError
   */
  stopEndless(): void {
    if (this.open >= 2 * this.#limit && !this.#isWhole) throw new NestingError()
  }

  /** Aborts the walk until a part has been decided. */
  pause(decide: () => object): never {
    if (this.level > MAX_LEVELS) throw new NestingError()
    // oxlint-disable-next-line typescript/only-throw-error -- it is not an error, and `run` catches it
    throw new Pause({ level: this.level, decide })
  }
}
