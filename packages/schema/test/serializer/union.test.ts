import { describe, expect, it } from 'vitest'
import { createSerializer } from '../../src/serializer/index.ts'

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })
const string = { type: 'string' }
const integer = { type: 'integer' }

describe.each(['concat', 'project', 'text', 'copy'] as const)('unions by the %s back end', (backEnd) => {
  const make = (schema: unknown, mode: 'compat' | 'strict' = 'compat') =>
    createSerializer(schema, { mode, backEnd })

  it('take the branch that keeps most of the value', () => {
    const serialize = make({
      anyOf: [object({ a: string }), object({ b: string }), object({ b: string, c: string })],
    })
    expect(serialize({ a: 'x' })).toBe('{"a":"x"}')
    expect(serialize({ b: 'x' })).toBe('{"b":"x"}')
    expect(serialize({ b: 'x', c: 'y' })).toBe('{"b":"x","c":"y"}')
    expect(serialize({})).toBe('{}')
  })

  it('take the branch that keeps most of the value further down', () => {
    const serialize = make({
      anyOf: [object({ d: object({ x: integer }) }), object({ d: object({ y: integer }) })],
    })
    expect(serialize({ d: { y: 1 } })).toBe('{"d":{"y":1}}')
  })

  it('take the branch that keeps an array, where another one has properties without a type', () => {
    const serialize = make({
      anyOf: [object({ d: { properties: { x: integer } } }), object({ d: { type: 'array', items: {} } })],
    })
    expect(serialize({ d: { x: 1 } })).toBe('{"d":{"x":1}}')
    expect(serialize({ d: [1, 'a'] })).toBe('{"d":[1,"a"]}')
  })

  it('switch on a tag, and name the pointer of a mistake inside the branch', () => {
    const branch = (kind: string, properties: object): object =>
      object({ kind: { const: kind }, ...properties }, { required: ['kind'] })
    const serialize = make({
      type: 'array',
      items: { oneOf: [branch('a', { n: integer }), branch('b', { s: string })] },
    })
    expect(
      serialize([
        { kind: 'a', n: 1, s: 'x' },
        { kind: 'b', n: 1, s: 'x' },
      ]),
    ).toBe('[{"kind":"a","n":1},{"kind":"b","s":"x"}]')
    expect(() => serialize([{ kind: 'a', n: 'x' }])).toThrow('cannot be converted to an integer')
    expect(() => serialize([{ kind: 'c' }])).toThrow('(at /0)')
  })

  it('switch on a tag that a branch does not require', () => {
    const a = object({ kind: { enum: ['a', 'aa'] }, n: integer })
    const b = object({ kind: { const: 'b' }, s: string })
    const serialize = make({ anyOf: [a, b] })
    expect(serialize({ kind: 'aa', n: 1 })).toBe('{"kind":"aa","n":1}')
    expect(serialize({ s: 'x' })).toBe('{"s":"x"}')
  })

  it('distinguish types, dates and bigints among them', () => {
    const serialize = make({ anyOf: [{ type: 'string', format: 'date-time' }, integer, { type: 'null' }] })
    expect(serialize(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
    expect(serialize(2n ** 60n)).toBe('1152921504606846976')
    expect(serialize(null)).toBe('null')
    expect(() => serialize('soon')).toThrow()
    expect(() => serialize(1.5)).toThrow()
    expect(() => serialize({})).toThrow()
  })

  it('write numbers of any format', () => {
    const serialize = make({ anyOf: [{ type: 'integer', format: 'int32' }, { type: 'null' }] })
    expect([serialize(1), serialize(2 ** 40)]).toEqual(['1', '1099511627776'])
  })

  it('go through nested unions and references', () => {
    const definitions = {
      cat: object({ meow: integer }, { required: ['meow'] }),
      dog: object({ bark: integer }, { required: ['bark'] }),
      pet: { oneOf: [{ $ref: '#/definitions/cat' }, { $ref: '#/definitions/dog' }] },
    }
    const serialize = make({
      definitions,
      anyOf: [{ $ref: '#/definitions/pet' }, string, { type: 'array', items: { $ref: '#/definitions/pet' } }],
    })
    expect(serialize({ bark: 1, x: 2 })).toBe('{"bark":1}')
    expect(serialize([{ meow: 1 }, { bark: 2 }])).toBe('[{"meow":1},{"bark":2}]')
    expect(serialize('none')).toBe('"none"')
    expect(() => serialize({ moo: 1 })).toThrow('a branch of the union accepts')
  })

  it('merge the schema around them into every branch', () => {
    const schema = {
      ...object({ id: integer }, { required: ['id'] }),
      anyOf: [
        { required: ['a'], properties: { a: string } },
        { required: ['b'], properties: { b: string } },
      ],
    }
    expect(make(schema)({ id: 1, b: 'x', a: 'y' })).toBe('{"id":1,"a":"y"}')
    expect(() => make(schema)({ b: 'x' })).toThrow('"id" is required!')
  })

  it('accept null beside the union when it is nullable', () => {
    const serialize = make({ nullable: true, anyOf: [string, integer] })
    expect(serialize(null)).toBe('null')
  })

  it('recurse', () => {
    const serialize = make({
      anyOf: [
        integer,
        { type: 'array', items: { $ref: '#' } },
        object({ left: { $ref: '#' }, right: { $ref: '#' } }),
      ],
    })
    const payload = { left: [1, [2, { left: 3 }]], right: { right: 4 } }
    expect(JSON.parse(serialize({ ...payload, x: 1 }))).toStrictEqual(payload)
  })

  it('judge objects with toJSON by what it gives', () => {
    const serialize = make({ anyOf: [string, object({ a: integer })] })
    expect(serialize({ toJSON: () => 'text' })).toBe('"text"')
    expect(serialize({ toJSON: () => ({ a: 1, b: 2 }) })).toBe('{"a":1}')
  })

  it('never take a branch for an inherited property', () => {
    const serialize = make({
      anyOf: [object({ toString: integer }, { required: ['toString'] }), object({ a: integer })],
    })
    expect(serialize({ a: 1 })).toBe('{"a":1}')
  })
})

describe.each(['concat', 'project', 'text', 'copy'] as const)(
  'allOf and conditions by the %s back end',
  (backEnd) => {
    const make = (schema: unknown) => createSerializer(schema, { mode: 'compat', backEnd })

    it('declare what any part declares', () => {
      const schema = {
        allOf: [
          object({ a: integer }, { required: ['a'] }),
          { $ref: '#/definitions/b' },
          object({ c: object({ y: integer }) }),
          object({ c: object({ x: integer }) }),
        ],
        definitions: { b: object({ b: string }) },
      }
      expect(make(schema)({ a: 1, b: 'x', c: { x: 1, y: 2, z: 3 }, d: 1 })).toBe(
        '{"a":1,"b":"x","c":{"y":2,"x":1}}',
      )
      expect(() => make(schema)({ b: 'x' })).toThrow('"a" is required!')
    })

    it('follow if, then and else', () => {
      const schema = {
        ...object({ kind: string }),
        if: object({ kind: { const: 'a' } }, { required: ['kind'] }),
        then: { properties: { a: integer } },
        else: { properties: { b: integer } },
      }
      expect(make(schema)({ kind: 'a', a: 1, b: 2 })).toBe('{"kind":"a","a":1}')
      expect(make(schema)({ kind: 'x', a: 1, b: 2 })).toBe('{"kind":"x","b":2}')
      expect(make(schema)({ a: 1, b: 2 })).toBe('{"b":2}')
    })

    it('do not grow twofold with every condition on one tag', () => {
      const kinds = Array.from({ length: 40 }, (_, index) => `kind${index}`)
      const schema = {
        ...object({ kind: string }, { required: ['kind'] }),
        allOf: kinds.map((kind) => ({
          if: { properties: { kind: { const: kind } } },
          then: { properties: { [kind]: integer } },
        })),
      }
      expect(make(schema)({ kind: 'kind7', kind6: 6, kind7: 7 })).toBe('{"kind":"kind7","kind7":7}')
      expect(make(schema)({ kind: 'none', kind7: 7 })).toBe('{"kind":"none"}')
    })

    it('refuse conditions that do grow twofold', () => {
      const allOf = Array.from({ length: 12 }, (_, index) => ({
        if: { properties: { [`f${index}`]: { const: true } } },
        then: { properties: { [`g${index}`]: integer } },
      }))
      expect(() => make({ type: 'object', allOf })).toThrow('independent conditions')
    })
  },
)
