// A property that several parts of a schema describe, each in its own way, is written as all of them describe it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textsOf, WAYS, type Schema } from './texts-of.ts'

const same = (value: unknown): unknown[] => WAYS.map(() => value)

/** The object with one property, of any form. */
const inner = (name: string): Schema => ({ type: 'object', properties: { [name]: { type: 'string' } } })

/** Where a schema of an object may declare its property `x-1`. */
const DECLARATIONS: Readonly<Record<string, (schema: Schema) => Schema>> = {
  properties: (schema) => ({ type: 'object', properties: { 'x-1': schema } }),
  patternProperties: (schema) => ({ type: 'object', patternProperties: { '^x-': schema } }),
  additionalProperties: (schema) => ({ type: 'object', additionalProperties: schema }),
}

/** How two schemas apply to one object. */
const COMBINATIONS: Readonly<Record<string, (one: Schema, other: Schema) => Schema>> = {
  allOf: (one, other) => ({ allOf: [one, other] }),
  'allOf beside keywords': (one, other) => ({ ...one, allOf: [other] }),
  'a reference with siblings': (one, other) => ({
    $ref: '#/definitions/other',
    ...one,
    definitions: { other },
  }),
  'a union': (one, other) => ({ ...one, anyOf: [other] }),
  'a condition': (one, other) => ({ ...one, if: { required: ['x-1'] }, then: other }),
  'the other side of a condition': (one, other) => ({ ...one, if: { required: ['y'] }, else: other }),
  dependencies: (one, other) => ({ ...one, dependencies: { 'x-1': other } }),
  dependentSchemas: (one, other) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...one,
    dependentSchemas: { 'x-1': other },
  }),
}

describe('a property with several declarations', () => {
  it('is written as all of them describe it, however they are combined', () => {
    const declaration = fc.constantFrom(...Object.entries(DECLARATIONS))
    fc.assert(
      fc.property(
        declaration,
        declaration,
        fc.constantFrom(...Object.entries(COMBINATIONS)),
        ([oneName, one], [otherName, other], [name, combine]) => {
          const schema = combine(one(inner('a')), other(inner('b')))
          const value = { 'x-1': { a: '1', b: '2' } }
          const read = textsOf(schema, value).map((text): unknown => JSON.parse(text))
          expect([oneName, otherName, name, read]).toEqual([oneName, otherName, name, same(value)])
        },
      ),
      { numRuns: 300, seed: 49 },
    )
  })

  it('is written by its own schema and that of a pattern beside it', () => {
    const schema = { ...DECLARATIONS['properties']?.(inner('a')), patternProperties: { '^x-': inner('b') } }
    const value = { 'x-1': { a: '1', b: '2' } }
    expect(textsOf(schema, value)).toEqual(same(JSON.stringify(value)))
  })

  it('is written by the first of them if no value has the types of all', () => {
    const schema = {
      type: 'object',
      properties: { 'x-1': { type: 'object', properties: { a: { type: 'string' } } } },
      patternProperties: { '^x-': { type: 'string' } },
    }
    expect(textsOf(schema, { 'x-1': { a: '1' } })).toEqual(same('{"x-1":{"a":"1"}}'))
  })

  it('is left out where a dependency on another property does not apply', () => {
    const schema = { ...inner('a'), dependencies: { a: inner('b') } }
    expect(textsOf(schema, { a: '1', b: '2' })).toEqual(same('{"a":"1","b":"2"}'))
    expect(textsOf(schema, { b: '2' })).toEqual(same('{}'))
  })
})
