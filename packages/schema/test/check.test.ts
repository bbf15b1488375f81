import formats from 'ajv-formats/dist/formats.js'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, SchemaError } from '../src/index.ts'
import { bootError } from './boot-error.ts'
import { KNOWN_FORMATS } from '../src/document/known-keywords.ts'
import { Random, randomSchema } from './validator/random.ts'

function boot(schema: unknown, customOptions?: object): SchemaError | undefined {
  return bootError(schema, customOptions === undefined ? {} : { ajv: { customOptions } })
}

/** The same schema checked by Ajv itself: a compile-only option makes the engine ask it at once. */
function ajvBoot(schema: unknown): SchemaError | undefined {
  return boot(schema, { logger: false })
}

/** Puts one mistake into a schema. */
function damage(random: Random, schema: unknown): unknown {
  const text = JSON.stringify(schema)
  const changes: [RegExp, string][] = [
    [/"type":"string"/, '"type":"text"'],
    [/"maxLength":\d/, '"maxLength":-1'],
    [/"minLength":/, '"minLenght":'],
    [/"required":\[/, '"required":["q","q",'],
    [/"properties":\{/, '"properties":{"bad":5,'],
    [/"format":"[a-z-]+"/, '"format":"dat"'],
    [/"pattern":"[^"]*"/, '"pattern":"["'],
    [/"enum":\[[^\]]*\]/, '"enum":[]'],
    [/"multipleOf":[\d.]+/, '"multipleOf":0'],
    [/"type":"array"/, '"type":"array","additionalItems":false'],
    [/"type":"object"/, '"type":"object","then":{}'],
    [/"type":"(\w+)"/, '"type":["$1","$1"]'],
    [/"type":"(\w+)",/, '"nullable":true,'],
    [/"anyOf":\[/, '"anyOf":[{"type":"object","properties":{"d":{"default":1}}},'],
    [/^\{/, '{"default":1,'],
    [/"items":\{/, '"items":{"$async":true,'],
    [/"uniqueItems":true/, '"uniqueItems":"true"'],
    [/"description":"text"/, '"description":1'],
    [/"description":"text"/, '"id":"x"'],
    [/"properties":\{/, '"patternProperties":{"a":{"type":"string"}},"properties":{'],
    [/"additionalProperties":false/, '"additionalProperties":"no"'],
  ]
  const [pattern, replacement] = random.pick(changes)
  try {
    return JSON.parse(text.replace(pattern, replacement))
  } catch {
    return schema
  }
}

describe('the check at boot', () => {
  it.each([
    ['an unknown keyword', { type: 'string', maxLenght: 5 }, '/maxLenght', ['maxLength']],
    ['an unknown format', { type: 'string', format: 'date-tme' }, '/format', ['date-time']],
    ['a wrong type', { type: 'object', properties: { a: { type: 'strng' } } }, '/properties/a/type', []],
    ['a broken pattern', { type: 'string', pattern: '(' }, '/pattern', []],
    ['a default that nobody fills in', { type: 'object', default: {} }, '/default', []],
  ])('names the pointer and the nearest name for %s', (_name, schema, pointer, nearest) => {
    const error = boot(schema)
    expect(error?.code).toBe('SCHEMA_INVALID')
    expect(error?.pointer).toBe(pointer)
    expect(error?.nearest).toEqual(nearest)
  })

  it('names the shared schema that has the mistake', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    store.add({ $id: 'address', type: 'object', properties: { city: { type: 'string', minLenght: 1 } } })
    expect(() => engine.compileValidator({ schema: { $ref: 'address#' }, httpPart: 'body', store })).toThrow(
      'schema of body in schema "address" at /properties/city/minLenght',
    )
  })

  describe.each([
    ['itself', { $ref: '#' }, 'the schema comes back'],
    ['itself in allOf', { type: 'object', allOf: [{ $ref: '#' }] }, 'at /allOf/0: '],
    ['itself in anyOf', { anyOf: [{ type: 'object' }, { $ref: '#' }] }, 'at /anyOf/1: '],
    [
      'itself over others',
      {
        type: 'object',
        properties: { a: { $ref: '#/definitions/x' } },
        definitions: { x: { $ref: '#/definitions/y' }, y: { if: { $ref: '#/definitions/x' }, then: {} } },
      },
      'at /definitions/x: ',
    ],
    ['a shared schema that does', { $ref: 'loop#' }, 'in schema "loop"'],
  ])('a reference without an end, to %s', (_name, schema, location) => {
    it.each(['body', 'response'])('is refused in a %s', (part) => {
      const engine = createSchemaEngine()
      const store = engine.createStore()
      store.add({ $id: 'loop', oneOf: [{ $ref: 'loop#' }] })
      const compile = () =>
        part === 'body'
          ? engine.compileValidator({ schema, httpPart: 'body', store })
          : engine.compileSerializer({ schema, store })
      expect(compile).toThrow(SchemaError)
      expect(compile).toThrow('comes back to itself through "$ref" for the same value')
      expect(compile).toThrow(location)
    })
  })

  it('takes a schema that refers to itself for smaller values, and twice to one definition', () => {
    const node = { $ref: '#/definitions/node' }
    const schema = {
      allOf: [node, node, { anyOf: [node, { type: 'object' }] }],
      definitions: {
        node: { type: 'object', properties: { next: node }, additionalProperties: { $ref: '#' } },
      },
    }
    expect(boot(schema)).toBeUndefined()
  })

  it('refuses unknown keywords and formats of a response in strict mode alone', () => {
    const serialize = (schema: unknown, serialization: 'compat' | 'strict', customOptions = {}) => {
      const engine = createSchemaEngine({ ajv: { customOptions } })
      const store = engine.createStore()
      store.add({ $id: 'named', type: 'object', propertes: {} })
      return engine.compileSerializer({ schema, store, serialization })
    }
    const misspelt = { type: 'object', propertes: { a: { type: 'string' } } }
    expect(() => serialize(misspelt, 'strict')).toThrow('at /propertes: "propertes" is no keyword')
    expect(() => serialize(misspelt, 'strict')).toThrow('did you mean "properties"?')
    expect(() => serialize({ type: 'string', format: 'date-tme' }, 'strict')).toThrow('"date-time"')
    expect(() => serialize({ type: 'array', items: { $ref: 'named#' } }, 'strict')).toThrow(
      'in schema "named"',
    )
    expect(serialize(misspelt, 'compat')({ a: 'x' })).toBe('{}')
    expect(serialize({ type: 'string', 'x-own': 1, default: 'a', then: {} }, 'strict')('b')).toBe('"b"')
    // The application may have keywords of its own.
    expect(serialize(misspelt, 'strict', { strict: false })({ a: 'x' })).toBe('{"a":"x"}')
  })

  it('refuses exactly the schemas that Ajv refuses, and broken patterns also where Ajv does not look', () => {
    const seed = Number(process.env['CLOISTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    const random = new Random(seed)
    let refused = 0
    for (let round = 0; round < 1000; round++) {
      const schema = damage(random, randomSchema(random, 2))
      const own = boot(schema)
      const reference = ajvBoot(schema)
      // Ajv passes over parts without consequence, such as a condition whose two outcomes are empty.
      if (reference === undefined && own?.reason.includes('is no regular expression') === true) continue
      if ((own === undefined) !== (reference === undefined)) {
        throw new Error(
          `seed ${seed}: ${JSON.stringify(schema)}: own check ${String(own?.message)}, Ajv ${String(reference?.message)}`,
        )
      }
      if (own !== undefined) refused++
    }
    expect(refused).toBeGreaterThan(100)
  })
})

it('the list of formats is that of ajv-formats', () => {
  expect([...KNOWN_FORMATS].toSorted()).toEqual([...formats.formatNames].toSorted())
})

describe('a schema in which too many others lie', () => {
  const nested = (depth: number): unknown => {
    let schema: unknown = { type: 'integer' }
    for (let level = 0; level < depth; level++) schema = { type: 'object', properties: { a: schema } }
    return schema
  }
  const value = (depth: number): unknown => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))

  it('stops the start with the pointer, for requests and responses, however deep it is', () => {
    for (const depth of [201, 1000, 30_000]) {
      expect(bootError(nested(depth))?.message).toMatch(
        /schema of body at \/properties\/a\/.*more than 200 levels/,
      )
      const engine = createSchemaEngine()
      const store = engine.createStore()
      expect(() => engine.compileSerializer({ schema: nested(depth), httpStatus: '200', store })).toThrow(
        /schema of response 200 at \/properties\/a\/.*more than 200 levels/,
      )
    }
  })

  it('stops the start where it is shared', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    const add = (depth: number): void => {
      store.add({ $id: `deep${depth}`, properties: { a: nested(depth) } })
      engine.compileValidator({ schema: { $ref: `deep${depth}#` }, httpPart: 'body', store })
    }
    expect(() => add(30_000)).toThrow(/in schema "deep30000" at .*more than 200 levels/)
    expect(() => add(1000)).toThrow(/in schema "deep1000" at .*more than 200 levels/)
  })

  it('works up to the limit, accepted and refused', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    const validate = engine.compileValidator({ schema: nested(200), httpPart: 'body', store })
    expect(validate(value(200))).toBe(true)
    expect(validate({ a: 1 })).toBe(false)
    const serialize = engine.compileSerializer({ schema: nested(200), store })
    expect(serialize(value(200))).toBe(JSON.stringify(value(200)))
  })
})

describe('a chain of references', () => {
  /** Definitions that refer each to the next one, below as many properties as there are levels. */
  function chain(length: number, link: (ref: object) => object): Record<string, unknown> {
    const definitions: Record<string, object> = { [`d${length}`]: { type: 'object' } }
    for (let n = 0; n < length; n++) definitions[`d${n}`] = link({ $ref: `#/definitions/d${n + 1}` })
    return { definitions, $ref: '#/definitions/d0' }
  }
  const property = (ref: object): object => ({ type: 'object', properties: { a: ref } })
  const links: readonly [string, (ref: object) => object][] = [
    ['properties', property],
    ['items', (ref) => ({ type: 'array', items: ref })],
    ['a union', (ref) => ({ anyOf: [{ type: 'string' }, property(ref)] })],
    ['allOf', (ref) => ({ allOf: [ref] })],
  ]

  it.each(links)('that is too long through %s stops the start with the pointer', (_name, link) => {
    for (const length of [1000, 3000]) {
      expect(bootError(chain(length, link))?.message).toMatch(
        /at \/definitions\/d\d+\/.*: a chain of "\$ref" is longer/,
      )
    }
    const engine = createSchemaEngine()
    const store = engine.createStore()
    expect(() => engine.compileSerializer({ schema: chain(1000, link), store })).toThrow(/a chain of "\$ref"/)
  })

  it('of nothing but references is refused where the stack would not hold it', () => {
    expect(bootError(chain(900, (ref) => ref))).toBeUndefined()
    expect(bootError(chain(3000, (ref) => ref))?.message).toMatch(/a chain of "\$ref"/)
  })

  it('through shared schemas stops the start', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    for (let n = 0; n < 1000; n++) store.add({ $id: `s${n}`, ...property({ $ref: `s${n + 1}#` }) })
    store.add({ $id: 's1000', type: 'object' })
    const compile = (): unknown =>
      engine.compileValidator({ schema: { $ref: 's0#' }, httpPart: 'body', store })
    expect(compile).toThrow(/in schema "s\d+" at \/properties\/a: a chain of "\$ref"/)
  })

  it('works up to the limit, accepted and refused', () => {
    const schema = chain(400, property)
    const engine = createSchemaEngine()
    const store = engine.createStore()
    const validate = engine.compileValidator({ schema, httpPart: 'body', store })
    expect(validate({ a: { a: {} } })).toBe(true)
    expect(validate({ a: 1 })).toBe(false)
    expect(engine.compileSerializer({ schema, store })({ a: { a: {} } })).toBe('{"a":{"a":{}}}')
  })

  it('that no schema applies is no reason to refuse', () => {
    const { definitions } = chain(1000, property)
    expect(bootError({ type: 'object', definitions })).toBeUndefined()
  })

  it('that comes back to its beginning has an end', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`d${n}`, property({ $ref: `#/definitions/d${(n + 1) % 300}` })]),
    )
    expect(bootError({ definitions, $ref: '#/definitions/d0' })).toBeUndefined()
  })
})
