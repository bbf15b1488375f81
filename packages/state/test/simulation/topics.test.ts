// Topics in drawn schedules: processes that die, connections that break, a slow or lost store, slow clients.
import { describe, expect, it } from 'vitest'
import type { State } from '@cloister/state'
import { firstProblem, shown, simulateSeeds } from './seeds.ts'
import { simulateTopics, type Plant } from './topics.ts'

const SCHEDULES = 1000
const first = Number(process.env['CLOISTER_SEED'] ?? 1)

it(`${SCHEDULES} schedules lose, double, reorder and show a stranger nothing`, async () => {
  const { failures, sums } = await simulateSeeds(simulateTopics, first, SCHEDULES)
  expect(failures.map(shown)).toEqual([])
  // They are schedules in which something happens.
  const { kills = 0, gaps = 0, delivered = 0 } = sums
  expect([kills > SCHEDULES, gaps > SCHEDULES / 10, delivered > 10 * SCHEDULES]).toEqual([true, true, true])
})

it('nothing is lost when a process dies at any step of a schedule', async () => {
  const { steps } = await simulateTopics(first)
  for (let step = 0; step < steps; step++) {
    const { problems } = await simulateTopics(first, {}, step)
    expect(problems, `seed ${first}, killed at step ${step}`).toEqual([])
  }
})

it('a seed gives one schedule', async () => {
  for (let seed = first; seed < first + 20; seed++)
    expect(await simulateTopics(seed)).toEqual(await simulateTopics(seed))
})

describe('a planted fault is found:', () => {
  const read =
    (
      change: (page: Awaited<ReturnType<State['read']>>, after: string | null) => object,
    ): NonNullable<Plant['state']> =>
    (state) => {
      const original = state.read.bind(state)
      return {
        read: async (log, after, limit) => {
          const page = await original(log, after, limit)
          return { ...page, ...change(page, after) }
        },
      }
    }

  it.each<[string, RegExp, Plant]>([
    ['a reader that trusts the signals of the store', /lost the end/, { pollMs: 31_000_000_000 }],
    ['a subscription without its filter', /is of a stranger/, { ignoresFilter: true }],
    ['a log that says nothing of removed entries', /lost/, { state: read(() => ({ gone: false })) }],
    [
      'a page in the wrong order',
      /came twice or late/,
      { state: read(({ entries }) => ({ entries: entries.toReversed() })) },
    ],
    [
      'an entry that becomes visible after a later one',
      /lost/,
      {
        state: read(({ entries }) => ({ entries: entries.length > 1 ? entries.slice(1) : entries })),
      },
    ],
    [
      'a publish that is tried again after a broken connection',
      /entered a log twice/,
      {
        state: (state) => {
          const append = state.append.bind(state)
          return { append: (...args) => append(...args).catch(() => append(...args)) }
        },
      },
    ],
    [
      'a read from before its cursor',
      /came twice or late/,
      {
        state: (state) => {
          const original = state.read.bind(state)
          const before = (after: string | null): string | null =>
            after?.replace(/-(\d+)$/, (_all, number: string) => `-${Math.max(1, Number(number) - 1)}`) ?? null
          return {
            read: (log, after, limit) => original(log, after === '0-0' ? after : before(after), limit),
          }
        },
      },
    ],
    [
      'a publish that does not wait for the store',
      /confirmed, and not stored/,
      {
        state: (state) => {
          const append = state.append.bind(state)
          return {
            append: async (...args) => {
              append(...args).catch(() => {})
              return '1-1'
            },
          }
        },
      },
    ],
  ])('%s', async (_fault, message, plant) => {
    const simulate = (seed: number) => simulateTopics(seed, plant)
    expect(await firstProblem(simulate, 600, message)).toMatch(message)
  })
})
