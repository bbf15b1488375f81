import { afterEach, describe, expect, it, vi } from 'vitest'
import { SchemaScope } from '../../src/document/location.ts'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'
import { Value } from '../../src/walk/value.ts'

function decide(schema: object, data: unknown): unknown {
  const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
  return new SchemaValidator(
    scope.open(schema),
    scope,
    new ValidatorTables(readWalkSettings({}, {})),
  ).errorsOf(data)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('scalars that are coerced', () => {
  it.each([
    ['items', { items: { type: 'boolean' } }, [1, 'true', false], [true, true, false]],
    ['properties', { properties: { a: { type: 'integer', minimum: 2 } } }, { a: '2' }, { a: 2 }],
    [
      'patternProperties',
      { patternProperties: { '^n': { type: 'string' } } },
      { n: 1, x: 1 },
      { n: '1', x: 1 },
    ],
    [
      'additionalProperties',
      { additionalProperties: { type: 'null' } },
      { a: '', b: 0 },
      { a: null, b: null },
    ],
  ])('are replaced without a walk into them: %s', (_name, schema, data, coerced) => {
    const entry = vi.spyOn(Value.prototype, 'entry')
    expect(decide(schema, data)).toBeNull()
    expect(data).toEqual(coerced)
    expect(entry).not.toHaveBeenCalled()
  })

  it.each([
    ['are of no fitting type', { items: { type: 'integer' } }, ['x'], ['x'], 'type'],
    ['do not fit when they are coerced', { items: { type: 'integer', minimum: 5 } }, ['2'], [2], 'minimum'],
  ])('get the errors of a walk where they %s', (_name, schema, data, left, keyword) => {
    expect(decide(schema, data)).toMatchObject([{ instancePath: '/0', keyword }])
    expect(data).toEqual(left)
  })
})
