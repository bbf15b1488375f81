import { isObject } from '../guards.ts'
import { remember } from '../remember.ts'

/*
 * A schema that refers to itself in several branches of a union looks at the same value again and again: with two
 * branches twice as often at each level of nesting. After a while each pair of value and schema is decided once.
 */

/** How many checks of one run are free: to repeat a check is cheaper than to look its result up. */
const FREE_CHECKS = 2000

/** What the checks of one run have decided. */
export class Decisions<Result> {
  #checks: number = 0
  /** Weak, because the last run is not known to be over. */
  #decided: Map<unknown, WeakMap<object, Result>> | undefined

  /** Begins a run. */
  begin(): void {
    this.#checks = 0
    this.#decided = undefined
  }

  /** Counts a check; true when it need not be looked up. */
  isFree(): boolean {
    this.#checks += 1
    return this.#checks <= FREE_CHECKS
  }

  /** The results of a check, by value. */
  of(check: unknown): WeakMap<object, Result> {
    this.#decided ??= new Map()
    return remember(this.#decided, check, () => new WeakMap<object, Result>())
  }
}

/** Makes the decisions of an acceptor. */
export function createDecisions(): Decisions<number> {
  return new Decisions()
}

/**
 * The result of a check that edits nothing; looked up when the value was checked before. Scalars hold no other values,
 * so that checks of them do not multiply.
 */
export function decideOnce<Result>(
  decisions: Decisions<Result>,
  check: (value: unknown) => Result,
  value: unknown,
): Result {
  if (!isObject(value)) return check(value)
  return remember(decisions.of(check), value, () => check(value))
}
