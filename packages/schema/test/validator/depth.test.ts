import { describe, expect, it } from 'vitest'
import { isNestingError } from '../../src/nesting.ts'
import { bothBackEnds } from './both-back-ends.ts'

const TREE = { type: 'object', properties: { child: { $ref: '#' } } }

function nested(levels: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = { child: value }
  return value
}

describe.each(bothBackEnds(TREE))('an acceptor of a recursive schema, as %s', (_backEnd, accept) => {
  it('accepts a value that is nested deeply', () => {
    expect(accept(nested(1000))).toBe(true)
  })

  it('throws an error about the stack for one that is nested too deeply', () => {
    const deep = nested(100_000)
    let thrown: unknown
    try {
      accept(deep)
    } catch (error) {
      thrown = error
    }
    expect(isNestingError(thrown, deep)).toBe(true)
    expect(accept(nested(10))).toBe(true)
  })
})
