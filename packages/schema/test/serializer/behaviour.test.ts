import { afterEach, describe, expect, it } from 'vitest'
import { createSerializer, SerializeError, SerializerBuildError } from '../../src/serializer/index.ts'

const backEnds = ['concat', 'project', 'text', 'copy'] as const

function errorOf(run: () => unknown): SerializeError {
  try {
    run()
  } catch (error) {
    if (error instanceof SerializeError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe.each(backEnds)('objects by the %s back end', (backEnd) => {
  const make = (schema: unknown, mode: 'compat' | 'strict' = 'compat') =>
    createSerializer(schema, { mode, backEnd })

  it('names the pointer of an error in lists, additional properties and recursion', () => {
    const tree = {
      type: 'object',
      properties: { size: { type: 'integer' }, children: { type: 'array', items: { $ref: '#' } } },
    }
    const deep = { children: [{ size: 1 }, { children: [{ size: 'x' }] }] }
    expect(errorOf(() => make(tree)(deep)).pointer).toBe('/children/1/children/0/size')
    const open = { type: 'object', additionalProperties: { type: 'array', items: { type: 'number' } } }
    expect(errorOf(() => make(open)({ 'a/b': [1], 'c~d': [1, 'x'] })).pointer).toBe(
      '/c~1d/1'.replace('~1', '~0'),
    )
    const tuple = { type: 'array', items: [{ type: 'object', properties: { a: { type: 'number' } } }] }
    expect(errorOf(() => make(tuple)([{ a: 'x' }])).pointer).toBe('/0/a')
  })

  it('finds a bigint among the numbers of an enum or const', () => {
    const one = (keyword: object): object => ({ type: 'integer', ...keyword })
    const list = make({ type: 'array', items: one({ enum: [1, 2] }) }, 'strict')
    expect(list([2n, 1])).toBe('[2,1]')
    expect(make({ type: 'array', items: one({ const: 2 }) }, 'strict')([2n])).toBe('[2]')
    expect(() => list([3n])).toThrow('not one of the values of the enum')
    expect(() => list([2n ** 53n + 1n])).toThrow('not one of the values of the enum')
  })

  it('names a missing required property and where it is missing', () => {
    const schema = {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    }
    const error = errorOf(() => make(schema)([{ name: 'a' }, {}]))
    expect(error.message).toBe('"name" is required!')
    expect(error.pointer).toBe('/1/name')
  })

  it('asks for required properties that no schema declares', () => {
    const schema = { type: 'object', required: ['token'], properties: { name: { type: 'string' } } }
    expect(make(schema)({ token: 1, name: 'a' })).toBe('{"name":"a"}')
    expect(errorOf(() => make(schema)({ name: 'a' })).message).toBe('"token" is required!')
  })

  it('puts the pointer into its own messages', () => {
    const schema = { type: 'object', properties: { list: { type: 'array' } } }
    expect(errorOf(() => make(schema)({ list: 1 })).message).toBe(
      'expected an array, got a number (at /list)',
    )
  })

  it('reads each getter once', () => {
    const reads: string[] = []
    const payload = {
      get id() {
        reads.push('id')
        return 1
      },
      get tags() {
        reads.push('tags')
        return ['a']
      },
      get data() {
        reads.push('data')
        return { x: 1 }
      },
      get other() {
        reads.push('other')
        return 5
      },
      get x_more() {
        reads.push('x_more')
        return true
      },
    }
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } }, data: {} },
      patternProperties: { '^x_': { type: 'boolean' } },
    }
    expect(JSON.parse(make(schema)(payload))).toStrictEqual({
      id: 1,
      tags: ['a'],
      data: { x: 1 },
      x_more: true,
    })
    expect(reads.toSorted()).toStrictEqual(['data', 'id', 'other', 'tags', 'x_more'])
  })

  it('does not read what the schema does not declare', () => {
    const payload = {
      id: 1,
      get secret(): string {
        throw new Error('must not be read')
      },
    }
    expect(make({ type: 'object', properties: { id: { type: 'integer' } } })(payload)).toBe('{"id":1}')
  })

  it('may be called again from a getter or toJSON of the payload', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer' }, inner: { type: 'string' }, z: {} },
    }
    const serialize = make(schema)
    const payload = {
      id: 1,
      get inner() {
        return serialize({ id: 2, z: { toJSON: () => serialize({ id: 3 }) } })
      },
      z: 4,
    }
    expect(JSON.parse(serialize(payload))).toStrictEqual({
      id: 1,
      inner: '{"id":2,"z":"{\\"id\\":3}"}',
      z: 4,
    })
  })

  it('writes the result of toJSON under the schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } } }
    const payload = { toJSON: () => ({ a: Object.assign([1], { toJSON: () => [2, 3] }), b: 1 }) }
    expect(make(schema)(payload)).toBe('{"a":[2,3]}')
    const text = { type: 'object', properties: { id: { type: 'string' } } }
    expect(make(text)({ id: { toJSON: () => 'abc', toString: () => 'xyz' } })).toBe('{"id":"abc"}')
  })

  it('omits untyped values without JSON text', () => {
    const schema = { type: 'object', properties: { a: {}, b: {}, c: {} }, additionalProperties: true }
    const payload = {
      a: () => 1,
      b: Symbol('b'),
      c: { toJSON: () => undefined },
      d: undefined,
      e: () => 1,
      f: 1,
    }
    expect(make(schema)(payload)).toBe('{"f":1}')
    expect(make({ type: 'array' })([() => 1, undefined, Symbol('x')])).toBe('[null,null,null]')
  })

  it('names the pointer of an untyped value that cannot be written', () => {
    const schema = { type: 'object', properties: { data: {} } }
    const loop: Record<string, unknown> = { list: [1] }
    loop['list'] = [loop]
    expect(errorOf(() => make(schema)({ data: { n: [1n] } })).pointer).toBe('/data/n/0')
    expect(errorOf(() => make(schema)({ data: loop })).reason).toBe('the value contains itself')
  })

  it('passes on what a getter throws', () => {
    const failure = new Error('database')
    const payload = {
      get id(): number {
        throw failure
      },
    }
    const serialize = make({ type: 'object', properties: { id: { type: 'integer' } } })
    expect(() => serialize(payload)).toThrow(failure)
  })

  it('writes objects of classes by their own properties', () => {
    class Base {
      get kind(): string {
        return 'inherited'
      }
    }
    class User extends Base {
      id = 1
      #secret = 2
      reveal(): number {
        return this.#secret
      }
    }
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer' }, kind: { type: 'string' }, reveal: {}, constructor: {} },
      additionalProperties: true,
    }
    expect(make(schema)(new User())).toBe('{"id":1}')
    expect(make(schema)(Object.assign(new User(), { note: 'x' }))).toBe('{"id":1,"note":"x"}')
  })

  it('writes own properties that cannot be enumerated when they are declared', () => {
    const schema = { type: 'object', properties: { message: { type: 'string' } } }
    expect(make(schema)(new Error('no'))).toBe('{"message":"no"}')
  })

  it('goes 2400 levels deep and refuses, with an error of its own, beyond its limit', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        size: { type: 'integer' },
        at: { type: 'string', format: 'date-time' },
        next: { $ref: '#' },
        list: { type: 'array', items: { $ref: '#' } },
      },
    }
    const nest = (depth: number): object => {
      let value: object = { name: 'leaf' }
      for (let i = 1; i < depth; i++) {
        value =
          i % 2 === 0 ? { name: 'n', size: i, next: value } : { name: 'n', at: new Date(0), list: [value] }
      }
      return value
    }
    expect(make(schema)(nest(2400))).toContain('"leaf"')
    expect(errorOf(() => make(schema)(nest(10_000))).reason).toMatch(/nested/)
  })

  it('follows references between schemas that need each other', () => {
    const definitions = {
      a: { type: 'object', properties: { v: { type: 'integer' }, b: { $ref: '#/definitions/b' } } },
      b: { type: 'object', properties: { w: { type: 'string' }, a: { $ref: '#/definitions/a' } } },
    }
    const serialize = make({ definitions, $ref: '#/definitions/a' })
    expect(serialize({ v: 1, x: 0, b: { w: 'w', a: { v: 2, b: {} } } })).toBe(
      '{"v":1,"b":{"w":"w","a":{"v":2,"b":{}}}}',
    )
  })

  it('writes bigints of any size', () => {
    const serialize = make({ type: 'array', items: { type: 'integer' } })
    expect(serialize([1n, 2n ** 70n])).toBe('[1,1180591620717411303424]')
    expect(serialize([5])).toBe('[5]')
  })

  it('writes dates in three formats', () => {
    const date = new Date(2020, 3, 5, 6, 7, 8, 9)
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', format: 'date-time' },
        b: { type: 'string', format: 'date' },
        c: { type: 'string', format: 'time' },
      },
    }
    const parsed: unknown = JSON.parse(make(schema, 'strict')({ a: date, b: date, c: date }))
    expect(parsed).toStrictEqual({ a: date.toISOString(), b: '2020-04-05', c: '06:07:08' })
    expect(errorOf(() => make(schema)({ a: new Date(Number.NaN) })).pointer).toBe('/a')
  })

  it('writes dates of every century as the engine does', () => {
    const serialize = make({ type: 'array', items: { type: 'string', format: 'date-time' } })
    const dates = [0, -1, 1e12, -62_198_755_200_001, 253_402_300_800_000, 8.64e15, -8.64e15].map(
      (ms) => new Date(ms),
    )
    expect(serialize(dates)).toBe(JSON.stringify(dates))
  })

  it('drops what a false pattern matches', () => {
    const schema = { type: 'object', patternProperties: { '^_': false }, additionalProperties: true }
    expect(make(schema)({ _a: 1, b: 2 })).toBe('{"b":2}')
  })

  it('writes schemas too large for one function', () => {
    const names = Array.from({ length: 400 }, (_, index) => `field${index}`)
    const inner = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
    }
    const schema = { type: 'object', properties: { a: inner, b: inner, c: { type: 'array', items: inner } } }
    const value = Object.fromEntries(names.map((name, index) => [name, index]))
    const payload = { a: value, b: value, c: [value] }
    expect(JSON.parse(make(schema)(payload))).toStrictEqual(payload)
    expect(errorOf(() => make(schema)({ c: [{ field7: 'x' }] })).pointer).toBe('/c/0/field7')
  })

  it('shortens the pointer of a very deep value', () => {
    const serialize = make({ type: 'object', properties: { a: { $ref: '#' } } })
    let value: object = {}
    for (let level = 0; level < 2600; level++) value = { a: value }
    const error = errorOf(() => serialize(value))
    expect(error.message).toMatch(
      /^the value is nested more than 2500 levels deep \(at \/a\/a[/a…]+\/a\/a\)$/,
    )
    expect(error.message.length).toBeLessThan(300)
    expect(error.pointer.length).toBeLessThan(210)
  })

  it('does not change an error that a toJSON of the application throws', () => {
    const fault = new RangeError('Invalid time value')
    const own = {
      toJSON(): never {
        throw fault
      },
    }
    expect(() => make({})({ a: own })).toThrow(fault)
  })

  it('keeps what filled the call stack as the cause of its error', () => {
    const own = {
      get a(): unknown {
        return this.a
      },
    }
    const error = errorOf(() => make({ type: 'object', properties: { a: { type: 'string' } } })(own))
    expect(error.cause).toBeInstanceOf(RangeError)
  })
})

