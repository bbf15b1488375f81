import { expect } from 'vitest'
import { valuesOf, type Case } from '../validator/cases.ts'
import { compareTexts, newTally } from './compare.ts'
import { Workbench, type Setup } from './workbench.ts'

/** Compares what is made of values, and expects at least one refusal for each case. */
export function expectAgreement(cases: readonly Case[], setup: Setup): void {
  const tally = newTally()
  for (const one of cases) {
    const texts = valuesOf(one).map((value) => () => JSON.stringify(value))
    compareTexts({ schema: one[0], shared: [], bench: new Workbench([], setup) }, texts, tally)
  }
  expect(tally.differences.join('\n\n')).toBe('')
  expect([tally.unusable, tally.refused >= cases.length]).toEqual([0, true])
}
