import type { ErrorObject } from 'ajv'

/** Holds a value that coercion may replace. */
export interface ValueHolder {
  /** The root value; a coercion replaces it. */
  value: unknown
}

/** Accepts a value and changes it as Ajv would, or returns false and changes nothing. */
export type Accept = (data: unknown, holder?: ValueHolder) => boolean

/** Validates the values that no acceptor has accepted, and returns their errors. */
export interface Decider {
  /**
   * Validates in place; returns null for a valid value.
   * @param holder - holds `data` itself; a coercion of the whole value replaces it there
   */
  errorsOf(data: unknown, holder?: ValueHolder): ErrorObject[] | null
  /**
   * Validates with an inner schema, which the `schemaPath` of an error names. Returns null for a valid value, and if
   * there is no such schema.
   */
  errorsOfPart(schemaPath: string, data: unknown): ErrorObject[] | null
  /**
   * Returns where the errors of the branches begin in a list of errors with the error of a union; undefined if the
   * decider doesn't note it.
   */
  branchesStart?(union: ErrorObject): number | undefined
}

/**
 * The maximum total length of the pointers in the errors of one value. A value that is nested in thousands of levels
 * of a union has errors at each level, and each names all levels around it: 70 KB would have 300 MB of errors.
 */
const MAX_POINTERS = 1_048_576

/** Returns the errors up to that limit, and the last one, which is about the outermost schema. */
export function boundedErrors(errors: ErrorObject[]): ErrorObject[] {
  let left = MAX_POINTERS
  for (const [index, { instancePath }] of errors.entries()) {
    left -= instancePath.length
    if (left < 0) return [...errors.slice(0, index), ...errors.slice(Math.max(index, errors.length - 1))]
  }
  return errors
}
