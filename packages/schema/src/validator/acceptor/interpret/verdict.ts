import type { CheckNode, TestNode } from '../ir.ts'
import type { EditLog } from './edit-log.ts'

/** What a check says of a value: it fits, it surely does not, or only Ajv can decide. */
export type Verdict = 1 | 0 | -1

export const FITS = 1
export const REJECTED = 0
export const DEFERRED = -1

/**
 * A check as a function.
 * @param log - gets the edits: object, key, value, object, key, value, …
 * @param parent - the object that holds the value under `key`
 */
export type Check<Value = unknown> = (
  value: Value,
  log: EditLog,
  parent: unknown,
  key: string | number,
) => Verdict

/** The tests of a value of a known type; edits of parts of the value go to the log. */
export type Step<Value = unknown> = (value: Value, log: EditLog) => Verdict

/** Several steps as one, until one does not pass. */
export function sequence<Value>(steps: readonly Step<Value>[]): Step<Value> {
  const [a, b, c] = steps
  if (a === undefined) return () => FITS
  if (b === undefined) return a
  if (c === undefined) {
    return (value, log) => {
      const verdict = a(value, log)
      return verdict === FITS ? b(value, log) : verdict
    }
  }
  return (value, log) => {
    for (const step of steps) {
      const verdict = step(value, log)
      if (verdict !== FITS) return verdict
    }
    return FITS
  }
}

/** Tests in the order in which they are made. */
export type Tests = readonly TestNode[]

/** What makes the closures of one acceptor. */
export interface Interpreter {
  /** The check of a node. */
  readonly check: (node: CheckNode) => Check
  /** A test that is about values of every kind. */
  steps(test: TestNode): Step[]
}
