import { afterAll, describe, expect, it } from 'vitest'
import { CASES, valuesOf } from '../validator/cases.ts'
import { compareTexts, KEPT, newTally } from './compare.ts'
import { REFUSED_CASES } from './cases.ts'
import { Workbench, type Setup } from './workbench.ts'

const SETUPS: Readonly<Record<string, Setup>> = {
  'the first error': {},
  'all errors': { customOptions: { allErrors: true } },
}

afterAll(() => KEPT.write())

describe.each(Object.entries(SETUPS))('at the edges refusals are those of Ajv, %s', (_setup, setup) => {
  it.each(Object.entries({ ...CASES, ...REFUSED_CASES }))('%s', (_group, cases) => {
    const tally = newTally()
    for (const one of cases) {
      const texts = valuesOf(one).map((value) => () => JSON.stringify(value))
      compareTexts({ schema: one[0], shared: [], bench: new Workbench([], setup) }, texts, tally)
    }
    expect(tally.differences.join('\n\n')).toBe('')
    expect([tally.unusable, tally.refused >= cases.length]).toEqual([0, true])
  })
})
