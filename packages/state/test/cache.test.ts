import { guardState, memoryState, sharedCache, type State } from '@cloister/state'
import { describe, expect, it } from 'vitest'

function gate(): { opened: Promise<void>; open: () => void } {
  let pass = (): void => {}
  const opened = new Promise<void>((resolve) => {
    pass = resolve
  })
  return { opened, open: pass }
}

describe('a shared cache', () => {
  const options = { name: 'prices', ttlMs: 1000, loadMs: 500 }

  it('loads once for all that wait, in all processes', async () => {
    const state = memoryState()
    let loads = 0
    const load = async (key: string): Promise<object> => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return { key, load: ++loads }
    }
    const caches = [
      sharedCache(state, { ...options, load }),
      sharedCache(state, { ...options, load }),
    ] as const
    const found = await Promise.all(
      Array.from({ length: 50 }, (_one, index) => caches[index % 2 === 0 ? 0 : 1].get('x')),
    )
    expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"key":"x","load":1}']))
    expect(await caches[0].get('y')).toEqual({ key: 'y', load: 2 })
  })

  it('loads again after its time, after forget, and after a failure', async () => {
    let now = 0
    let loads = 0
    let fails = false
    const cache = sharedCache(memoryState({ now: () => now }), {
      ...options,
      load: () => {
        if (fails) throw new Error('no prices')
        return ++loads
      },
    })
    expect([await cache.get('x'), await cache.get('x')]).toEqual([1, 1])
    now = 1001
    expect(await cache.get('x')).toBe(2)
    await cache.forget('x')
    fails = true
    await expect(cache.get('x')).rejects.toThrow('no prices')
    fails = false
    expect(await cache.get('x')).toBe(3)
  })

  it('keeps that there is no value', async () => {
    let loads = 0
    const load = (): undefined => {
      loads += 1
    }
    const cache = sharedCache(memoryState(), { ...options, load })
    expect([await cache.get('x'), await cache.get('x'), loads]).toEqual([undefined, undefined, 1])
  })

  it('gives a call after forget what is loaded after it', async () => {
    const { opened, open } = gate()
    let loads = 0
    const cache = sharedCache(memoryState(), {
      ...options,
      load: async () => {
        const load = ++loads
        await opened
        return load
      },
    })
    const before = cache.get('x')
    while (loads === 0) await new Promise((resolve) => setImmediate(resolve))
    await cache.forget('x')
    const after = cache.get('x')
    open()
    expect([await before, await after, await cache.get('x')]).toEqual([1, 2, 2])
  })

  it('keeps no value whose load began before forget', async () => {
    const { opened, open } = gate()
    const values = ['old', 'new']
    const state = memoryState()
    const begun = gate()
    const cache = sharedCache(state, {
      ...options,
      load: async () => {
        const value = values.shift()
        begun.open()
        if (value === 'old') await opened
        return value
      },
    })
    const first = cache.get('x')
    await begun.opened
    await cache.forget('x')
    open()
    expect(await first).toBe('old')
    expect(await cache.get('x')).toBe('new')
  })

  it('loads in another process when the one that loads has died', async () => {
    let now = 0
    const state = memoryState({ now: () => now })
    const never = sharedCache(state, { ...options, load: () => new Promise<string>(() => {}) })
    void never.get('x')
    await new Promise((resolve) => setImmediate(resolve))
    const other = sharedCache(state, { ...options, load: () => 'loaded' })
    const found = other.get('x')
    await new Promise((resolve) => setImmediate(resolve))
    now = 501
    expect(await found).toBe('loaded')
  })

  it('gives every caller its own copy, and each the same: what JSON keeps', async () => {
    const state = memoryState()
    const load = async (): Promise<unknown> => ({ at: new Date(0), tags: ['a'], none: undefined })
    const down: State = guardState({ ...state, get: () => Promise.reject(new Error('down')) })
    for (const store of [state, down]) {
      const cache = sharedCache(store, { ...options, load })
      const found = [...(await Promise.all([cache.get('x'), cache.get('x')])), await cache.get('x')]
      for (const one of found) {
        expect(one).toStrictEqual({ at: '1970-01-01T00:00:00.000Z', tags: ['a'] })
        Object.assign(Object(one), { tags: 'changed by one caller' })
      }
    }
  })

  it('names the cache whose value has no JSON, and does not keep it', async () => {
    const values: unknown[] = [1n, 'second']
    const cache = sharedCache(memoryState(), { ...options, load: () => values.shift() })
    await expect(cache.get('x')).rejects.toMatchObject({
      code: 'CLO_ERR_STATE_VALUE',
      message: "the cache 'prices' can't keep what 'load' returned, which has no JSON",
    })
    expect(await cache.get('x')).toBe('second')
  })

  it('loads while the state fails, or refuses', async () => {
    const memory = memoryState()
    const down: State = guardState({ ...memory, get: () => Promise.reject(new Error('down')) })
    const load = (): string => 'loaded'
    expect(await sharedCache(down, { ...options, load }).get('x')).toBe('loaded')
    const strict = sharedCache(down, { ...options, load, onStateFailure: 'refuse' })
    await expect(strict.get('x')).rejects.toMatchObject({ code: 'CLO_ERR_STATE_FAILED' })
  })

  it('is not created without what it needs', () => {
    expect(() => sharedCache(memoryState(), { name: 'x', load: () => 1 } as never)).toThrow(
      /the option 'ttlMs' is missing/,
    )
    expect(() => sharedCache(memoryState(), { ...options, load: 1 } as never)).toThrow(
      /'load' must be a function/,
    )
  })
})
