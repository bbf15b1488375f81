import { isAmbiguous } from './ambiguity.ts'
import { hasManyChoices } from './choices.ts'
import { ONE_WAY, worstOf, type Ways } from './degree.ts'
import { isSurelyLinear } from './glance.ts'
import { loopsOf } from './loops.ts'
import { parsePattern, Unsupported } from './parse.ts'
import { automatonOf, TooLarge } from './positions.ts'

/** The growth of an expression's time in V8 with the length of a text that it does not match. */
export type PatternCost = 'exponential' | Ways

/** The result of an analysis. */
export interface Analysis {
  readonly cost: PatternCost
  /** False for expressions that are too large or are not read. They count as linear. */
  readonly isCertain: boolean
}

/** Limit of the steps of a test: some 20 ms, at about one nanosecond per step on current machines. */
export const MAX_STEPS = 2e7

/**
 * Analyses the position automaton of an expression. Backreferences and lookbehinds are outside of the analysis: they
 * count as linear.
 */
export function analyse(source: string, flags: string): Analysis {
  if (isSurelyLinear(source) && !flags.includes('m')) return { cost: ONE_WAY, isCertain: true }
  try {
    const automaton = automatonOf(parsePattern(source, flags))
    const loops = loopsOf(automaton)
    const verdicts = loops.map(isAmbiguous)
    const isExponential = verdicts.includes(true) || hasManyChoices(automaton, loops)
    return { cost: isExponential ? 'exponential' : worstOf(loops), isCertain: !verdicts.includes(undefined) }
  } catch (error) {
    if (error instanceof TooLarge || error instanceof Unsupported) return { cost: ONE_WAY, isCertain: false }
    throw error
  }
}

/** Returns the length of the longest text that an expression tests within a number of steps; Infinity when any text is. */
export function longestCheapText(cost: PatternCost, steps: number = MAX_STEPS): number {
  if (cost === 'exponential') return 0
  const { unlimited, limited } = cost
  if (unlimited === 0) return limited <= steps ? Infinity : Math.floor(Math.cbrt(steps))
  // A text of n characters is divided between k loops in n^k / k! ways.
  return Math.floor(((steps * factorial(unlimited)) / limited) ** (1 / unlimited))
}

function factorial(number: number): number {
  let product = 1
  for (let factor = 2; factor <= number; factor++) product *= factor
  return product
}