describe.each(backEnds)('polluted prototypes by the %s back end', (backEnd) => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, 'isAdmin')
  })

  it('never write what somebody has put on Object.prototype', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer' }, isAdmin: { type: 'boolean' } },
      additionalProperties: true,
    }
    const serialize = createSerializer(schema, { backEnd })
    Reflect.set(Object.prototype, 'isAdmin', true)
    expect(serialize({ id: 1 })).toBe('{"id":1}')
    expect(serialize({ id: 1, isAdmin: false })).toBe('{"id":1,"isAdmin":false}')
  })
})

describe('options of the 4.x line', () => {
  it.each([
    ['trunc', '[1,-1]'],
    ['floor', '[1,-2]'],
    ['ceil', '[2,-1]'],
    ['round', '[2,-1]'],
  ] as const)('rounds by %s', (rounding, expected) => {
    const schema = { type: 'array', items: { type: 'integer' } }
    expect(createSerializer(schema, { mode: 'compat', options: { rounding } })([1.5, -1.5])).toBe(expected)
  })

  it('hands large arrays over unfiltered with largeArrayMechanism', () => {
    const schema = { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } }
    const options = { largeArrayMechanism: 'json-stringify', largeArraySize: 2 } as const
    const serialize = createSerializer(schema, { mode: 'compat', options })
    expect(serialize([{ a: 1, b: 2 }])).toBe('[{"a":1}]')
    expect(serialize([{ a: 1, b: 2 }, {}])).toBe('[{"a":1,"b":2},{}]')
  })
})

describe('schemas that cannot be compiled', () => {
  it.each([
    [{ type: 'object', properties: { a: { $ref: '#/definitions/none' } } }, '/properties/a'],
    [{ type: 'object', patternProperties: { '(': {} } }, '/patternProperties/('],
    [{ type: 'object', properties: { a: { default: () => 1 } } }, '/properties/a'],
    [{ type: 'object', properties: { a: 5 } }, '/properties/a'],
  ])('say where: %j', (schema, pointer) => {
    try {
      createSerializer(schema)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(SerializerBuildError)
      expect(error).toHaveProperty('pointer', pointer)
    }
  })
})
