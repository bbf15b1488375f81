import { isObject } from '../guards.ts'
import { remember } from '../remember.ts'

/*
 * A schema that refers to itself in several branches of a union checks the same value again and again: with two
 * branches twice as often at each level of nesting. After a number of checks, each pair of value and schema is
 * decided only once.
 */

/** How many checks of one run are free: repeating a check is cheaper than looking its result up. */
const FREE_CHECKS = 2000

/** The results of the checks of one run. */
export class Decisions<Result> {
  /** The checks of this run that were counted. */
  checks: number = 0
  /** Weak, because nothing reports the end of the last run. */
  #decided: Map<unknown, WeakMap<object, Result>> | undefined

  /** Forgets the results of the run before. */
  begin(): void {
    this.checks = 0
    this.#decided = undefined
  }

  /** Counts a check; returns true if it need not be looked up. */
  isFree(): boolean {
    this.checks += 1
    return this.checks <= FREE_CHECKS
  }

  of(check: unknown): WeakMap<object, Result> {
    this.#decided ??= new Map()
    return remember(this.#decided, check, () => new WeakMap<object, Result>())
  }
}

/** Creates the decisions for an acceptor. */
export function createDecisions(): Decisions<number> {
  return new Decisions()
}

/**
 * Returns the result of a check without edits, looked up if the value was checked before. Scalars contain no other
 * values, so checks of them do not multiply.
 */
export function decideOnce<Result>(
  decisions: Decisions<Result>,
  check: (value: unknown) => Result,
  value: unknown,
): Result {
  if (!isObject(value)) return check(value)
  return remember(decisions.of(check), value, () => check(value))
}
