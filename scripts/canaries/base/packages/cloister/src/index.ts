import { name } from '@cloister/schema'

/** The names of the canary workspace. */
export const names: readonly string[] = ['cloister', name]
