import { validateHeaderName, validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkFields, FieldError, isFieldName, problemOfField } from '../../src/message/field.ts'

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
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (value) => {
      expect(problemOfField('x-a', value) === null).toBe(accepts(() => validateHeaderValue('x-a', value)))
    }),
  )
})

it('names the field that cannot be written, in a list of lines too', () => {
  expect(() => checkFields({ 'x-a': 'a', 'x-b': ['b', 'b\n'] })).toThrow(FieldError)
  expect(() => checkFields({ 'x-a': 'a', 'x-b': ['b', 'b\n'] })).toThrow(/"x-b".*"\\n"/)
  expect(() => checkFields({ 'x a': 'a' })).toThrow(/token/)
  expect(() => checkFields({ 'x-a': undefined, 'x-b': 5 })).not.toThrow()
})
