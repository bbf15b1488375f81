import { describe, expect, it } from 'vitest'
import { analyse } from '../../src/regexp/cost.ts'
import type { Ways } from '../../src/regexp/degree.ts'
import { parsePattern, type Pattern } from '../../src/regexp/parse.ts'
import { Random } from '../validator/random.ts'
import { stepsOf } from './backtracker.ts'

/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'])
const EXPRESSIONS = Number(process.env['CLOISTER_EXPRESSIONS'] ?? 200)
const TIMEOUT_MS = 60 * 60_000

const ATOMS = String.raw`a a a b b [ab] \w . [^a] A \s - α \p{L} \W [a-z]`.split(' ')
const ASSERTIONS = String.raw`\b \b \B ^ $`.split(' ')
const LOOKS = ['(?=', '(?!', '(?<=', '(?<!']
const QUANTIFIERS = '* * + + ? ? {2} {1,2} {0,3} {2,} {9} {3,12} {0,9} *? +? ??'.split(' ')
const FLAGS = ['u', 'u', 'u', 'iu', 'mu', 'su']

/** Texts of which one is repeated between the others. */
const PUMPS = 'a,b,-, ,A,α,\n,ab,ba,a-,-a,a ,aα,aA,b-,aab,aba,abb,a\n'.split(',')
const HEADS = ['', 'a', 'b', '-']
const MAX_PUMPS = 24
const TAILS = ['', '!', 'b', 'a!', '\n']

/** Makes expressions in which parts are repeated, left out and compared in all ways. */
class Expressions {
  readonly #random: Random
  #groups = 0

  constructor(random: Random) {
    this.#random = random
  }

  next(): RegExp {
    const random = this.#random
    for (;;) {
      this.#groups = 0
      const [head, tail] = [random.chance(0.7) ? '^' : '', random.chance(0.6) ? '$' : '']
      const source = `${head}${this.#choice(3)}${tail}`
      try {
        if (source.length < 60) return new RegExp(source, random.pick(FLAGS))
      } catch {
        // A quantifier behind an assertion, or a group that is not there.
      }
    }
  }

  #choice(depth: number): string {
    const count = this.#random.chance(0.35) ? 2 + this.#random.below(2) : 1
    return Array.from({ length: count }, () => this.#sequence(depth)).join('|')
  }

  #sequence(depth: number): string {
    const count = this.#random.chance(0.08) ? 0 : 1 + this.#random.below(3)
    return Array.from({ length: count }, () => this.#term(depth)).join('')
  }

  #term(depth: number): string {
    const random = this.#random
    const kind = random.below(100)
    if (kind < 8) return random.pick(ASSERTIONS)
    if (kind < 14 && depth > 0) return `${random.pick(LOOKS)}${this.#choice(depth - 1)})`
    const part =
      kind < 18 && this.#groups > 0 ? `\\${1 + random.below(this.#groups)}` : this.#part(kind, depth)
    return random.chance(0.5) ? part + random.pick(QUANTIFIERS) : part
  }

  #part(kind: number, depth: number): string {
    if (kind >= 50 || depth === 0) return this.#random.pick(ATOMS)
    if (this.#random.chance(0.7)) return `(?:${this.#choice(depth - 1)})`
    this.#groups += 1
    return `(${this.#choice(depth - 1)})`
  }
}

type Text = (length: number) => string

/** The texts that take the most steps, of all heads, pumps and tails. */
function worstTexts(pattern: Pattern): Text[] {
  const texts = HEADS.flatMap((head) =>
    PUMPS.flatMap((pump) =>
      TAILS.map(
        (tail): Text =>
          (length) =>
            head + pump.repeat(length) + tail,
      ),
    ),
  )
  const tried = texts.map((text) => ({ text, steps: stepsOf(pattern, text(8), 20_000) / text(8).length }))
  return tried
    .toSorted((left, right) => right.steps - left.steps)
    .slice(0, 5)
    .map(({ text }) => text)
}

/**
 * Whether the steps grow by the same factor with each further repetition, and faster than the analysis says. A power of the
 * length grows ever more slowly. Limited repetitions are powers, too, as long as the text is shorter than they are.
 */
function explodes(pattern: Pattern, text: Text, { unlimited, limited }: Ways): boolean {
  const logs: number[] = []
  for (let length = 6; length <= MAX_PUMPS; length += 2) {
    const steps = stepsOf(pattern, text(length), 1_000_000)
    if (steps === Infinity) break
    logs.push(Math.log(steps))
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = logs.slice(-4)
  const length = 4 + 2 * logs.length
  const foretold = (unlimited + Math.log2(limited) + 2) * Math.log(length / (length - 2))
  const isSteady = fourth - third >= 0.9 * (third - second) && third - second >= 0.9 * (second - first)
  return logs.length >= 4 && isSteady && fourth - third > foretold
}

describe('the analysis of expressions', () => {
  it('calls none harmless for which some text explodes', { timeout: TIMEOUT_MS }, () => {
    const random = new Random(SEED)
    const expressions = new Expressions(random)
    let exponential = 0
    for (let count = 0; count < EXPRESSIONS; count++) {
      const { source, flags } = expressions.next()
      const { cost, isCertain } = analyse(source, flags)
      if (cost === 'exponential') exponential += 1
      if (cost === 'exponential' || !isCertain) continue
      const pattern = parsePattern(source, flags)
      const found = worstTexts(pattern).find((text) => explodes(pattern, text, cost))
      expect([source, flags, found?.(5)], `CLOISTER_SEED=${SEED}`).toEqual([source, flags, undefined])
    }
    // Most are harmless, and the others are there.
    expect(exponential / EXPRESSIONS).toBeGreaterThan(0.05)
    expect(exponential / EXPRESSIONS).toBeLessThan(0.4)
  })
})
