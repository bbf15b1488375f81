import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type UnionErrors } from '../src/index.ts'
import { Random } from './validator/random.ts'

/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_124)

const CAT = {
  $id: 'cat',
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
}
const DOG = {
  type: 'object',
  required: ['kind', 'toy'],
  properties: {
    kind: { enum: ['dog', 'puppy'] },
    toy: {
      oneOf: [
        {
          type: 'object',
          properties: { of: { const: 'wood' }, tree: { type: 'string' } },
          required: ['of', 'tree'],
        },
        {
          type: 'object',
          properties: { of: { const: 'rubber' }, squeaks: { type: 'boolean' } },
          required: ['of', 'squeaks'],
        },
      ],
    },
  },
}

function errors(schema: object, data: unknown, unionErrors: UnionErrors): [string, string][] {
  const engine = createSchemaEngine({ unionErrors })
  const store = engine.createStore()
  store.add(CAT)
  const validate = engine.compileValidator({ schema, httpPart: 'body', store })
  expect(validate(data)).toBe(false)
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => [instancePath, message])
}

const PETS = { type: 'object', properties: { pet: { anyOf: [{ $ref: 'cat#' }, DOG] } } }

describe('errors of a union', () => {
  it('are those of all branches by default', () => {
    expect(errors(PETS, { pet: { kind: 'cat' } }, 'all').length).toBeGreaterThan(2)
  })

  it('are those of the branch that the value names, when asked', () => {
    expect(errors(PETS, { pet: { kind: 'cat' } }, 'branch')).toEqual([
      ['/pet', "must have required property 'lives'"],
    ])
    expect(errors(PETS, { pet: { kind: 'puppy' } }, 'branch')).toEqual([
      ['/pet', "must have required property 'toy'"],
    ])
  })

  it('are narrowed in unions inside unions', () => {
    expect(errors(PETS, { pet: { kind: 'dog', toy: { of: 'rubber' } } }, 'branch')).toEqual([
      ['/pet/toy', "must have required property 'squeaks'"],
    ])
  })

  it('stay whole when the value names no branch, or nothing distinguishes them', () => {
    expect(errors(PETS, { pet: { kind: 'fish' } }, 'branch')).toEqual(
      errors(PETS, { pet: { kind: 'fish' } }, 'all'),
    )
    const plain = { anyOf: [{ type: 'object', required: ['a'] }, { type: 'null' }] }
    expect(errors(plain, {}, 'branch')).toEqual(errors(plain, {}, 'all'))
  })

  it('have the schema path of the branch', () => {
    const engine = createSchemaEngine({ unionErrors: 'branch' })
    const validate = engine.compileValidator({
      schema: { oneOf: [DOG] },
      httpPart: 'body',
      store: engine.createStore(),
    })
    validate({ kind: 'dog' })
    expect(validate.errors?.map(({ schemaPath }) => schemaPath)).toEqual(['#/oneOf/0/required'])
  })
})

/** A branch for each kind, with a number that belongs to it. */
const kinds = (...names: readonly string[]): object[] =>
  names.map((name) => ({
    type: 'object',
    properties: { kind: { const: name }, [name]: { type: 'integer' } },
    required: ['kind', name],
  }))

/** The paths and keywords of all errors, narrowed. */
function narrowed(
  schema: object,
  data: unknown,
  customOptions: object = {},
): { path: string; keyword: string; schemaPath: string }[] {
  const engine = createSchemaEngine({ unionErrors: 'branch', ajv: { customOptions } })
  const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
  expect(validate(data)).toBe(false)
  return (validate.errors ?? []).map(({ instancePath: path, keyword, schemaPath }) => ({
    path,
    keyword,
    schemaPath,
  }))
}

const pathsOf = (schema: object, data: unknown, customOptions: object): string[] =>
  narrowed(schema, data, customOptions).map(({ path, schemaPath }) => `${path} ${schemaPath}`)

const ALL = { allErrors: true }
const DECIDERS = [
  ['our own code', ALL],
  ['Ajv', { ...ALL, ownProperties: true }],
] as const

