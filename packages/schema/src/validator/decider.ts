import type { ErrorObject } from 'ajv'

/** Holds a value that coercion may replace as a whole. */
export interface ValueHolder {
  /** The root value; a coercion replaces it. */
  value: unknown
}

/** Accepts a value and changes it as Ajv would, or returns false and changes nothing. */
export type Accept = (data: unknown, holder?: ValueHolder) => boolean

/** Validates the values that no acceptor has accepted, and says what is wrong with them. */
export interface Decider {
  /**
   * Validates in place; null for a value that is valid.
   * @param holder - holds `data` itself; a coercion of the whole value replaces it there
   */
  errorsOf(data: unknown, holder?: ValueHolder): ErrorObject[] | null
  /**
   * Validates by a schema inside, which the `schemaPath` of an error names. Null for a value that is valid, and where
   * there is no such schema.
   */
  errorsOfPart(schemaPath: string, data: unknown): ErrorObject[] | null
  /**
   * Where the errors of the branches begin in a list of errors that has the error of a union; undefined where only their
   * paths tell.
   */
  branchesStart?(union: ErrorObject): number | undefined
}
