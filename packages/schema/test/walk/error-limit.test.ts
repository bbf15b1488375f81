import { describe, expect, it } from 'vitest'
import { SchemaScope } from '../../src/document/location.ts'
import { createSchemaEngine } from '../../src/index.ts'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'

const person = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    email: { type: 'string', minLength: 3, pattern: '@' },
    tags: { type: 'array', items: { type: 'integer' } },
    pet: {
      anyOf: [
        { type: 'object', required: ['cat'] },
        { type: 'object', required: ['dog'] },
      ],
    },
  },
}

function errors(errorLimit: number | undefined, data: unknown): string[] {
  const engine = createSchemaEngine({
    ...(errorLimit !== undefined && { errorLimit }),
    ajv: { customOptions: { coerceTypes: false } },
  })
  const validate = engine.compileValidator({ schema: person, httpPart: 'body', store: engine.createStore() })
  expect(validate(data)).toBe(false)
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
}

describe('errorLimit', () => {
  it('reports every error up to it', () => {
    expect(errors(20, { email: 'x', tags: [1, 'a', 'b'], pet: {} })).toEqual([
      ' required',
      ' required',
      '/email minLength',
      '/email pattern',
      '/tags/1 type',
      '/tags/2 type',
      '/pet required',
      '/pet required',
      '/pet anyOf',
    ])
  })

  it('ends the validation at the limit', () => {
    let looked = 0
    const tags = Array.from({ length: 1000 }, () => 'a')
    const watched = new Proxy(tags, {
      get(target, key, receiver): unknown {
        if (/^\d+$/.test(String(key))) looked += 1
        return Reflect.get(target, key, receiver)
      },
    })
    expect(errors(5, { name: 1, age: 1, tags: watched })).toHaveLength(5)
    // Each item is looked at twice, and the fast path has looked at one.
    expect(looked).toBeLessThan(20)
  })

  it.each([false, true])(
    'makes errors of a few items that do not match, with removal by branch: %s',
    (removesByBranch) => {
      const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
      const root = scope.open({ type: 'array', contains: { const: -1 } })
      const validator = new SchemaValidator(
        root,
        scope,
        new ValidatorTables(
          readWalkSettings({}, { errorLimit: 20, unionRemoval: removesByBranch ? 'branch' : 'each' }),
        ),
      )
      const errors = validator.errorsOf(Array.from({ length: 5000 }, (_, index) => index)) ?? []
      expect(errors.length).toBeLessThan(130)
      expect(errors[19]).toMatchObject({ instancePath: '/19', keyword: 'const' })
      expect(errors.at(-1)).toMatchObject({ instancePath: '', keyword: 'contains' })
    },
  )

  it.each([undefined, 1])('makes the errors of all items that do not match where it is %s', (errorLimit) => {
    const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
    const root = scope.open({ anyOf: [{ contains: { const: -1 } }] })
    const settings = readWalkSettings({}, errorLimit === undefined ? {} : { errorLimit })
    const list = Array.from({ length: 300 }, (_, index) => index)
    const errors = new SchemaValidator(root, scope, new ValidatorTables(settings)).errorsOf(list)
    expect(errors).toHaveLength(302)
  })

  it('keeps the first error without a limit, and with a limit of one', () => {
    expect(errors(undefined, { email: 'x' })).toEqual([' required'])
    expect(errors(1, { email: 'x' })).toEqual([' required'])
  })

  it('lists one error of each branch of a union', () => {
    expect(errors(20, { name: 1, age: 1, pet: 1 })).toEqual(['/pet type', '/pet type', '/pet anyOf'])
  })
})
