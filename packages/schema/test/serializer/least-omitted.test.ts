// Of the branches of a union that take a value, the one that omits least is written, however the branches are made.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SchemaError } from '../../src/index.ts'
import { textsOf, WAYS, type Schema } from './texts-of.ts'

const same = (value: unknown): string[] => WAYS.map(() => JSON.stringify(value))

/** Forms of a schema that take the same values, and a few more that no test sends. */
const FORMS: Readonly<Record<string, (schema: Schema) => Schema>> = {
  itself: (schema) => schema,
  'a union of one': (schema) => ({ anyOf: [schema] }),
  'a union with numbers': (schema) => ({ anyOf: [{ type: 'number' }, schema] }),
  'a union with null': (schema) => ({ oneOf: [{ type: 'null' }, schema] }),
  'a keyword for numbers beside a union': (schema) => ({ anyOf: [{ type: 'number' }, schema], minimum: 0 }),
  'a keyword for texts beside a union': (schema) => ({ anyOf: [{ type: 'string' }, schema], maxLength: 5 }),
  allOf: (schema) => ({ allOf: [schema] }),
  nullable: (schema) => ({ ...schema, nullable: true }),
  'a list of types': (schema) => ({ ...schema, type: ['object', 'null'] }),
  'a condition that holds': (schema) => ({ type: 'object', if: { type: 'object' }, then: schema }),
  'a condition that does not': (schema) => ({ type: 'object', if: { required: ['never'] }, else: schema }),
  'a tag': (schema) => ({
    anyOf: [
      { type: 'object', required: ['tag'], properties: { tag: { const: 'other' } } },
      { ...schema, properties: { ...Object(schema['properties']), tag: { const: 'this' } } },
    ],
  }),
}

const shapeOf = (name: string): Schema => ({ type: 'object', properties: { [name]: { type: 'string' } } })
const form = fc.constantFrom(...Object.values(FORMS))
const forms = fc.array(form, { minLength: 1, maxLength: 2 })
const wrap = (schema: Schema, all: readonly ((schema: Schema) => Schema)[]): Schema =>
  all.reduce((inner, one) => one(inner), schema)

describe('a union', () => {
  it('writes every property that one of its branches declares, for drawn branches', () => {
    fc.assert(
      fc.property(forms, forms, fc.constantFrom('a', 'b'), fc.boolean(), (first, second, name, isDeep) => {
        const union = { anyOf: [wrap(shapeOf('a'), first), wrap(shapeOf('b'), second)] }
        const schema = isDeep
          ? { type: 'object', properties: { in: { type: 'array', items: union } } }
          : union
        const one = { [name]: 'text' }
        const value = isDeep ? { in: [one] } : one
        let texts: string[]
        try {
          texts = textsOf(schema, value)
        } catch (error) {
          // The boot may refuse a combination; a value that the schema takes is never an error.
          expect(error).toBeInstanceOf(SchemaError)
          return
        }
        expect(texts).toEqual(same(value))
      }),
      { numRuns: 300, seed: 49 },
    )
  })

  it.each([
    [{ anyOf: [{ type: 'number' }, shapeOf('top')], minimum: 0 }, { top: 'a' }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }], maxLength: 5 }, null],
    [{ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }], maxItems: 5 }, 'x'],
    [{ anyOf: [shapeOf('top'), { type: 'null' }], required: ['top'] }, null],
    [{ type: ['number', 'null'], minimum: 0 }, null],
    [{ minimum: 0 }, 'x'],
  ] as const)('takes a branch with a keyword for values of another type: %j', (branch, value) => {
    const other = { type: 'object', required: ['expr'], properties: { expr: { type: 'string' } } }
    expect(textsOf({ anyOf: [branch, other] }, value)).toEqual(same(value))
    expect(textsOf({ anyOf: [branch, other] }, { expr: 'a' })).toEqual(same({ expr: 'a' }))
    expect(textsOf({ type: 'array', items: { anyOf: [branch, other] } }, [value])).toEqual(same([value]))
  })
})
