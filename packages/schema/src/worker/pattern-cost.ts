import type { analyse as replaced } from '../regexp/cost.ts'
import { ONE_WAY } from '../regexp/degree.ts'
import { isSurelyLinear } from '../regexp/glance.ts'

/** The limit of the steps of a test, as in the analysis. */
export const MAX_STEPS = 2e7

/**
 * Leaves out the analysis: automata run what is not linear at a glance. The boot of the same app on Node names what they
 * cannot run.
 */
export const analyse: typeof replaced = (source, flags) => {
  return { cost: ONE_WAY, isCertain: isSurelyLinear(source) && !flags.includes('m') }
}

/** The length of the longest text that an expression tests within the limit: of a cheap one any. */
export function longestCheapText(): number {
  return Infinity
}
