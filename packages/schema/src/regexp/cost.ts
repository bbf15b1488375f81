import { loadRegexpp } from '../dependencies.ts'
import { isAmbiguous } from './ambiguity.ts'
import { hasManyChoices } from './choices.ts'
import { ONE_WAY, worstOf, type Ways } from './degree.ts'
import { isSurelyLinear } from './glance.ts'
import { loopsOf } from './loops.ts'
import { automatonOf, TooLarge } from './positions.ts'

/** The growth of an expression's time with the length of a text that it does not match. */
export type PatternCost = 'exponential' | Ways

/** Limit of the steps of a test: some 20 ms, at about one nanosecond per step on current machines. */
const MAX_STEPS = 2e7

/**
 * Returns the cost of a regular expression (flag `u`), by an analysis of its position automaton. Elements outside of
 * the analysis count as linear: backreferences, lookbehinds, and very large expressions.
 */
export function costOf(source: string): PatternCost {
  if (isSurelyLinear(source)) return ONE_WAY
  const { RegExpParser } = loadRegexpp()
  try {
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
    const automaton = automatonOf(pattern)
    const loops = loopsOf(automaton)
    if (loops.some(isAmbiguous) || hasManyChoices(automaton, loops)) return 'exponential'
    return worstOf(loops)
  } catch (error) {
    if (error instanceof TooLarge) return ONE_WAY
    throw error
  }
}

/**
 * Returns the length of the longest text that an expression tests within the limit; Infinity when any text is.
 */
export function longestCheapText({ unlimited, limited }: Ways): number {
  if (unlimited === 0) return limited <= MAX_STEPS ? Infinity : Math.floor(Math.cbrt(MAX_STEPS))
  // A text of n characters is divided between k loops in n^k / k! ways.
  return Math.floor(((MAX_STEPS * factorial(unlimited)) / limited) ** (1 / unlimited))
}

function factorial(number: number): number {
  let product = 1
  for (let factor = 2; factor <= number; factor++) product *= factor
  return product
}
