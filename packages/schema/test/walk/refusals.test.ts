import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type SchemaEngineOptions, type ValidateFunction } from '../../src/index.ts'
import { Workbench, type Setup } from './workbench.ts'

function compile(
  schema: unknown,
  options: SchemaEngineOptions = {},
  shared: object[] = [],
): ValidateFunction {
  const engine = createSchemaEngine(options)
  const store = engine.createStore()
  for (const entry of shared) store.add(entry)
  return engine.compileValidator({ schema, httpPart: 'body', store })
}

/** Expects the verdict, data and errors of Ajv for JSON texts. */
function expectSame(schema: unknown, texts: readonly string[], setup: Setup = {}): void {
  const { ajv, own } = new Workbench([SHARED], setup).pair(schema)
  for (const text of texts) {
    const [verdict, expected] = [own(JSON.parse(text)), ajv(JSON.parse(text))]
    expect(verdict, text).toEqual(expected)
    // No parameter of an error is undefined, either.
    expect(verdict.errors, text).toStrictEqual(expected.errors)
  }
}

const SHARED = {
  $id: 'shared',
  type: 'object',
  properties: { a: { type: 'integer' }, again: { $ref: '#' } },
  definitions: { short: { type: 'string', maxLength: 2 }, again: { $ref: '#/definitions/short' } },
}

/** Keywords that apply a schema, and the JSON text of a value that has one for it. */
const APPLICATORS: Readonly<
  Record<string, readonly [within: (schema: object) => object, holding: (text: string) => string]>
> = {
  items: [(schema) => ({ items: schema }), (text) => `[${text}]`],
  'a tuple': [(schema) => ({ items: [true, schema] }), (text) => `[1,${text}]`],
  additionalItems: [(schema) => ({ items: [true], additionalItems: schema }), (text) => `[1,${text}]`],
  contains: [(schema) => ({ contains: schema }), (text) => `[${text}]`],
  properties: [(schema) => ({ properties: { a: schema } }), (text) => `{"a":${text}}`],
  patternProperties: [(schema) => ({ patternProperties: { '^a': schema } }), (text) => `{"a":${text}}`],
  additionalProperties: [(schema) => ({ additionalProperties: schema }), (text) => `{"a":${text}}`],
  dependencies: [
    (schema) => ({ dependencies: { a: { properties: { a: schema } } } }),
    (text) => `{"a":${text}}`,
  ],
  not: [(schema) => ({ not: schema }), (text) => text],
  allOf: [(schema) => ({ allOf: [schema] }), (text) => text],
  anyOf: [(schema) => ({ anyOf: [{ type: 'string' }, schema] }), (text) => text],
  oneOf: [(schema) => ({ oneOf: [{ type: 'string' }, schema] }), (text) => text],
  if: [(schema) => ({ if: schema, else: false }), (text) => text],
  then: [(schema) => ({ if: { type: 'array' }, then: schema }), (text) => text],
}

