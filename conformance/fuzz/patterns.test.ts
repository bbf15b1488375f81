// The checker of expressions: what it takes for cheap is cheap on the texts that expressions are made to fail with.
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { growthOf } from '../../packages/schema/test/growth.ts'
import { costOf, longestCheapText } from '../../packages/schema/src/regexp/cost.ts'
import { isPeer } from '../harness/subject.ts'
import { fuzz } from './fuzz.ts'

const atom = fc.constantFrom('a', 'b', '[ab]', '.', '\\w', 'ab', '(?:a|b)', '(?:a|ab)', 'a?')
const counted = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2,3}')).map(([a, q]) => `(?:${a})${q}`)
const group = fc
  .tuple(fc.array(counted, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '*', '+'))
  .map(([parts, q]) => `(?:${parts.join('')})${q}`)
const expression = fc
  .tuple(fc.array(group, { minLength: 1, maxLength: 3 }), fc.constantFrom('$', 'c', 'c$'))
  .map(([parts, end]) => `^${parts.join('')}${end}`)

const FRAGMENTS = ['a', 'b', 'ab', 'aab']

describe.skipIf(isPeer)('fuzz: expressions of schemas', () => {
  fuzz('patterns', 'that pass without a limit of the text are linear', expression, (source) => {
    let pattern: RegExp
    try {
      pattern = new RegExp(source, 'u')
    } catch {
      return
    }
    const cost = costOf(source)
    if (cost === 'exponential' || longestCheapText(cost) !== Infinity) return
    for (const fragment of FRAGMENTS) {
      // Short enough that even a quadratic one ends soon; an exponential one is met at 24 characters first.
      expect([source, growthOf((size) => pattern.test(`${fragment.repeat(size)}!`), 8, 2) < 4]).toEqual([
        source,
        true,
      ])
      const growth = growthOf((size) => pattern.test(`${fragment.repeat(size)}!`), 4096, 4)
      expect([source, growth < 1.6]).toEqual([source, true])
    }
  })
})
