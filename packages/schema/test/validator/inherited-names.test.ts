import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../../src/index.ts'
import { baselineAjvOptions } from '../../src/validator/policy.ts'

/** Every object has them from `Object.prototype`, and JSON may have them too. */
const NAMES = ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__']

const SCHEMAS: Record<string, (name: string) => object> = {
  required: (name) => ({ type: 'object', required: [name] }),
  'required below': (name) => ({ type: 'object', properties: { o: { type: 'object', required: [name] } } }),
  'required in a union': (name) => ({ anyOf: [{ type: 'object', required: [name] }, { type: 'array' }] }),
  'required with a type': (name) => ({
    type: 'object',
    required: [name],
    properties: Object.fromEntries([[name, { type: 'string' }]]),
  }),
  properties: (name) => ({ type: 'object', properties: Object.fromEntries([[name, { type: 'object' }]]) }),
  'no other properties': (name) => ({
    type: 'object',
    properties: { a: {} },
    patternProperties: Object.fromEntries([[`^${name}$`, {}]]),
    additionalProperties: false,
  }),
  dependencies: (name) => ({ type: 'object', dependencies: Object.fromEntries([[name, ['a']]]) }),
}

const VALUES: Record<string, (name: string) => string> = {
  'an empty object': () => '{}',
  'an object with others': () => '{"a":1,"o":{}}',
  'the name itself': (name) => `{"${name}":{},"o":{"${name}":1}}`,
  'another type': (name) => `{"${name}":"text"}`,
}

function compile(schema: object, customOptions: object = {}): ValidateFunction {
  const engine = createSchemaEngine({ ajv: { customOptions } })
  return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
}

describe('names that objects inherit', () => {
  it('are refused when they are missing, where a type is beside required or ownProperties is on', () => {
    const required = { type: 'object', required: ['toString'] }
    const typed = { ...required, properties: { toString: { type: 'string' } } }
    expect([compile(required)({}), compile(typed)({}), compile(typed)({ toString: 'own' })]).toEqual([
      true,
      false,
      true,
    ])
    const strict = compile(required, { ownProperties: true })
    expect([strict({}), strict({ toString: 'own' })]).toEqual([false, true])
  })

  for (const [kind, schemaOf] of Object.entries(SCHEMAS)) {
    it(`gets the verdict and the value of Ajv for ${kind}`, () => {
      for (const name of NAMES) {
        const ours = compile(schemaOf(name))
        const theirs = new Ajv(baselineAjvOptions).compile(schemaOf(name))
        for (const [value, textOf] of Object.entries(VALUES)) {
          const [one, two]: unknown[] = [JSON.parse(textOf(name)), JSON.parse(textOf(name))]
          const label = `${name}: ${value}`
          expect(ours(one), label).toBe(theirs(two))
          expect(one, label).toEqual(two)
          expect(
            ours.errors?.map(({ message }) => message),
            label,
          ).toEqual(theirs.errors?.map(({ message }) => message))
        }
      }
    })
  }
})
