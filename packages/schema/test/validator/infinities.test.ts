import { expect, it } from 'vitest'
import type { AjvSettings } from '../../src/options.ts'
import { createSchemaEngine } from '../../src/index.ts'

const INFINITE = ['Infinity', '-Infinity', '1e999', '-1e999', ['Infinity']]
const SCHEMAS = {
  'an integer': { type: 'integer', maximum: 100, minimum: -100 },
  'a number': { type: 'number' },
  'a nullable number': { type: 'number', nullable: true },
  'an integer or a boolean': { type: ['integer', 'boolean'] },
}

function validate(schema: unknown, value: unknown, ajv: AjvSettings = {}): unknown {
  const engine = createSchemaEngine({ ajv })
  const check = engine.compileValidator({
    schema: { type: 'object', properties: { a: schema } },
    httpPart: 'querystring',
    store: engine.createStore(),
  })
  const data = { a: value }
  return check(data) === true ? data.a : check.errors
}

for (const [name, schema] of Object.entries(SCHEMAS)) {
  it.each([
    ['', {}],
    [' where Ajv sees every value', { onCreate: () => {} }],
  ])(`texts that stand for an infinity are not ${name}%s`, (_where, ajv) => {
    for (const text of INFINITE) {
      expect(validate(schema, text, ajv)).toMatchObject([
        {
          instancePath: '/a',
          schemaPath: '#/properties/a/type',
          keyword: 'type',
          params: { type: schema.type },
        },
      ])
    }
    expect(validate(schema, '7', ajv)).toBe(7)
  })
}

it('they stay text where text is admitted too', () => {
  expect(validate({ type: ['number', 'string'] }, 'Infinity')).toBe('Infinity')
})

it('numbers as large as they come are numbers', () => {
  expect(validate({ type: 'number' }, '1.7e308')).toBe(1.7e308)
})

it('strictNumbers: false takes infinities for numbers and holds them against the limits', () => {
  const ajv = { customOptions: { strictNumbers: false } }
  expect(validate({ type: 'number' }, '1e999', ajv)).toBe(Infinity)
  expect(validate({ type: 'number', maximum: 100 }, '1e999', ajv)).toMatchObject([{ keyword: 'maximum' }])
})

it('without coercion a text is no number, as ever', () => {
  const ajv = { customOptions: { coerceTypes: false } }
  expect(validate({ type: 'number' }, '7', ajv)).toMatchObject([
    { keyword: 'type', message: 'must be number' },
  ])
})
