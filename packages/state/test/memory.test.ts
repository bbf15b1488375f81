import { memoryState } from '@cloister/state'
import { testState } from '@cloister/state/conformance'
import { describe, expect, test } from 'vitest'

describe('the state in memory', () => {
  let now = 0
  const state = memoryState({ now: () => now })
  testState({
    test,
    open: () => state,
    wait: async (ms) => {
      now += ms
    },
  })

  test('refuses keys beyond its limit, and takes them again when others have expired', async () => {
    let time = 0
    const small = memoryState({ maxKeys: 2, now: () => time })
    await small.put('a', 'x', { ttlMs: 10 })
    await small.put('b', 'x', { ttlMs: 20 })
    await expect(small.put('c', 'x', { ttlMs: 10 })).rejects.toMatchObject({ code: 'CLO_ERR_STATE_FULL' })
    await small.put('a', 'y', { ttlMs: 10 })
    time = 15
    expect(await small.put('c', 'x', { ttlMs: 10 })).not.toBe(null)
  })

  test('forgets the limit that was used the longest ago', async () => {
    const small = memoryState({ maxKeys: 2, now: () => 0 })
    const take = async (key: string): Promise<boolean> =>
      (await small.take(key, 1, { max: 1, perMs: 1000 })).allowed
    expect([await take('a'), await take('b'), await take('a'), await take('c'), await take('a')]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
    expect(await take('b')).toBe(true)
  })
})
