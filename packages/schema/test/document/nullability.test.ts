import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'

const NULLABLE = { type: ['object', 'null'] }
const OBJECT = { type: 'object' }

function admits(schema: unknown): boolean {
  const engine = createSchemaEngine()
  const store = engine.createStore()
  store.add({ $id: 'thing', ...NULLABLE })
  store.add({ $id: 'lib', definitions: { thing: { $ref: 'thing#' }, strict: OBJECT } })
  return engine.allowsNull(schema, store)
}

describe('whether a schema names null', () => {
  const YES: Record<string, unknown> = {
    'the type null': { type: 'null' },
    'a list of types': NULLABLE,
    nullable: { type: 'object', nullable: true },
    'a reference': { $ref: 'thing#' },
    'references over several hops': { $ref: 'lib#/definitions/thing' },
    'a reference into the schema itself': { $ref: '#/definitions/a', definitions: { a: NULLABLE } },
    'allOf of which all admit it': { allOf: [NULLABLE, { $ref: 'thing#' }, { minProperties: 1 }] },
    'anyOf of which one admits it': { anyOf: [OBJECT, { $ref: 'thing#' }] },
    'oneOf of which one admits it': { oneOf: [OBJECT, { type: 'null' }] },
    'an enum': { enum: ['a', null] },
    'a const': { const: null },
    'the branch of a condition': { if: OBJECT, then: OBJECT, else: NULLABLE },
    'a not that speaks of others': { ...NULLABLE, not: { required: ['a'], type: 'object' } },
  }
  const NO: Record<string, unknown> = {
    'another type': OBJECT,
    'no type': { properties: { a: NULLABLE } },
    'an empty schema': {},
    true: true,
    false: false,
    'a keyword of the application': { isThing: true },
    'a reference to another type': { $ref: 'lib#/definitions/strict' },
    'a reference beside another type': { ...OBJECT, $ref: 'thing#' },
    'allOf of which one does not': { allOf: [NULLABLE, OBJECT] },
    'oneOf of which two admit it': { oneOf: [NULLABLE, { $ref: 'thing#' }] },
    'an enum without it': { ...NULLABLE, enum: [1] },
    'another const': { ...NULLABLE, const: 1 },
    'a not of null': { ...NULLABLE, not: { type: 'null' } },
  }
  for (const [name, schema] of Object.entries(YES)) {
    it(`says yes to ${name}`, () => expect(admits(schema)).toBe(true))
  }
  for (const [name, schema] of Object.entries(NO)) {
    it(`says no to ${name}`, () => expect(admits(schema)).toBe(false))
  }
})
