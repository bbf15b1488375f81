import type { costOf as replaced } from '../regexp/cost.ts'
import { ONE_WAY } from '../regexp/degree.ts'

/**
 * Takes every expression for a cheap one: the analysis needs a parser of expressions, a seventh of what a worker loads.
 * The boot of the same app on Node has it.
 */
export const costOf: typeof replaced = () => ONE_WAY

/** The length of the longest text that an expression tests within the limit: of a cheap one any. */
export function longestCheapText(): number {
  return Infinity
}
