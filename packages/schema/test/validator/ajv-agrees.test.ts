import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { baselineAjvOptions } from '../../src/validator/policy.ts'
import { bothBackEnds } from './both-back-ends.ts'
import { CASES, outcome, valuesOf } from './cases.ts'

describe.each(Object.entries(CASES))(
  'what acceptors accept, Ajv accepts with the same result: %s',
  (_group, cases) => {
    it.each(cases.map((one) => [JSON.stringify(one[0]), one] as const))('%s', (_name, one) => {
      const ajv = new Ajv({ ...baselineAjvOptions, addUsedSchema: true, strict: false, strictNumbers: true })
      addFormats.default(ajv)
      const validate = ajv.compile(one[0])
      const [, [, look]] = bothBackEnds(one[0])
      for (const value of valuesOf(one)) {
        const found = outcome(look, value)
        if (!found[0]) continue
        const expected = outcome(
          (data, holder) =>
            validate(data, {
              instancePath: '',
              parentData: holder,
              parentDataProperty: 'value',
              rootData: holder,
              dynamicAnchors: {},
            }),
          value,
        )
        expect([value, ...found]).toEqual([value, ...expected])
      }
    })
  },
)
