import { errorTable } from '../error-table.ts'
import type { textOf as replaced } from '../error-text.ts'

/** Returns the short text of an error: in bundles for workers, the catalogue says less about mistakes of the app. */
export const textOf: typeof replaced = (name) => errorTable[name]
