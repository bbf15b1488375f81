import { describe, expect, it } from 'vitest'
import { linearOf } from '../../src/regexp/linear.ts'
import { Random } from '../validator/random.ts'
import { randomExpression, randomText } from './random-expressions.ts'

/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'])
const PAIRS = Number(process.env['CLOISTER_EXPRESSION_PAIRS'] ?? 4000)
const TEXTS = 10
const TIMEOUT_MS = 60 * 60_000

/** Pairs that were once read otherwise. */
const KEPT: readonly (readonly [expression: RegExp, text: string])[] = [
  [/^(?:[^a]??x*|a*?)*/, 'aab'],
  [/^[a-c]|(\B\B)[^]{0,1}/su, '_😀a'],
  [/\B/u, 'a😀a'],
  [/a.c/s, 'a\nc'],
  [/(?:\ud83d)(?:\ude00)/u, '😀'],
  [/[\n\r\u2028\u2029]x^y|$z/, '\nx\ny'],
  [/^b[\n\r\u2028\u2029]?/, 'a\nb'],
  [new RegExp(String.raw`[\ud83d\ude00]{2}`), '\ude00\ud83d'],
]

/** What the automata of an expression find, with a table of states and without. */
function findersOf(native: RegExp): ((text: string) => unknown)[] {
  const all = [linearOf(native), linearOf(native, 0)]
  return all.flatMap((linear) =>
    typeof linear === 'string' ? [] : [(text: string) => (linear.test(text) ? linear.exec(text) : null)],
  )
}

/** V8 14.x begins too late where characters of two code units come before a `$`. */
const BEGINS_LATE = !/[^\d]{3}$/u.test('ab😀')

/** Whether this V8 is known to read a pair wrongly. */
function isMisread({ source, unicode }: RegExp, text: string): boolean {
  return BEGINS_LATE && unicode && source.includes('$') && /[\ud800-\udbff]/.test(text)
}

function compare(native: RegExp, finders: readonly ((text: string) => unknown)[], text: string): boolean {
  const found = native.exec(text)
  const wanted = found === null ? null : [...found]
  for (const find of finders) {
    expect({ native, text: JSON.stringify(text), found: find(text) }).toEqual({
      native,
      text: JSON.stringify(text),
      found: wanted,
    })
  }
  return found !== null
}

describe('automata', () => {
  it.each(KEPT)('agree with V8 on %s and %j', (native, text) => {
    const finders = findersOf(native)
    expect(finders).toHaveLength(2)
    compare(native, finders, text)
  })

  it(`agree with V8 on ${PAIRS} random pairs of expression and text`, { timeout: TIMEOUT_MS }, () => {
    const random = new Random(SEED)
    let pairs = 0
    let matches = 0
    while (pairs < PAIRS) {
      const { native, sample } = randomExpression(random)
      const finders = findersOf(native)
      for (let count = 0; count < TEXTS && finders.length > 0; count++) {
        const text = randomText(random, sample)
        if (isMisread(native, text)) continue
        if (compare(native, finders, text)) matches += 1
        pairs += 1
      }
    }
    // Pairs of which most match, or most do not, would test little.
    expect(matches / pairs).toBeGreaterThan(0.2)
    expect(matches / pairs).toBeLessThan(0.8)
  })
})
