import { name } from '@cloister/schema'
import { errorTable } from './error-table.ts'

/** The names of the canary workspace. */
export const names: readonly string[] = ['cloister', name, ...Object.keys(errorTable)]
