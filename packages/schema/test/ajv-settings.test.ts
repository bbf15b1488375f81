import addErrors from 'ajv-errors'
import addKeywords from 'ajv-keywords'
import addMergePatch from 'ajv-merge-patch'
import addFormats from 'ajv-formats'
import { Ajv, type Options } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type AjvSettings, type ValidateFunction } from '../src/index.ts'

function compile(ajv: AjvSettings, schema: unknown, shared: object[] = []): ValidateFunction {
  const engine = createSchemaEngine({ ajv })
  const store = engine.createStore()
  for (const entry of shared) store.add(entry)
  return engine.compileValidator({ schema, httpPart: 'body', store })
}

describe('Ajv plugins', () => {
  it('takes ajv-errors', () => {
    const validate = compile(
      { customOptions: { allErrors: true }, plugins: [[addErrors.default, { singleError: true }]] },
      { type: 'object', required: ['a'], errorMessage: 'give me an a' },
    )
    expect(validate({})).toBe(false)
    expect(validate.errors?.map(({ message }) => message)).toEqual(['give me an a'])
  })

  it('takes ajv-keywords with options', () => {
    const validate = compile(
      { plugins: [[addKeywords.default, ['transform', 'range']]] },
      { type: 'object', properties: { a: { type: 'string', transform: ['trim'] } } },
    )
    const data = { a: ' x ' }
    expect(validate(data)).toBe(true)
    expect(data).toEqual({ a: 'x' })
  })

  it('takes ajv-merge-patch, which refers to shared schemas in its own way', () => {
    const validate = compile(
      { plugins: [addMergePatch] },
      { $merge: { source: { $ref: 'base#' }, with: { properties: { b: { type: 'integer' } } } } },
      [{ $id: 'base', type: 'object', properties: { a: { type: 'integer' } } }],
    )
    expect([validate({ a: 1, b: 2 }), validate({ a: 'x' }), validate({ b: 'x' })]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('uses the formats of a formats plugin that the application brings', () => {
    const validate = compile(
      { plugins: [[addFormats.default, { mode: 'fast' }]] },
      { type: 'string', format: 'date' },
    )
    expect(validate('2020-02-31')).toBe(true)
  })

  it('calls onCreate with the instance', () => {
    const validate = compile(
      {
        onCreate: (ajv) =>
          void ajv.addKeyword({
            keyword: 'even',
            validate: (_schema: unknown, data: unknown) => Number(data) % 2 === 0,
          }),
      },
      { type: 'integer', even: true },
    )
    expect([validate(2), validate(3)]).toEqual([true, false])
  })

  it('lets the application define a keyword that is an annotation here', () => {
    const validate = compile(
      { customOptions: { keywords: ['example'] } },
      { type: 'string', example: 'x', 'x-internal': true },
    )
    expect(validate('a')).toBe(true)
  })

  it('speaks JSON Type Definition when asked', () => {
    const validate = compile({ mode: 'JTD' }, { properties: { n: { type: 'int32' } } })
    expect([validate({ n: 1 }), validate({ n: 'x' })]).toEqual([true, false])
  })
})

describe('Ajv options', () => {
  it('follows removeAdditional, useDefaults and coerceTypes', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', default: 3 } } }
    const data = { x: 1 }
    expect(compile({ customOptions: { removeAdditional: 'all' } }, schema)(data)).toBe(true)
    expect(data).toEqual({ n: 3 })
    expect(compile({ customOptions: { coerceTypes: false } }, schema)({ n: '1' })).toBe(false)
    const bare = {}
    expect(compile({ customOptions: { useDefaults: false } }, schema)(bare)).toBe(true)
    expect(bare).toEqual({})
  })

  it('uses formats that the application defines', () => {
    const validate = compile(
      { customOptions: { formats: { even: /^(..)*$/ } } },
      { type: 'string', format: 'even' },
    )
    expect([validate('ab'), validate('abc')]).toEqual([true, false])
  })

  it('lets a lenient application keep its unknown keywords', () => {
    const validate = compile({ customOptions: { strict: false } }, { type: 'string', whatever: 1 })
    expect([validate('a'), validate({})]).toEqual([true, false])
  })
})

describe('errors', () => {
  const SCHEMAS: [object, unknown][] = [
    [{ type: 'object', required: ['a'] }, {}],
    [{ type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } } }, { a: [1, 'x'] }],
    [{ type: 'object', properties: { a: { $ref: 'shared#' } } }, { a: { city: 'too long', zip: 'x' } }],
    [{ type: 'object', properties: { a: { $ref: 'shared#/properties/city' } } }, { a: 'too long' }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { a: 1 }],
    [
      { type: 'array', uniqueItems: true, items: { type: 'object' } },
      [{ a: 1 }, { b: 1 }, { a: 1 }, { b: 1 }],
    ],
    [{ type: 'array', uniqueItems: true }, [[1], 2, [1], 2]],
    [{ type: 'array', uniqueItems: true, items: { type: 'integer' } }, [1, 2, 1]],
    [{ type: 'string', format: 'url' }, 'x'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, { a: 'x' }],
  ]

  it.each(SCHEMAS)('are those of Ajv, field by field: %j', (schema, data) => {
    const shared = {
      $id: 'shared',
      type: 'object',
      properties: { city: { type: 'string', maxLength: 3 } },
      required: ['zip'],
    }
    const ajv = new Ajv({
      coerceTypes: 'array',
      useDefaults: true,
      removeAdditional: true,
      addUsedSchema: false,
    })
    addFormats.default(ajv)
    ajv.addSchema(shared)
    const reference = ajv.compile(schema)
    expect(reference(structuredClone(data))).toBe(false)
    const validate = compile({}, schema, [shared])
    expect(validate(structuredClone(data))).toBe(false)
    expect(validate.errors).toEqual(reference.errors)
  })
})

describe('the logger of Ajv', () => {
  it.each<readonly [Options, object, RegExp]>([
    [{ strictSchema: 'log' }, { own: 1 }, /unknown keyword: "own"/],
    [{ strictTypes: 'log' }, { minimum: 1 }, /missing type "number"/],
    [{ strictTuples: 'log' }, { type: 'array', items: [{}] }, /"items" is 1-tuple/],
    [{ strictRequired: 'log' }, { type: 'object', required: ['a'] }, /required property "a"/],
  ])('gets what one check of strict mode finds, also without the others: %j', (options, schema, message) => {
    const lines: unknown[] = []
    const log = (line: unknown): void => void lines.push(line)
    compile({ customOptions: { strict: false, ...options, logger: { log, warn: log, error: log } } }, schema)
    expect(lines).toEqual([expect.stringMatching(message)])
  })
})
