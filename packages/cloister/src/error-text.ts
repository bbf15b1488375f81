import { errorTable, type ErrorName } from './error-table.ts'

/** The texts of an error in the catalogue. */
export interface ErrorText {
  readonly message: string
  readonly help?: string
}

/** Returns the texts of an error. */
export function textOf(name: ErrorName): ErrorText {
  return errorTable[name]
}
