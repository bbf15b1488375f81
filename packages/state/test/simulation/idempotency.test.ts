// Idempotent routes in drawn schedules: clients that try again, processes that die, a store that is slow or fails over.
import type { State } from '@cloister/state'
import { describe, expect, it } from 'vitest'
import { simulateIdempotency, type IdempotencyPlant } from './idempotency.ts'
import { firstProblem, shown, simulateSeeds } from './seeds.ts'

const SCHEDULES = 300
const first = Number(process.env['CLOISTER_SEED'] ?? 1)

it(`${SCHEDULES} schedules have one effect for each key, and equal responses of it for its caller alone`, async () => {
  const { failures, sums } = await simulateSeeds(simulateIdempotency, first, SCHEDULES)
  expect(failures.map(shown)).toEqual([])
  // They are schedules in which something happens.
  const { kills = 0, replays = 0, effects = 0 } = sums
  expect([kills > SCHEDULES, replays > SCHEDULES, effects > SCHEDULES]).toEqual([true, true, true])
})

it('no key has two effects when a process dies at any step of a schedule', async () => {
  const { steps } = await simulateIdempotency(first)
  for (let step = 0; step < steps; step++) {
    const { problems } = await simulateIdempotency(first, {}, step)
    expect(problems, `seed ${first}, killed at step ${step}`).toEqual([])
  }
})

it('a seed gives one schedule of idempotent requests', async () => {
  for (let seed = first; seed < first + 20; seed++)
    expect(await simulateIdempotency(seed)).toEqual(await simulateIdempotency(seed))
})

/** Whether a text is the record of a request that runs. */
const isRunning = (text: string): boolean => text.includes('"outcome":null')

const changed =
  (change: (state: State) => Partial<State>): NonNullable<IdempotencyPlant['state']> =>
  (state) => {
    const put = state.put.bind(state)
    const remove = state.delete.bind(state)
    const get = state.get.bind(state)
    return change({ ...state, put, delete: remove, get })
  }

describe('a planted fault of idempotent routes is found:', () => {
  it.each<[string, RegExp, IdempotencyPlant]>([
    [
      'no lock while a request is in flight',
      /beside run/,
      {
        state: changed(({ put }) => ({
          put: async (key, value, { ttlMs }) => (isRunning(value) ? 'none' : put(key, value, { ttlMs })),
        })),
      },
    ],
    [
      'a lock that is read, and then written',
      /beside run/,
      {
        state: changed(({ get, put }) => ({
          put: async (key, value, options) => {
            if (options.if !== 'absent') return put(key, value, options)
            return (await get(key)) === null ? put(key, value, { ttlMs: options.ttlMs }) : null
          },
        })),
      },
    ],
    [
      'a lock that is not prolonged',
      /beside run/,
      {
        state: changed(({ put }) => ({
          put: async (key, value, options) =>
            isRunning(value) && typeof options.if === 'object'
              ? options.if.version
              : put(key, value, options),
        })),
      },
    ],
    [
      'a lock that never expires',
      /no final response/,
      {
        state: changed(({ put }) => ({
          put: (key, value, options) => put(key, value, { ...options, ttlMs: 31_000_000_000 }),
        })),
      },
    ],
    [
      'compare-and-set that is ignored',
      /after the response of run/,
      {
        state: changed(({ put }) => ({
          put: (key, value, options) =>
            put(key, value, typeof options.if === 'object' ? { ttlMs: options.ttlMs } : options),
        })),
      },
    ],
    [
      'a record that is removed, whoever wrote it',
      /beside run/,
      { state: changed((state) => ({ delete: (key) => state.delete(key) })) },
    ],
    [
      'a response that is not stored',
      /beside run/,
      {
        state: changed(({ put }) => ({
          put: async (key, value, options) => (isRunning(value) ? put(key, value, options) : 'none'),
        })),
      },
    ],
    [
      'a response that is sent before it is stored',
      /beside run/,
      {
        state: changed(({ put }) => ({
          put: async (key, value, options) => {
            if (isRunning(value)) return put(key, value, options)
            put(key, value, options).catch(() => {})
            return 'soon'
          },
        })),
      },
    ],
    ['no hash of the body', /response to another body/, { ignoresBody: true }],
    [
      'no caller in the key',
      /response of a stranger|422 without another body/,
      { options: { scope: 'public' } },
    ],
    ['a response before the effect', /before its effect/, { respondsFirst: true }],
  ])('%s', async (_fault, wanted, plant) => {
    const simulate = (seed: number) => simulateIdempotency(seed, plant)
    expect(await firstProblem(simulate, 1000, wanted)).toMatch(wanted)
  })
})
