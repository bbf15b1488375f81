import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Rate } from '../src/rate.ts'

it('admits at most twice its number in any second, and its number at once', () => {
  const steps = fc.array(fc.record({ wait: fc.nat(400), amount: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 20 }), steps, (perSecond, given) => {
      const rate = new Rate(perSecond)
      const taken: { at: number; amount: number }[] = []
      let now = 0
      for (const { wait, amount } of given) {
        now += wait
        if (rate.admits(amount, now)) taken.push({ at: now, amount })
      }
      for (const { at } of taken) {
        const within = taken.filter((one) => one.at >= at && one.at < at + 1000)
        expect(within.reduce((sum, one) => sum + one.amount, 0)).toBeLessThanOrEqual(2 * perSecond)
      }
    }),
  )
  const rate = new Rate(7)
  expect([rate.admits(7, 0), rate.admits(1, 0), rate.admits(1, 143)]).toEqual([true, false, true])
})

it('admits anything without a number', () => {
  expect(new Rate(0).admits(1e9, 0)).toBe(true)
})
