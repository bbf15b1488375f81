// More schedules: `CLOISTER_SCHEDULES=100000 CLOISTER_SEED=1 npx vitest run --project long packages/state`.
import { expect, it } from 'vitest'
import { simulateIdempotency } from './idempotency.ts'
import { shown, simulateSeeds } from './seeds.ts'
import { simulateTopics } from './topics.ts'

const first = Number(process.env['CLOISTER_SEED'] ?? 1) + 1_000_000
const count = Number(process.env['CLOISTER_SCHEDULES'] ?? 4000)
const from = `${count} schedules from the seed ${first} on`

it(`${from} lose, double, reorder and show a stranger nothing`, { timeout: 0 }, async () => {
  const { failures, sums } = await simulateSeeds((seed) => simulateTopics(seed), first, count)
  console.log(`topics, ${from}: ${JSON.stringify(sums)}`)
  expect(failures.map(shown)).toEqual([])
})

it(`${from} have one effect for each key, for its caller alone`, { timeout: 0 }, async () => {
  const { failures, sums } = await simulateSeeds((seed) => simulateIdempotency(seed), first, count)
  console.log(`idempotency, ${from}: ${JSON.stringify(sums)}`)
  expect(failures.map(shown)).toEqual([])
})
