// More schedules of topics: `CLOISTER_SCHEDULES=100000 CLOISTER_SEED=1 npx vitest run --project long packages/state`.
import { expect, it } from 'vitest'
import { shown, simulateMany } from './topics.ts'

const first = Number(process.env['CLOISTER_SEED'] ?? 1) + 1_000_000
const count = Number(process.env['CLOISTER_SCHEDULES'] ?? 4000)

it(
  `${count} schedules from the seed ${first} on lose, double, reorder and show a stranger nothing`,
  { timeout: 0 },
  async () => {
    const { failures } = await simulateMany(first, count)
    expect(failures.map(shown)).toEqual([])
  },
)
