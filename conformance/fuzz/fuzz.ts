// How a target is fuzzed: inputs that are kept, then random ones, for a number of runs or, in the check of all, a time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { growthOf } from '../../packages/schema/test/growth.ts'

const SECONDS = Number(process.env['CLOISTER_FUZZ_SECONDS'] ?? '0')
const DAILY_RUNS = 300
const GROWTH_RUNS = 15
/** Above this the CPU time of an input grows faster than its size. */
const LINEAR = 1.6
const SMALL = 8192

/** For how many runs, or how long, random inputs are tried. */
export function limits(runs: number = DAILY_RUNS): { numRuns: number; interruptAfterTimeLimit?: number } {
  if (SECONDS === 0) return { numRuns: runs }
  return { numRuns: 1e9, interruptAfterTimeLimit: SECONDS * 1000 }
}

/** The time of a test, with room for a busy machine. */
export const timeout: number = 300_000 + SECONDS * 2000

/** The inputs that are kept for a target: those that once failed, and those that are easy to get wrong. */
export function corpus(name: string): string[] {
  const file = join(import.meta.dirname, 'corpus', `${name}.json`)
  const inputs: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(inputs) || inputs.length === 0) throw new Error(`${file} must be a list of texts`)
  return inputs.map(String)
}

/** Checks a property of the texts of a target: those that are kept and random ones. */
export function fuzz(
  name: string,
  promise: string,
  random: fc.Arbitrary<string>,
  check: (text: string) => unknown,
  runs?: number,
): void {
  it(promise, { timeout }, async () => {
    const kept = corpus(name)
    for (const text of kept) await check(text)
    const any = fc.oneof(random, fc.constantFrom(...kept), mixture(kept))
    const property = fc.asyncProperty(any, async (text) => void (await check(text)))
    await fc.assert(property, limits(runs))
  })
}

/** Pieces of kept inputs, one after the other. */
function mixture(kept: readonly string[]): fc.Arbitrary<string> {
  const piece = fc
    .tuple(fc.constantFrom(...kept), fc.nat(40), fc.nat(40))
    .map(([text, from, length]) => text.slice(from, from + length))
  return fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
}

/** CPU times include those of other test threads, so a growth counts when three measurements show it. */
function confirmedGrowth(run: (size: number) => unknown): number {
  let least = Infinity
  for (let attempt = 0; attempt < 3 && least >= LINEAR; attempt++) {
    least = Math.min(least, growthOf(run, SMALL, 4))
  }
  return least
}

/**
 * Checks that the CPU time for a text grows no faster than its size: a fragment is repeated, and four times as much of
 * it may take four times as long.
 */
export function fuzzGrowth(name: string, run: (text: string) => unknown): void {
  it('takes time in proportion to the size', { timeout }, () => {
    const part = fc.oneof(fc.constantFrom(...corpus(name)), fc.string({ maxLength: 8 }))
    const around = fc.oneof(fc.constant(''), fc.string({ maxLength: 8 }), fc.constantFrom(...corpus(name)))
    fc.assert(
      fc.property(around, part, around, (before, fragment, after) => {
        const text = (size: number): string =>
          before + fragment.repeat(Math.ceil(size / Math.max(1, fragment.length))) + after
        expect(confirmedGrowth((size) => run(text(size)))).toBeLessThan(LINEAR)
      }),
      limits(GROWTH_RUNS),
    )
  })
}
