// Each keyword that can refuse a value does so in every part of the engine: a part that does not know one fails here.
import { openApiDocument } from '@cloister/openapi'
import { createSchemaEngine } from '@cloister/schema'
import type { SchemaEngineOptions } from '@cloister/schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'
import { namesOf } from '../../packages/schema/src/document/vocabulary.ts'
import { KEYWORDS } from '../../packages/schema/src/keywords/table.ts'

type Case = readonly [schema: object, good: unknown, bad: unknown]

const CASES: Readonly<Record<string, Case>> = {
  $ref: [{ $ref: '#/$defs/count' }, 1, 'x'],
  $dynamicRef: [{ $dynamicRef: '#count' }, 1, 'x'],
  type: [{ type: 'integer' }, 1, 'x'],
  nullable: [{ type: 'string', nullable: true }, null, 1],
  const: [{ const: 1 }, 1, 2],
  enum: [{ enum: [1, 'a'] }, 'a', 2],
  not: [{ not: { type: 'string' } }, 1, 'x'],
  anyOf: [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, null, 'x'],
  oneOf: [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 1.5, 1],
  allOf: [{ allOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] }, 2, 1],
  if: [{ type: 'integer', if: { minimum: 5 }, then: { multipleOf: 5 } }, 10, 7],
  then: [{ type: 'integer', if: { minimum: 5 }, then: { multipleOf: 5 } }, 1, 7],
  else: [{ type: 'integer', if: { minimum: 5 }, else: { multipleOf: 2 } }, 7, 1],
  maximum: [{ type: 'number', maximum: 3 }, 3, 4],
  minimum: [{ type: 'number', minimum: 3 }, 3, 2],
  exclusiveMaximum: [{ type: 'number', exclusiveMaximum: 3 }, 2, 3],
  exclusiveMinimum: [{ type: 'number', exclusiveMinimum: 3 }, 4, 3],
  multipleOf: [{ type: 'number', multipleOf: 3 }, 6, 7],
  maxLength: [{ type: 'string', maxLength: 1 }, 'a', 'ab'],
  minLength: [{ type: 'string', minLength: 2 }, 'ab', 'a'],
  pattern: [{ type: 'string', pattern: '^a' }, 'ab', 'b'],
  format: [{ type: 'string', format: 'date' }, '2020-01-31', '2020-01-32'],
  maxItems: [{ type: 'array', maxItems: 1 }, [1], [1, 2]],
  minItems: [{ type: 'array', minItems: 1 }, [1], []],
  additionalItems: [{ type: 'array', items: [{}], minItems: 1, additionalItems: false }, [1], [1, 2]],
  prefixItems: [{ type: 'array', prefixItems: [{ type: 'integer' }], minItems: 1, maxItems: 1 }, [1], ['x']],
  items: [{ type: 'array', items: { type: 'integer' } }, [1], ['x']],
  contains: [{ type: 'array', contains: { const: 1 } }, [2, 1], [2]],
  minContains: [{ type: 'array', contains: { const: 1 }, minContains: 2 }, [1, 1], [1]],
  maxContains: [{ type: 'array', contains: { const: 1 }, maxContains: 1 }, [1], [1, 1]],
  uniqueItems: [{ type: 'array', uniqueItems: true }, [1, 2], [1, 1]],
  unevaluatedItems: [{ type: 'array', prefixItems: [{}], minItems: 1, unevaluatedItems: false }, [1], [1, 2]],
  maxProperties: [{ type: 'object', maxProperties: 1 }, { a: 1 }, { a: 1, b: 1 }],
  minProperties: [{ type: 'object', minProperties: 1 }, { a: 1 }, {}],
  required: [{ type: 'object', required: ['a'] }, { a: 1 }, { b: 1 }],
  propertyNames: [{ type: 'object', propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
  additionalProperties: [{ type: 'object', additionalProperties: { type: 'integer' } }, { a: 1 }, { a: 'x' }],
  dependencies: [{ type: 'object', dependencies: { a: ['b'] } }, { b: 1 }, { a: 1 }],
  properties: [{ type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }, { a: 'x' }],
  patternProperties: [
    { type: 'object', patternProperties: { '^a': { type: 'integer' } } },
    { ab: 1 },
    { ab: 'x' },
  ],
  dependentRequired: [{ type: 'object', dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
  dependentSchemas: [
    { type: 'object', dependentSchemas: { a: { maxProperties: 1 } } },
    { a: 1 },
    { a: 1, b: 1 },
  ],
  unevaluatedProperties: [
    { type: 'object', properties: { a: {} }, unevaluatedProperties: false },
    { a: 1 },
    { b: 1 },
  ],
}

/** Ajv counts it as a rule, and it refuses nothing. */
const REFUSES_NOTHING = '$comment'
/** The paths of their errors name another keyword: the one that the reference leads to, `contains`, or `then`. */
const NAMED_OTHERWISE = new Set(['$ref', '$dynamicRef', 'nullable', 'minContains', 'maxContains', 'if'])
/** Keywords that a document in 2020-12 cannot have. */
const NOT_WRITTEN = new Set(['$dynamicRef'])

/** Ajv 2020 applies the root schema in place of an anchor below. */
const WRONG_IN_AJV = new Set(['$dynamicRef'])

const RULES = namesOf(({ role }) => role === 'rule').filter((name) => name !== REFUSES_NOTHING)
const OLDER = new Set(namesOf(({ dialect }) => dialect === 'draft-07'))

const $defs = { count: { $dynamicAnchor: 'count', type: 'integer' } }
const dialectOf = (name: string): { readonly $schema: string } => ({
  $schema: OLDER.has(name)
    ? 'http://json-schema.org/draft-07/schema#'
    : 'https://json-schema.org/draft/2020-12/schema',
})

const ajv = { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } } as const

it('has a case for each keyword that can refuse a value, and the table of keywords has each of them', () => {
  expect(Object.keys(CASES).toSorted()).toEqual([...RULES].toSorted())
  const read = Object.values(KEYWORDS).flatMap((group: readonly { readonly names: readonly string[] }[]) =>
    group.flatMap(({ names }) => names),
  )
  // The type of a schema is read with each schema.
  expect(new Set([...read, 'type', 'nullable'])).toEqual(new Set(RULES))
})

const wholeOf = (name: string, schema: object): object => ({
  ...dialectOf(name),
  $defs,
  type: 'object',
  properties: { v: schema },
  required: ['v'],
})

function expectRefusal(name: string, options: SchemaEngineOptions): void {
  const [schema, good, bad] = CASES[name] ?? []
  const engine = createSchemaEngine(options)
  const validate = engine.compileValidator({
    schema: wholeOf(name, schema ?? {}),
    httpPart: 'body',
    store: engine.createStore(),
  })
  expect([validate({ v: good }), validate({ v: bad })], name).toEqual([true, false])
  const errors = validate.errors ?? []
  expect(errors.every(({ message = '' }) => /\bmust /.test(message))).toBe(true)
  const paths = errors.map(({ schemaPath }) => schemaPath.split('/'))
  expect(NAMED_OTHERWISE.has(name) || paths.some((keys) => keys.includes(name)), name).toBe(true)
}

it('refuses values by each keyword where Ajv decides', () => {
  const customOptions = { ...ajv.customOptions, inlineRefs: false }
  for (const name of RULES) if (!WRONG_IN_AJV.has(name)) expectRefusal(name, { ajv: { customOptions } })
})

it('refuses values by each keyword in OpenAPI documents, or says that it cannot be written', async () => {
  for (const [name, [schema, good, bad]] of Object.entries(CASES)) {
    const app = cloister({ ajv })
    app.post('/', { schema: { body: wholeOf(name, schema) } }, () => 'ok')
    await app.ready()
    if (NOT_WRITTEN.has(name)) {
      expect(() => openApiDocument(app)).toThrow(name)
      continue
    }
    const document = new Ajv2020({ strict: false, logger: false })
    addFormats.default(document)
    document.addSchema({ ...openApiDocument(app) }, 'document', false, false)
    const validate = document.compile({
      $ref: 'document#/paths/~1/post/requestBody/content/application~1json/schema',
    })
    expect([validate({ v: good }), validate({ v: bad })], name).toEqual([true, false])
  }
})

describe.each(Object.entries(CASES))('%s', (name, [schema, good, bad]) => {
  it.each(['never', 'always'] as const)(
    'refuses values in validators, with an error that names it, codeGeneration: %s',
    (codeGeneration) => expectRefusal(name, { codeGeneration, ajv }),
  )

  it.each(['never', 'always'] as const)(
    'chooses what serializers write, codeGeneration: %s',
    (codeGeneration) => {
      const engine = createSchemaEngine({ codeGeneration })
      const declared = (key: string): object => ({ properties: { [key]: { type: 'integer' } } })
      const serialize = engine.compileSerializer({
        schema: {
          ...dialectOf(name),
          $defs,
          type: 'object',
          if: { type: 'object', properties: { v: schema } },
          then: declared('fits'),
          else: declared('misfits'),
        },
        store: engine.createStore(),
      })
      const written = (v: unknown): string => serialize({ v, fits: 1, misfits: 2 })
      expect([written(good), written(bad)]).toEqual(['{"fits":1}', '{"misfits":2}'])
    },
  )
})