describe('errors of several unions', () => {
  it('are narrowed for each of them, and errors beside them stay', () => {
    const schema = {
      type: 'object',
      properties: {
        one: { oneOf: kinds('a', 'b') },
        oneMore: { type: 'integer' },
        size: { type: 'integer' },
        two: { anyOf: kinds('c', 'd') },
        last: { type: 'integer' },
      },
    }
    const data = { one: { kind: 'a' }, oneMore: 'x', size: 'x', two: { kind: 'd', d: 'x' }, last: 'x' }
    expect(narrowed(schema, data, ALL).map(({ path, keyword }) => `${path} ${keyword}`)).toEqual([
      '/one required',
      '/oneMore type',
      '/size type',
      '/two/d type',
      '/last type',
    ])
  })

  it.each(DECIDERS)(
    'are narrowed where a later union names no branch, as decided by %s',
    (_name, customOptions) => {
      const schema = {
        type: 'object',
        properties: { one: { oneOf: kinds('a', 'b') }, two: { oneOf: kinds('c', 'd') } },
      }
      const errors = narrowed(schema, { one: { kind: 'a' }, two: { kind: 'x' } }, customOptions)
      expect(errors.filter(({ path }) => path.startsWith('/one'))).toMatchObject([{ keyword: 'required' }])
      expect(errors.filter(({ path }) => path.startsWith('/two')).map(({ keyword }) => keyword)).toEqual([
        'required',
        'const',
        'required',
        'const',
        'oneOf',
      ])
    },
  )

  it.each(DECIDERS)(
    'are narrowed within the branches of a union of which none is named, as decided by %s',
    (_name, customOptions) => {
      const inner = { oneOf: kinds('a', 'b') }
      const first = { type: 'object', required: ['id'] }
      const below = { anyOf: [first, { type: 'object', properties: { one: inner } }] }
      expect(pathsOf(below, { one: { kind: 'a' } }, customOptions)).toEqual([
        ' #/anyOf/0/required',
        '/one #/anyOf/1/properties/one/oneOf/0/required',
        ' #/anyOf',
      ])
      expect(pathsOf({ anyOf: [first, inner] }, { kind: 'a' }, customOptions)).toEqual([
        ' #/anyOf/0/required',
        ' #/anyOf/1/oneOf/0/required',
        ' #/anyOf',
      ])
    },
  )

  it.each(DECIDERS)(
    'leave alone what was found before and after in the same value, as decided by %s',
    (_name, customOptions) => {
      const before = [{ anyOf: [{ required: ['p'] }, { required: ['q'] }] }, { required: ['r'] }]
      const schema = {
        allOf: [...before, { oneOf: kinds('a', 'b') }],
        properties: { n: { type: 'integer' } },
      }
      expect(pathsOf(schema, { kind: 'a', n: 'x' }, customOptions)).toEqual([
        ' #/allOf/0/anyOf/0/required',
        ' #/allOf/0/anyOf/1/required',
        ' #/allOf/0/anyOf',
        ' #/allOf/1/required',
        ' #/allOf/2/oneOf/0/required',
        '/n #/properties/n/type',
      ])
    },
  )

  it.each(DECIDERS)(
    'stay whole where a branch has removed what the named one refuses, as decided by %s',
    (_name, customOptions) => {
      const [a, b] = kinds('a', 'b')
      const schema = { oneOf: [a, { ...b, additionalProperties: false }] }
      expect(pathsOf(schema, { kind: 'a', a: 'x' }, customOptions)).toEqual([
        '/a #/oneOf/0/properties/a/type',
        ' #/oneOf/1/required',
        '/kind #/oneOf/1/properties/kind/const',
        ' #/oneOf',
      ])
    },
  )

  it('are narrowed for the last one alone where there are very many errors', () => {
    const item = { oneOf: kinds('a', 'b') }
    const errorsOf = (length: number): number =>
      narrowed(
        { type: 'array', items: item },
        Array.from({ length }, () => ({ kind: 'a' })),
        ALL,
      ).length
    expect(errorsOf(20)).toBe(20)
    // Four errors each: what misses in the one branch, two things in the other, and the union.
    expect(errorsOf(25)).toBe(25)
    expect(errorsOf(26)).toBe(25 * 4 + 1)
  })

  it('have the errors of what encloses the union behind them', () => {
    const schema = { if: { type: 'object' }, then: { oneOf: kinds('a', 'b') } }
    expect(narrowed(schema, { kind: 'b' }, ALL).map(({ keyword }) => keyword)).toEqual(['required', 'if'])
  })

  it('are narrowed up to eight unions deep', () => {
    const schema = {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'node' }, of: { $ref: '#' } },
          required: ['kind', 'of'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'leaf' }, n: { type: 'integer' } },
          required: ['kind', 'n'],
        },
      ],
    }
    const nested = (levels: number): unknown =>
      levels === 0 ? { kind: 'leaf', n: 'x' } : { kind: 'node', of: nested(levels - 1) }
    const path = (levels: number): string => '/of'.repeat(levels)
    expect(narrowed(schema, nested(7)).map((error) => error.path)).toEqual([`${path(7)}/n`])
    const deeper = narrowed(schema, nested(8)).map((error) => error.path)
    expect(deeper.at(-1)).toBe(path(8))
    expect(deeper.length).toBeGreaterThan(2)
  })
})

