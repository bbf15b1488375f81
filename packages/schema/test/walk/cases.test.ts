import { afterAll, describe, expect, it } from 'vitest'
import { CASES, valuesOf, type Case } from '../validator/cases.ts'
import { compareTexts, KEPT, newTally } from './compare.ts'
import { REFUSED_CASES } from './cases.ts'
import { Workbench, type Setup } from './workbench.ts'

/** Compares what is made of values, and expects at least one refusal for each case. */
function expectAgreement(cases: readonly Case[], setup: Setup): void {
  const tally = newTally()
  for (const one of cases) {
    const texts = valuesOf(one).map((value) => () => JSON.stringify(value))
    compareTexts({ schema: one[0], shared: [], bench: new Workbench([], setup) }, texts, tally)
  }
  expect(tally.differences.join('\n\n')).toBe('')
  expect([tally.unusable, tally.refused >= cases.length]).toEqual([0, true])
}

const SETUPS: Readonly<Record<string, Setup>> = {
  'the first error': {},
  'all errors': { customOptions: { allErrors: true } },
}

afterAll(() => KEPT.write())

describe.each(Object.entries(SETUPS))('at the edges refusals are those of Ajv, %s', (_setup, setup) => {
  it.each(Object.entries({ ...CASES, ...REFUSED_CASES }))('%s', (_group, cases) => {
    expectAgreement(cases, setup)
  })
})

it.each([1, 2, 3])('names that are required are those of Ajv, in a loop from %d of them', (loopRequired) => {
  expectAgreement(REFUSED_CASES['empty names'] ?? [], { customOptions: { loopRequired } })
})
