import { describe, expect, it } from 'vitest'
import { bothBackEnds } from '../both-back-ends.ts'
import { CASES, outcome, valuesOf } from './cases.ts'

describe.each(Object.entries(CASES))('closures and code accept the same values: %s', (_group, cases) => {
  it.each(cases.map((one) => [JSON.stringify(one[0]), one] as const))('%s', (_name, one) => {
    const [[, code], [, closures]] = bothBackEnds(one[0])
    let accepted = 0
    for (const value of valuesOf(one)) {
      const [fits, data] = outcome(closures, value)
      expect([value, fits, data]).toEqual([value, ...outcome(code, value)])
      if (fits) accepted += 1
      else expect(data).toEqual(value)
    }
    expect(accepted).toBeGreaterThan(0)
  })
})
