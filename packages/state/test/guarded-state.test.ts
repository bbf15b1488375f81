import { guardState, memoryState, redisState, postgresState, StateError, type State } from '@cloister/state'
import { describe, expect, it } from 'vitest'

const store = (changes: Partial<State>): State => {
  const memory = memoryState()
  return {
    ready: () => memory.ready(),
    get: (key) => memory.get(key),
    put: (key, value, options) => memory.put(key, value, options),
    delete: (key, version) => memory.delete(key, version),
    take: (key, cost, rule) => memory.take(key, cost, rule),
    append: (log, value, keep) => memory.append(log, value, keep),
    read: (log, after, limit) => memory.read(log, after, limit),
    wake: (log, listener) => memory.wake(log, listener),
    close: () => memory.close(),
    ...changes,
  }
}

describe('each state', () => {
  it('rejects an operation that the store does not finish in time', async () => {
    const state = guardState(store({ get: () => new Promise(() => {}) }), { deadlineMs: 5 })
    const error: unknown = await state.get('key').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StateError)
    expect(error).toMatchObject({
      code: 'CLO_ERR_STATE_DEADLINE',
      statusCode: 503,
      message: "the store of the state did not finish 'get' within 5 ms",
    })
  })

  it('is ready when its store is, also if that takes a moment', async () => {
    let tries = 0
    const ready = async (): Promise<void> => {
      if (++tries < 3) throw new Error('not connected yet')
    }
    await guardState(store({ ready })).ready()
    expect(tries).toBe(3)
  })

  it('ends a listener of which nobody heard in time', async () => {
    let listeners = 0
    const heard: (() => void)[] = []
    const wake = async (): Promise<() => void> => {
      listeners += 1
      await new Promise<void>((resolve) => heard.push(resolve))
      return () => (listeners -= 1)
    }
    const state = guardState(store({ wake }), { deadlineMs: 5 })
    await expect(state.wake('log', () => {})).rejects.toMatchObject({ code: 'CLO_ERR_STATE_DEADLINE' })
    expect(listeners).toBe(1)
    for (const hear of heard) hear()
    await new Promise((resolve) => setImmediate(resolve))
    expect(listeners).toBe(0)
  })

  it('rejects a close that the store does not finish in time', async () => {
    const state = guardState(store({ close: () => new Promise(() => {}) }), { deadlineMs: 5 })
    await expect(state.close()).rejects.toMatchObject({ code: 'CLO_ERR_STATE_DEADLINE' })
  })

  it('gives the error of the store as the cause', async () => {
    const cause = new Error('ECONNREFUSED')
    const state = guardState(store({ put: () => Promise.reject(cause) }))
    await expect(state.put('key', 'value', { ttlMs: 1 })).rejects.toMatchObject({
      code: 'CLO_ERR_STATE_FAILED',
      statusCode: 503,
      cause,
    })
  })

  it('hands short printable keys on as they are, and others as their hash', async () => {
    const keys: string[] = []
    const state = guardState(
      store({
        get: async (key) => {
          keys.push(key)
          return null
        },
      }),
    )
    for (const key of ['user:1', 'x'.repeat(200), 'x'.repeat(201), 'a b', '#x', '\n']) await state.get(key)
    expect(keys.map((key) => (/^#[\w-]{43}$/.test(key) ? 'hash' : key))).toEqual([
      'user:1',
      'x'.repeat(200),
      'hash',
      'hash',
      'hash',
      'hash',
    ])
  })

  it.each<[string, () => unknown, RegExp]>([
    [
      'an unknown option',
      () => memoryState({ ttl: 1 } as never),
      /no option 'ttl', only deadlineMs, maxKeys, now/,
    ],
    [
      'a wrong value',
      () => memoryState({ deadlineMs: 0 }),
      /'deadlineMs' must be a whole number of milliseconds/,
    ],
    [
      'a time that Node has no timer for, and takes for a millisecond',
      () => memoryState({ deadlineMs: 2 ** 31 }),
      /'deadlineMs' must be a whole number of milliseconds from 1 on, at most 24 days/,
    ],
    ['no client', () => redisState({} as never), /needs a client of 'ioredis' or 'redis'/],
    ['no pool', () => postgresState({} as never), /needs a Pool of 'pg'/],
    [
      'a name that would need quotes',
      () => postgresState({ query: null, totalCount: 0 } as never, { tables: 'a; drop table b' }),
      /'tables' must be a name in lower case/,
    ],
  ])('is not created with %s', (_what, create, message) => {
    expect(create).toThrow(message)
    expect(create).toThrow(expect.objectContaining({ code: 'CLO_ERR_STATE_OPTION' }))
  })
})
