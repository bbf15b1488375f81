import { isAmbiguous } from './ambiguity.ts'
import { ONE_WAY, worstOf, type Ways } from './degree.ts'
import { isSurelyLinear } from './glance.ts'
import { loopsOf, type Loop } from './loops.ts'
import { parsePattern, Unsupported } from './parse.ts'
import type { Position } from './ends.ts'
import { TooLarge, automatonOf, type Automaton } from './positions.ts'
import { hasBit } from './bits.ts'

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
 * Analyses the position automaton of an expression. A backreference counts as what its group reads, and how often
 * lookbehinds are tried is outside of the analysis.
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

/*
 * Many optional elements in a row take exponential time without any loop: `a?a?a?aaa` can leave out any of its first
 * letters. The ways to read a text are counted, step by step; its next letter is the one that most ways read.
 */

/** Fewer optional elements have few ways. */
const MIN_OPTIONAL = 16
const MANY_WAYS = 2 ** 17

/** Whether a text can be read in very many ways without any loop. */
function hasManyChoices(automaton: Automaton, loops: readonly Loop[]): boolean {
  const { positions, accepting, letters, optional, mostEmpty } = automaton
  if (mostEmpty >= MANY_WAYS) return true
  if (optional < MIN_OPTIONAL) return false
  const looping = new Set(loops.flatMap((loop) => loop.positions))
  const straight = positions.filter((position) => !looping.has(position) && !accepting.has(position))
  return mostWays(straight, letters) >= MANY_WAYS
}

/** The most ways that lead to any of the positions in a text. */
function mostWays(straight: readonly Position[], letters: number): number {
  const known = new Set(straight)
  let ways = new Map(straight.map((position) => [position, 1]))
  let most = 0
  for (let step = 0; step < straight.length && ways.size > 0 && most < MANY_WAYS; step++) {
    const after = new Map<Position, number>()
    for (const [position, count] of ways) {
      for (const [next, edges] of position.next) {
        if (known.has(next)) after.set(next, (after.get(next) ?? 0) + count * edges)
      }
    }
    const readings = Array.from({ length: letters }, (_, letter) =>
      [...after].filter(([{ characters }]) => hasBit(characters, letter)),
    )
    const sums = readings.map((reading) => reading.reduce((sum, [, count]) => sum + count, 0))
    ways = new Map(readings[sums.indexOf(Math.max(...sums))])
    most = Math.max(most, ...ways.values())
  }
  return most
}