describe('errors beside a union', () => {
  const RULES: readonly object[] = [
    { required: ['x', 'y'] },
    { minProperties: 9 },
    { propertyNames: { maxLength: 1 } },
    { properties: { note: { type: 'integer' }, kind: { maxLength: 0 } } },
    { dependencies: { kind: ['z'] } },
    { not: { required: ['kind'] } },
    { enum: [1] },
    { anyOf: [{ required: ['p'] }, { required: ['q'] }] },
    { allOf: [{ required: ['r'] }, { $ref: '#/definitions/s' }] },
  ]
  const rules = (random: Random): object => Object.assign({}, ...RULES.filter(() => random.chance(0.4)))

  it.each([
    ['our own code', 300, ALL],
    ['Ajv', 60, { ...ALL, ownProperties: true }],
  ])(
    'stay, in their order, whatever is asked of the same value, as decided by %s',
    (_name, runs, customOptions) => {
      const random = new Random(SEED)
      let kept = 0
      let narrowed = 0
      for (let run = 0; run < runs; run++) {
        const asked = { ...rules(random), oneOf: kinds('a', 'b') }
        const definitions = { s: { required: ['s'] }, asked }
        const isBelow = random.chance(0.5)
        const schema = isBelow
          ? { ...rules(random), properties: { of: { $ref: '#/definitions/asked' } }, definitions }
          : { ...asked, definitions }
        const pet = { kind: random.chance(0.5) ? 'a' : 'b', note: 'x' }
        const data = isBelow ? { kind: 'x', note: 'x', of: pet } : pet
        const pathsWith = (unionErrors: UnionErrors): string[] => {
          const engine = createSchemaEngine({ unionErrors, ajv: { customOptions } })
          const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
          validate(structuredClone(data))
          return (validate.errors ?? []).map(
            ({ instancePath, schemaPath }) => `${instancePath} ${schemaPath}`,
          )
        }
        const [all, branch] = [pathsWith('all'), pathsWith('branch')]
        const beside = all.filter((path) => !path.includes('/oneOf'))
        const context = `CLOISTER_SEED=${SEED} ${JSON.stringify(schema)}`
        expect(
          branch.filter((path) => !path.includes('/oneOf')),
          context,
        ).toEqual(beside)
        // The errors of a function behind a reference do not say where its union is: all of them stay.
        narrowed += Number(branch.length < all.length)
        kept += beside.length
      }
      expect(kept).toBeGreaterThan(runs)
      expect(narrowed).toBeGreaterThan(runs / 3)
    },
  )
})

