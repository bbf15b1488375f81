import { afterAll, describe, it } from 'vitest'
import { CASES } from '../validator/cases.ts'
import { KEPT } from './compare.ts'
import { REFUSED_CASES } from './cases.ts'
import { expectAgreement } from './expect-agreement.ts'
import type { Setup } from './workbench.ts'

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
