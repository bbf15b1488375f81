// Expressions take linear time on the texts that they are made to fail with: V8 runs those that the analysis calls cheap,
// automata the others.
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { growthOf } from '../../packages/schema/test/growth.ts'
import { compileExpression } from '../../packages/schema/src/regexp/compile.ts'
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
  fuzz('patterns', 'take linear time', expression, (source) => {
    let pattern: ReturnType<typeof compileExpression>
    try {
      pattern = compileExpression(source, 'u')
    } catch {
      return
    }
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
