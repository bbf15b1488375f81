// Values that a schema accepts are written, whatever else stands in the schema.
import { describe, expect, it } from 'vitest'
import { textsOf, WAYS, type Schema } from './texts-of.ts'

const META_2020 = 'https://json-schema.org/draft/2020-12/schema'
const ID = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

describe('a value that its schema accepts is written', () => {
  it.each<[string, Schema, unknown]>([
    ['no object beside dependencies', { type: ['boolean', 'object'], dependencies: { id: ID } }, true],
    ['a list beside dependencies', { type: ['array', 'object'], dependencies: { id: ID } }, [1]],
    [
      'a text beside dependentSchemas',
      { $schema: META_2020, type: ['string', 'object'], dependentSchemas: { id: ID } },
      'x',
    ],
    ['null in a tuple', { type: 'array', items: [{ type: 'boolean', nullable: true }] }, [null]],
    ['a null object in a tuple', { type: 'array', items: [{ ...ID, nullable: true }] }, [null]],
    [
      'a text of a union with a keyword for objects beside another union',
      { type: 'string', oneOf: [{ dependencies: {} }], anyOf: [{ type: 'string' }, ID] },
      'x',
    ],
    [
      'a property that one branch declares and others leave to unevaluatedProperties',
      { $schema: META_2020, anyOf: [{}, ID], unevaluatedProperties: { type: 'integer' } },
      { id: 'x', n: 1 },
    ],
    [
      'a property whose inner ones only unevaluatedProperties takes',
      {
        $schema: META_2020,
        anyOf: [{}, { type: 'object', properties: { in: { type: 'object', properties: { a: {} } } } }],
        unevaluatedProperties: true,
      },
      { in: { a: 1, b: 2 } },
    ],
  ])('%s', (_title, inner, value) => {
    const { $schema, ...rest } = inner
    const dialect = $schema === undefined ? {} : { $schema }
    const schema = { ...dialect, type: 'object', properties: { in: rest } }
    expect(textsOf(schema, { in: value })).toEqual(WAYS.map(() => JSON.stringify({ in: value })))
  })

  it('or its position in a tuple takes none, which is no error of the schema', () => {
    const never = { type: 'integer', allOf: [{ type: 'object' }] }
    expect(textsOf({ type: 'array', items: [never] }, [])).toEqual(WAYS.map(() => '[]'))
  })
})
