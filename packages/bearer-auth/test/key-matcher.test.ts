import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createKeyMatcher } from '../src/key-matcher.ts'

describe('the comparison of a token with the keys', () => {
  const compared: number[][] = []
  const { timingSafeEqual } = crypto

  beforeEach(() => {
    compared.length = 0
    vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((a, b) => {
      compared.push([a.byteLength, b.byteLength])
      return timingSafeEqual(a, b)
    })
    syncBuiltinESMExports()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })

  it.each([
    ['the first key', 'one', true],
    ['the last key', 'a much longer third key', true],
    ['no key', 'none', false],
    ['an empty token', '', false],
  ])('looks at every key, at one length, for %s', (_name, token, expected) => {
    const isKey = createKeyMatcher(['one', 'two', 'a much longer third key'])
    expect(isKey(token)).toBe(expected)
    expect(compared).toEqual([
      [32, 32],
      [32, 32],
      [32, 32],
    ])
  })

  it('accepts nothing when there are no keys', () => {
    expect(createKeyMatcher([])('')).toBe(false)
  })
})
