import { validateHeaderName, validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { explainHeaders, isFieldName } from '../../src/exchange/field-lines.ts'

function accepts(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

it('accepts the field names that Node accepts', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (name) => {
      expect(isFieldName(name)).toBe(accepts(() => validateHeaderName(name)))
    }),
  )
})

it('finds a fault in the field values that Node refuses, and in no other', () => {
  const cause = new Error('cause')
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (value) => {
      const isValid = accepts(() => validateHeaderValue('x-a', value))
      expect(explainHeaders({ 'x-a': value }, cause) === cause).toBe(isValid)
    }),
  )
})
