import type { analyse as replaced } from '../regexp/cost.ts'
import { ONE_WAY } from '../regexp/degree.ts'
import { isSurelyLinear } from '../regexp/glance.ts'

/** The limit of the steps of a test, as in the analysis. */
export const MAX_STEPS = 2e7

/**
 * Skips the analysis: automata run all expressions that are not obviously linear. Booting the same app on Node
 * reports those that automata cannot run.
 */
export const analyse: typeof replaced = (source, flags) => {
  return { cost: ONE_WAY, isCertain: isSurelyLinear(source) && !flags.includes('m') }
}

/** Returns the length of the longest text that an expression tests within the limit: unlimited, since all are cheap. */
export function longestCheapText(): number {
  return Infinity
}
