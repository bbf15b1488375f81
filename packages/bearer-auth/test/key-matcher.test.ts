import type * as Crypto from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createKeyMatcher } from '../src/key-matcher.ts'

const compared = vi.hoisted(() => [] as number[][])

vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof Crypto>()
  const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean => {
    compared.push([a.length, b.length])
    return crypto.timingSafeEqual(a, b)
  }
  return { ...crypto, timingSafeEqual }
})

describe('the comparison of a token with the keys', () => {
  beforeEach(() => {
    compared.length = 0
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