describe('refusals are those of Ajv', () => {
  it('where infinities are numbers', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer', maximum: 5 }, b: { type: 'number' } },
    }
    const texts = ['{"a":"1e999"}', '{"b":"Infinity"}', '{"a":["-1e999"]}', '{"a":1.5}']
    expectSame(schema, texts, { customOptions: { strictNumbers: false } })
    expectSame(schema, texts)
  })

  it('where a reference leads to a reference', () => {
    for (const $ref of [
      'shared#/definitions/again',
      '#/definitions/away',
      '#/definitions/own',
      '#/definitions/root',
    ]) {
      expectSame(
        {
          type: 'object',
          properties: { a: { $ref } },
          definitions: {
            away: { $ref: 'shared#/definitions/again' },
            own: { $ref: '#/definitions/short' },
            short: { type: 'string', maxLength: 2 },
            root: { $ref: '#' },
          },
        },
        ['{"a":"long"}', '{"a":{}}', '{"a":[]}', '{"a":{"a":{"a":[[]]}}}'],
      )
    }
  })

  it('where a clause of a condition is a referenced function', () => {
    const schema = {
      if: { required: ['a'] },
      then: { $ref: 'shared#' },
      else: { type: 'object', required: ['b'] },
    }
    expectSame(schema, ['{"a":"x"}', '{}', '{"a":1,"again":{"a":[]}}'])
    expectSame(schema, ['{"a":"x","again":{"a":[]}}', '{}'], { customOptions: { allErrors: true } })
  })

  it('for defaults of names that objects inherit, and for __proto__', () => {
    const properties: unknown = JSON.parse(
      '{"toString":{"type":"string","default":"x"},"__proto__":{"type":"integer","default":1},"a":{"default":{}}}',
    )
    const schema = {
      type: 'object',
      properties,
      required: ['__proto__', 'constructor'],
      additionalProperties: false,
    }
    const texts = [
      '{}',
      '{"__proto__":"x"}',
      '{"toString":1,"constructor":{}}',
      '{"b":1,"__proto__":{"c":1}}',
    ]
    expectSame(schema, texts)
    expectSame(schema, texts, { customOptions: { removeAdditional: false, allErrors: true } })
  })

  it('in the pair of duplicates that they name', () => {
    const texts = [
      '[1,2,1,2]',
      '["a","__proto__","__proto__","a"]',
      '[{"a":1},1,{"a":1},1]',
      '[null,"null",null]',
    ]
    for (const items of [{}, { type: 'integer' }, { type: 'string' }, { type: ['string', 'null'] }, [{}]]) {
      expectSame({ type: 'array', items, uniqueItems: true }, texts, {
        customOptions: { coerceTypes: false },
      })
    }
  })

  it('where Ajv goes by the verdict on the array or object before', () => {
    const lists = ['[[],[1],[]]', '[["x"],[]]', '[[1],[],["x"],[]]', '[[]]']
    expectSame({ type: 'array', items: { type: 'array', contains: { const: 1 } } }, lists)
    expectSame({ items: { items: [{ type: 'integer' }], contains: { type: 'integer' } } }, lists)
    const named = { propertyNames: { maxLength: 1 }, dependencies: { toString: ['a'] } }
    expectSame({ items: named }, ['[{}]', '[{"b":1},{}]', '[{"bb":1},{}]', '[{"a":1},{}]'])
  })

  it.each(Object.entries(APPLICATORS))(
    'where Ajv goes by the verdict on the list before, behind %s',
    (_keyword, [within, holding]) => {
      const lists = [
        ['[1]', '[]'],
        ['["x"]', '[]'],
        ['[1]', '[]', '["x"]', '[]'],
      ]
      const texts = lists.map((list) => `[${list.map(holding).join()}]`)
      expectSame({ items: within({ contains: { const: 1 } }) }, texts)
      expectSame({ items: within({ items: [{ const: 1 }], contains: {} }) }, texts)
    },
  )

  it('with the verbose fields and without messages', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: ['integer', 'null'], enum: [1, { b: 1 }] } },
      not: false,
    }
    expectSame(schema, ['{"a":[2]}', '{"a":"x"}', '5'], { customOptions: { verbose: true, messages: false } })
  })
})

describe('refusals differ from those of Ajv', () => {
  it('by not coercing the names of properties', () => {
    const validate = compile({ type: 'object', propertyNames: { anyOf: [{ type: 'integer' }] } })
    const data = { 5: true }
    expect(validate(data)).toBe(false)
    expect(validate.errors?.map(({ message }) => message)).toEqual([
      'must be integer',
      'must match a schema in anyOf',
      'property name must be valid',
    ])
    expect(data).toEqual({ 5: true })
  })

  it('by comparing objects that have names of Object.prototype', () => {
    const validate = compile({ enum: [{ toString: null, constructor: {} }] })
    expect([validate({ constructor: {}, toString: null }), validate({ toString: null })]).toEqual([
      true,
      false,
    ])
  })
})

describe('a schema without an acceptor', () => {
  it.each([
    ['objects in enum', { enum: [{ a: 1 }] }, '{"a":1}', '{"a":2}'],
    ['a default in a tuple', { items: [{ default: 'x' }], minItems: 1 }, '[]', '{}'],
    [
      'a property called __proto__',
      { required: ['__proto__'], maxProperties: 1 },
      '{"a":1}',
      '{"a":1,"b":2}',
    ],
  ])('is decided by the refuser: %s', (_name, rules, valid, invalid) => {
    const validate = compile({ type: 'items' in rules ? 'array' : 'object', ...rules })
    expect([validate(JSON.parse(valid)), validate(JSON.parse(invalid))]).toEqual([true, false])
    expect(validate.errors).toHaveLength(1)
  })
})
