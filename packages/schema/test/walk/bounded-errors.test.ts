import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type SchemaEngineOptions, type ValidateFunction } from '../../src/index.ts'
import { boundedErrors } from '../../src/validator/decider.ts'
import { growthOf } from '../growth.ts'

/** A union that leads back to itself, with an error of each branch at each level. */
const UNION = {
  anyOf: [
    { type: 'object', properties: { foo: { $ref: '#' } }, required: ['foo'] },
    { type: 'object', properties: { foo: { $ref: '#' } }, required: ['bar'] },
  ],
}

const nested = (levels: number): unknown => JSON.parse(`${'{"foo":'.repeat(levels)}1${'}'.repeat(levels)}`)

function compile(options: SchemaEngineOptions): ValidateFunction {
  const engine = createSchemaEngine(options)
  return engine.compileValidator({ schema: UNION, httpPart: 'body', store: engine.createStore() })
}

const lengthOf = ({ errors }: ValidateFunction): number =>
  (errors ?? []).reduce((length, { instancePath }) => length + instancePath.length, 0)

describe('errors of a value that is nested deeply in unions', () => {
  it.each<[string, SchemaEngineOptions, number]>([
    ['the baseline', {}, 4500],
    ['narrowed unions', { unionErrors: 'branch' }, 4500],
    ['an option that only Ajv knows', { ajv: { customOptions: { $data: true } } }, 1200],
  ])('have pointers up to a length, with %s', (_name, options, levels) => {
    const validate = compile(options)
    expect(validate(nested(levels))).toBe(false)
    expect(lengthOf(validate)).toBeGreaterThan(1_000_000)
    expect(lengthOf(validate)).toBeLessThanOrEqual(1_048_576)
    expect(validate.errors?.at(-1)).toMatchObject({ instancePath: '', keyword: 'anyOf' })
    expect(validate(nested(3))).toBe(false)
    expect(validate.errors).toHaveLength(9)
  })

  it('are found in linear time, also where unions are narrowed', () => {
    const validate = compile({ unionErrors: 'branch', unionRemoval: 'branch', codeGeneration: 'never' })
    expect(growthOf((levels) => validate(nested(levels)), 600, 8)).toBeLessThan(1.6)
  })
})

describe('the bound of errors', () => {
  const error = (length: number) => ({
    instancePath: 'x'.repeat(length),
    schemaPath: '#/type',
    keyword: 'type',
    params: { type: 'object' },
  })

  it('does not change lists that keep to it', () => {
    const errors = [error(500_000), error(500_000), error(48_576)]
    expect(boundedErrors(errors)).toBe(errors)
    expect(boundedErrors([])).toEqual([])
  })

  it('keeps the last error, however long it is', () => {
    const errors = [error(500_000), error(500_000), error(48_577)]
    expect(boundedErrors(errors)).toEqual(errors)
    const more = [...errors, error(3), error(2)]
    expect(boundedErrors(more).map(({ instancePath }) => instancePath.length)).toEqual([500_000, 500_000, 2])
    expect(boundedErrors([error(2_000_000)])).toHaveLength(1)
    expect(boundedErrors([error(2_000_000), error(1)]).map(({ instancePath }) => instancePath)).toEqual(['x'])
  })
})
