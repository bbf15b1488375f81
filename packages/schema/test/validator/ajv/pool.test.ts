import addFormats from 'ajv-formats'
import type { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import {
  createSchemaEngine,
  SchemaError,
  type AjvSettings,
  type ValidateFunction,
} from '../../../src/index.ts'

/** Settings that make Ajv decide about every value. */
const ALWAYS: AjvSettings = { onCreate: () => {} }

function compile(
  schema: unknown,
  shared: readonly object[] = [],
  ajv: AjvSettings = ALWAYS,
): ValidateFunction {
  const engine = createSchemaEngine({ ajv })
  const store = engine.createStore()
  for (const entry of shared) store.add(entry)
  return engine.compileValidator({ schema, httpPart: 'body', store })
}

function caught(run: () => unknown): SchemaError {
  try {
    run()
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** The verdicts about values of `{ a: … }`. */
const verdicts = (validate: ValidateFunction, ...values: readonly unknown[]): unknown[] =>
  values.map((a) => validate({ a }))

const COUNT = { $id: 'count', type: 'integer' }

describe('Ajv finds the same targets of references as the rest of the engine', () => {
  const SHARED = [
    COUNT,
    { $id: 'my count', definitions: { count: { type: 'integer' } } },
    { $id: 'http://example.com/count.json', type: 'integer' },
    { $id: 'http://example.com', type: 'integer' },
    { $id: 'http://example.org/', type: 'integer', definitions: { short: { type: 'integer' } } },
    { $id: 'hop', definitions: { there: { $ref: 'shared#named' } } },
    { $id: '#part', type: 'integer' },
    {
      $id: 'shared',
      properties: { number: { $ref: '#named' } },
      definitions: { count: { type: 'integer' }, named: { $id: '#named', $ref: '#/definitions/count' } },
    },
  ]
  const refer = ($ref: string, more: object = {}): object => ({
    type: 'object',
    properties: { a: { $ref } },
    ...more,
  })

  it.each([
    ['count#', {}],
    ['count', {}],
    ['#own', { definitions: { own: { $id: '#own', type: 'integer' } } }],
    ['#/definitions/own', { definitions: { own: { type: 'integer' } } }],
    ['shared#/definitions/count', {}],
    ['shared#/properties/number', {}],
    ['shared#named', {}],
    ['hop#/definitions/there', {}],
    ['my count#/definitions/count', {}],
    ['#part', {}],
    ['http://example.com/count.json#', {}],
    ['../count.json', { $id: 'http://example.com/a/b.json' }],
    ['count.json', { $id: 'http://example.com/b.json' }],
    ['count#', { $id: 'http://x.test/y' }],
    ['http://example.com/', {}],
    ['http://example.org', {}],
    ['http://example.org#/definitions/short', {}],
  ])('%s, with %j beside it', (ref, more) => {
    const validate = compile(refer(ref, more), SHARED)
    expect(verdicts(validate, '5', 5.5, 'x')).toEqual([true, false, false])
  })

  it('and in a schema that has the $id of a shared one and the same content', () => {
    const schema = { ...COUNT, not: { $ref: 'count#/definitions/x' }, definitions: { x: { const: 0 } } }
    const validate = compile(structuredClone(schema), [schema])
    expect([validate(1), validate(0), validate('x')]).toEqual([true, false, false])
  })
})

describe('of two shared schemas Ajv takes the one that is written', () => {
  it.each([
    ['http://example.com', {}],
    ['count', { $id: 'http://x.test/y' }],
  ])('%s, with %j beside it', (ref, more) => {
    const [written, other] = ref === 'count' ? ['http://x.test/count', 'count'] : [ref, `${ref}/`]
    const validate = compile({ type: 'object', properties: { a: { $ref: ref } }, ...more }, [
      { $id: other, const: 'other' },
      { $id: written, type: 'integer' },
    ])
    expect(verdicts(validate, 5, 'other')).toEqual([true, false])
    expect(validate.errors).toMatchObject([{ params: { type: 'integer' } }])
  })
})

describe('a schema that Ajv cannot take fails the start', () => {
  it('where it refers to one that is no schema', () => {
    const error = caught(() => compile({ $ref: 'bad#' }, [{ $id: 'bad', type: 'text' }]))
    expect([error.code, error.message]).toEqual([
      'SCHEMA_INVALID',
      expect.stringContaining('schema is invalid'),
    ])
  })

  it('with keywords of JSON Schema in the mode of JSON Type Definition', () => {
    const error = caught(() => compile({ type: 'string', example: 'x' }, [], { mode: 'JTD' }))
    expect(error.code).toBe('SCHEMA_INVALID')
  })

  it('with the $id of another one that it refers to', () => {
    const schema = { $id: 'count', type: 'object', properties: { a: { $ref: 'other#' } } }
    const other = { $id: 'other', $ref: 'count#' }
    const error = caught(() => compile(schema, [COUNT, other]))
    expect([error.code, error.schemaId]).toEqual(['ID_DUPLICATE', 'count'])
    expect(error.message).toContain('give one of them another "$id"')
  })

  it('with a reference to another dialect', () => {
    const later = { $id: 'later', $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'integer' }
    const schema = { type: 'object', properties: { a: { $ref: 'later#' } } }
    const error = caught(() => compile(schema, [later], { customOptions: { ownProperties: true } }))
    expect(error.code).toBe('SCHEMA_INVALID')
    expect(error.message).toContain('is of draft-07 and refers to "later", which is not')
  })

  it.each([
    [null, 'null'],
    [[], 'an array'],
    [5, 'a number'],
    ['x', 'a string'],
  ])('as %j', (schema, name) => {
    const error = caught(() => compile(schema))
    expect(error.code).toBe('SCHEMA_INVALID')
    expect(error.message).toContain(`a schema is an object or a boolean, not ${name}`)
    expect(error.cause).toBeUndefined()
  })

  it('with a keyword that nothing explains, in itself or in a shared schema', () => {
    const error = caught(() => compile({ type: 'string', lenght: 3 }))
    expect(error.code).toBe('SCHEMA_INVALID')
    expect(error.message).toContain('unknown keyword: "lenght"')
    expect(error.cause).toBeInstanceOf(Error)
    const shared = { $id: 'bad', type: 'string', lenght: 3 }
    expect(caught(() => compile({ $ref: 'bad#' }, [shared])).message).toContain('unknown keyword')
    expect(compile({ type: 'string' }, [COUNT])('x')).toBe(true)
  })

  it('but not as true and false', () => {
    expect([compile(true)(5), compile(false)(5)]).toEqual([true, false])
  })
})

describe('annotations', () => {
  it('of the application begin with x-, and may be anywhere', () => {
    const marked = { $id: 'marked', type: 'integer', 'x-shared': { 'x-inner': 1 } }
    const schema = {
      type: 'object',
      'x-order': 1,
      properties: {
        a: { allOf: [{ $ref: 'marked#' }, { type: 'integer', 'x-deep': [{ 'x-deeper': true }] }] },
      },
    }
    expect(verdicts(compile(schema, [marked]), 5, 'x')).toEqual([true, false])
  })

  it('whose name is no name of a keyword are refused, as Ajv does', () => {
    const schema = { type: 'string', 'x-a b': 1 }
    expect(caught(() => compile(schema)).code).toBe('SCHEMA_INVALID')
    expect(compile(schema, [], { ...ALWAYS, customOptions: { strict: false } })('text')).toBe(true)
  })

  it('of OpenAPI are taken, also where a plugin has defined some of them', () => {
    const define = (ajv: Ajv): void => void ajv.addKeyword('example')
    const schema = { type: 'string', deprecated: true, example: 'x', xml: {} }
    expect([compile(schema)('a'), compile(schema, [], { plugins: [define] })('a')]).toEqual([true, true])
  })
})

describe('formats', () => {
  const url = { type: 'string', format: 'url' }
  const date = { type: 'string', format: 'date' }

  it('are the usual ones', () => {
    expect([compile(url)('http://example.com/x'), compile(url)('x y')]).toEqual([true, false])
    expect([compile(date)('2024-02-29'), compile(date)('2023-02-29')]).toEqual([true, false])
  })

  it('are those of the application where it has some', () => {
    const customOptions = { formats: { url: /^x y$/, date: /^x$/ } }
    expect(compile(url, [], { ...ALWAYS, customOptions })('x y')).toBe(true)
    expect(compile(url, [], { ...ALWAYS, customOptions })('http://example.com/x')).toBe(false)
  })

  it('are those of a formats plugin, and of no other plugin', () => {
    const other = (): void => {}
    const fast: AjvSettings = { plugins: [[addFormats.default, { mode: 'fast' }], other] }
    expect([
      compile(date, [], fast)('2023-02-29'),
      compile(date, [], { plugins: [other] })('2023-02-29'),
    ]).toEqual([true, false])
    expect(caught(() => compile(date, [], { plugins: [[addFormats.default, ['email']]] })).code).toBe(
      'SCHEMA_INVALID',
    )
  })
})

describe('settings of the application', () => {
  it('reach Ajv: options, plugins with theirs, and the function that gets the instance', () => {
    const seen: unknown[][] = []
    const plugin = (...given: unknown[]): void => void seen.push(given)
    const withOptions = (...given: unknown[]): void => void seen.push(given)
    const instances: Ajv[] = []
    compile({ type: 'string' }, [], {
      plugins: [plugin, [withOptions, { a: 1 }]],
      onCreate: (ajv) => void instances.push(ajv),
      customOptions: { verbose: true, code: { lines: true } },
    })
    const [ajv] = instances
    expect(instances).toHaveLength(1)
    expect(seen).toEqual([[ajv], [ajv, { a: 1 }]])
    expect(ajv?.opts).toMatchObject({
      verbose: true,
      coerceTypes: 'array',
      useDefaults: true,
      removeAdditional: true,
      validateSchema: true,
      code: { lines: true, optimize: 0 },
    })
  })

  it('make one instance for the schemas that reach the same shared ones, and one for each $id', () => {
    const instances: Ajv[] = []
    const engine = createSchemaEngine({ ajv: { onCreate: (ajv) => void instances.push(ajv) } })
    const store = engine.createStore()
    const add = (schema: unknown): ValidateFunction =>
      engine.compileValidator({ schema, httpPart: 'body', store })
    add({ type: 'string' })
    add({ type: 'integer' })
    expect(instances).toHaveLength(1)
    add({ $id: 'one', type: 'string' })
    expect(instances).toHaveLength(2)
    add({ type: 'object', properties: { a: { $id: '#inner', type: 'string' } } })
    expect(instances).toHaveLength(3)
  })

  it('are options of JSON Type Definition in its mode', () => {
    const validate = compile({ properties: { n: { type: 'uint8' } } }, [], { mode: 'JTD' })
    expect([validate({ n: 255 }), validate({ n: 256 })]).toEqual([true, false])
  })
})

describe('meta-schemas', () => {
  it('may be referred to, and then Ajv compiles them', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: 'http://json-schema.org/draft-07/schema#' }, b: { $ref: '#/definitions/b' } },
      definitions: { b: { type: 'integer' } },
    }
    for (const settings of [{}, ALWAYS])
      expect(verdicts(compile(schema, [], settings), { type: 'string' }, { type: 'text' })).toEqual([
        true,
        false,
      ])
  })

  it('may be referred to by a shared schema', () => {
    const shared = {
      $id: 'shared',
      type: 'object',
      properties: { a: { $ref: 'http://json-schema.org/draft-07/schema#' }, b: { $ref: 'count#' } },
    }
    for (const settings of [{}, ALWAYS]) {
      const validate = compile({ $ref: 'shared#' }, [shared, COUNT], settings)
      expect(verdicts(validate, { type: 'string' }, { type: 'text' })).toEqual([true, false])
    }
  })
})

describe('2020-12', () => {
  it('is read by the Ajv of that dialect', () => {
    const validate = compile({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      allOf: [{ properties: { a: { prefixItems: [{ type: 'integer' }] } } }],
      unevaluatedProperties: false,
    })
    expect(verdicts(validate, [1], ['x'])).toEqual([true, false])
    expect(validate({ b: 1 })).toBe(false)
  })
})
