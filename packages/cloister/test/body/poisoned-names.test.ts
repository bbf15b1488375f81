// Names that reach a prototype are found however they are written, as the library finds them.
import fc from 'fast-check'
import secureJson from 'secure-json-parse'
import { describe, expect, it } from 'vitest'
import { createJsonParser } from '../../src/body/default-parsers.ts'

const ACTIONS = ['error', 'remove', 'ignore'] as const

/** Writes some characters of a name as escapes. */
const writtenOf = (...names: string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names), fc.array(fc.nat(20), { minLength: 11 })).map(([name, draws]) => {
    const letters = Array.from(name, (letter, index) =>
      draws[index] === 0 ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
    )
    return `"${letters.join('')}"`
  })

const written = writtenOf('__proto__', 'constructor', 'prototype', 'a')
const poison = fc
  .tuple(writtenOf('constructor'), writtenOf('prototype'))
  .map(([outer, inner]) => `{${outer}:{${inner}:1}}`)

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', 'null', '"__proto__"', '"\\"__proto__\\":"', '"the constructor"'),
    poison,
    fc.array(tie('tree'), { maxLength: 2 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(written, fc.constantFrom(':', ' : '), tie('tree')), { maxLength: 3 })
      .map((members) => `{${members.map((member) => member.join('')).join()}}`),
  ),
}))

describe('names that reach a prototype', () => {
  it.each(ACTIONS)('are found as the library finds them, with %j', (action) => {
    const parse = createJsonParser({
      onProtoPoisoning: action,
      onConstructorPoisoning: action,
      bodyText: 'replace',
      duplicateNames: 'last',
      integers: 'number',
    })
    const outcomeOf = (read: () => unknown): string => {
      try {
        return JSON.stringify(read())
      } catch {
        return 'refused'
      }
    }
    const mark = fc.constantFrom('', '\ufeff')
    fc.assert(
      fc.property(mark, tree, (before, value) => {
        const text = `${before}${String(value)}`
        const expected = outcomeOf(() =>
          secureJson.parse(text, { protoAction: action, constructorAction: action }),
        )
        expect([text, outcomeOf(() => parse(undefined, text))]).toEqual([text, expected])
      }),
      { numRuns: 500 },
    )
  })
})
