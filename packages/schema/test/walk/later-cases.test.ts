import { describe, expect, it } from 'vitest'
import { expectAgreement } from './expect-agreement.ts'
import { BY_SPECIFICATION, LATER_CASES } from './later-cases.ts'
import { Workbench, type Setup } from './workbench.ts'

const UNCHANGED = { coerceTypes: false, useDefaults: false, removeAdditional: false } as const
const SETUPS: Readonly<Record<string, Setup>> = {
  'the first error': { isLater: true, customOptions: UNCHANGED },
  'all errors': { isLater: true, customOptions: { ...UNCHANGED, allErrors: true } },
}

it('items that a schema of draft-07 contains are unevaluated around it', () => {
  for (const [$schema, fits] of [
    ['http://json-schema.org/draft-07/schema#', false],
    ['https://json-schema.org/draft/2020-12/schema', true],
  ] as const) {
    const shared = { $id: 'shared', $schema, contains: { type: 'integer' } }
    const { own } = new Workbench([shared], { isLater: true }).lazyPair({
      $ref: 'shared',
      unevaluatedItems: false,
    })
    expect([own([1]).valid, own(['x', 1]).valid, own([]).valid]).toEqual([fits, false, false])
  }
})

describe.each(Object.entries(SETUPS))('at the edges of 2020-12, %s', (_setup, setup) => {
  it.each(Object.entries(LATER_CASES))('refusals are those of Ajv: %s', (_group, cases) => {
    expectAgreement(cases, setup)
  })

  it.each(BY_SPECIFICATION)('verdicts are those of the specification: %j', (schema, fit, others) => {
    const { own, acceptors } = new Workbench([], setup).lazyPair(schema)
    for (const value of [...fit, ...others]) {
      const fits = fit.includes(value)
      expect([value, own(value).valid]).toEqual([value, fits])
      for (const accepts of [acceptors.look, acceptors.code])
        expect([value, fits || !accepts(value).accepted]).toEqual([value, true])
    }
  })
})