describe('the branch that a value names', () => {
  it('is found by any property for which all branches have constants', () => {
    const branch = (name: string, version: object, needed: string): object => ({
      type: 'object',
      properties: { note: { type: 'string' }, version, name: { enum: [name, `${name}s`] }, free: true },
      required: [needed],
    })
    const schema = { oneOf: [branch('a', { const: 1 }, 'x'), branch('b', { enum: [1, 2] }, 'y')] }
    expect(narrowed(schema, { version: 1, name: 'bs' })).toMatchObject([{ schemaPath: '#/oneOf/1/required' }])
    expect(narrowed(schema, { version: 2 })).toMatchObject([{ schemaPath: '#/oneOf/1/required' }])
    expect(narrowed(schema, { version: 1 }).length).toBeGreaterThan(1)
    expect(narrowed(schema, { version: 1, name: 'c' }).length).toBeGreaterThan(1)
  })

  it('is found behind references, up to eight of them', () => {
    const schemaWith = (hops: number): object => {
      const [a = {}, b = {}] = kinds('a', 'b')
      const definitions: Record<string, object> = { hop0: a, b }
      for (let hop = 1; hop < hops; hop++) definitions[`hop${hop}`] = { $ref: `#/definitions/hop${hop - 1}` }
      return { definitions, oneOf: [{ $ref: `#/definitions/hop${hops - 1}` }, { $ref: '#/definitions/b' }] }
    }
    expect(narrowed(schemaWith(8), { kind: 'a' })).toMatchObject([{ keyword: 'required' }])
    expect(narrowed(schemaWith(9), { kind: 'a' }).length).toBeGreaterThan(1)
  })

  it('is none where a branch has no constants, or the value is no object', () => {
    const [a, b] = kinds('a', 'b')
    for (const other of [
      false,
      { type: 'object', required: ['c'] },
      { type: 'object', properties: {}, minProperties: 9 },
    ])
      expect(narrowed({ oneOf: [a, b, other] }, { kind: 'a' }).length).toBeGreaterThan(1)
    for (const value of [5, null, [], 'a'])
      expect(narrowed({ oneOf: [a, b] }, value).length).toBeGreaterThan(1)
  })

  it('is found for a value under any name', () => {
    for (const name of ['50%', 'a%20b', 'a/b', 'm~n', 'kind', '']) {
      const schema = { type: 'object', properties: { [name]: { oneOf: kinds('a', 'b') } } }
      expect(narrowed(schema, { [name]: { kind: 'b' } })).toMatchObject([{ keyword: 'required' }])
    }
  })

  it('is tried without a change of the value', () => {
    const schema = { oneOf: kinds('a', 'b').map((one) => ({ ...one, additionalProperties: false })) }
    const data = { kind: 'a', a: 'x', b: '5', more: true }
    const engine = createSchemaEngine({
      unionErrors: 'branch',
      ajv: { customOptions: { removeAdditional: false } },
    })
    const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
    expect(validate(data)).toBe(false)
    expect(data).toEqual({ kind: 'a', a: 'x', b: '5', more: true })
  })

  it('gives its errors the paths of the whole value and of the whole schema', () => {
    const [a, b, c] = kinds('a', 'b', 'c')
    const list = (...branches: unknown[]): object => ({
      type: 'object',
      properties: { pets: { type: 'array', items: { anyOf: branches } } },
      definitions: {
        'b c': { $ref: '#/definitions/b' },
        b,
        c: { ...c, properties: { kind: { const: 'c' }, c: false } },
      },
    })
    const schema = list(a, { $ref: '#/definitions/b%20c' }, { $ref: '#/definitions/c' })
    const pathOf = (pet: object): unknown => narrowed(schema, { pets: [pet] })
    const items = '#/properties/pets/items/anyOf'
    expect(pathOf({ kind: 'a', a: 'x' })).toEqual([
      { path: '/pets/0/a', keyword: 'type', schemaPath: `${items}/0/properties/a/type` },
    ])
    expect(pathOf({ kind: 'b', b: 'x' })).toEqual([
      { path: '/pets/0/b', keyword: 'type', schemaPath: '#/definitions/b/properties/b/type' },
    ])
    expect(pathOf({ kind: 'c', c: 'x' })).toEqual([
      { path: '/pets/0/c', keyword: 'false schema', schemaPath: '#/definitions/c/properties/c/false schema' },
    ])
  })

  it('is found in a shared schema, and its errors name that', () => {
    const engine = createSchemaEngine({ unionErrors: 'branch' })
    const store = engine.createStore()
    store.add(CAT)
    const validate = engine.compileValidator({
      schema: { oneOf: [{ $ref: 'cat#' }, DOG] },
      httpPart: 'body',
      store,
    })
    expect(validate({ kind: 'cat' })).toBe(false)
    expect(validate.errors?.map(({ schemaPath }) => schemaPath)).toEqual(['cat#/required'])
  })

  it('is none where the property has no constant in one branch', () => {
    const branch = (note: object, needed: string): object => ({
      type: 'object',
      properties: { note },
      required: [needed],
    })
    const schema = { anyOf: [branch({ const: 'x' }, 'a'), branch({ type: 'string' }, 'b')] }
    for (const data of [{}, { note: 'x' }]) expect(narrowed(schema, data)).toHaveLength(3)
  })

  it('keeps the paths of errors that name their document', () => {
    const engine = createSchemaEngine({ unionErrors: 'branch' })
    const store = engine.createStore()
    store.add({ $id: 'numbers', definitions: { n: { type: 'integer' } } })
    const [b] = kinds('b')
    const a = { type: 'object', properties: { kind: { const: 'a' }, n: { $ref: 'numbers#/definitions/n' } } }
    const validate = engine.compileValidator({ schema: { oneOf: [a, b] }, httpPart: 'body', store })
    expect(validate({ kind: 'a', n: 'x' })).toBe(false)
    expect(validate.errors?.map(({ schemaPath }) => schemaPath)).toEqual(['numbers#/definitions/n/type'])
  })

  it('is not looked for in a shared schema that refers to itself, whose errors do not name it', () => {
    const engine = createSchemaEngine({ unionErrors: 'branch' })
    const store = engine.createStore()
    const node = { type: 'object', properties: { of: { $ref: '#' } } }
    store.add({ $id: 'tree', allOf: [node], oneOf: kinds('a', 'b') })
    const schema = { type: 'object', properties: { tree: { $ref: 'tree#' } } }
    const validate = engine.compileValidator({ schema, httpPart: 'body', store })
    expect(validate({ tree: { kind: 'a' } })).toBe(false)
    expect(validate.errors?.at(-1)).toMatchObject({ instancePath: '/tree', keyword: 'oneOf' })
  })
})
