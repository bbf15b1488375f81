import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type UnionRemoval } from '../../src/index.ts'

const closed = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})
const text = { type: 'string' }
const kind = (name: string, property: string): object =>
  closed({ kind: { const: name }, [property]: text }, ['kind', property])

/** The data after validation; null where it is refused. */
function validated(schema: object, data: unknown, unionRemoval: UnionRemoval = 'branch'): unknown {
  const engine = createSchemaEngine({ unionRemoval })
  const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
  const copy = structuredClone(data)
  return validate(copy) === true ? copy : null
}

const AB = [closed({ a: text }), closed({ b: text })]

const CASES: readonly { it: string; schema: object; data: unknown; becomes: unknown }[] = [
  {
    it: 'keeps what the second branch of anyOf declares',
    schema: { anyOf: AB },
    data: { b: 'x' },
    becomes: { b: 'x' },
  },
  {
    it: 'keeps what any matching branch of anyOf declares, and removes the rest',
    schema: { anyOf: AB },
    data: { a: 'x', b: 'y', c: 'z' },
    becomes: { a: 'x', b: 'y' },
  },
  {
    it: 'accepts the only branch of oneOf that takes the value as it is',
    schema: { oneOf: AB },
    data: { b: 'x' },
    becomes: { b: 'x' },
  },
  {
    it: 'removes what the only matching branch of oneOf does not declare',
    schema: { oneOf: [kind('A', 'a'), kind('B', 'b')] },
    data: { kind: 'B', b: 'x', a: 'y', more: 1 },
    becomes: { kind: 'B', b: 'x' },
  },
  {
    it: 'removes nothing where a branch allows other properties',
    schema: { anyOf: [closed({ a: text }), { type: 'object', required: ['free'] }] },
    data: { a: 'x', free: 1, other: 2 },
    becomes: { a: 'x', free: 1, other: 2 },
  },
  {
    it: 'goes into objects within branches',
    schema: { anyOf: [closed({ in: closed({ p: text }) }), closed({ in: closed({ q: text }) })] },
    data: { in: { p: 'x', q: 'y', r: 'z' }, out: 1 },
    becomes: { in: { p: 'x', q: 'y' } },
  },
  {
    it: 'keeps in an object what another matching branch has nothing to say of',
    schema: {
      anyOf: [closed({ in: closed({ p: text }) }), closed({ in: { type: 'object', required: ['q'] } })],
    },
    data: { in: { p: 'x', q: 'y' }, out: 1 },
    becomes: { in: { p: 'x', q: 'y' } },
  },
  {
    it: 'goes into unions within unions',
    schema: { oneOf: [closed({ in: { anyOf: AB } }, ['in']), kind('B', 'b')] },
    data: { in: { b: 'x', c: 'y' }, more: 1 },
    becomes: { in: { b: 'x' } },
  },
  {
    it: 'still removes outside of unions, and around them',
    schema: closed({ of: { anyOf: AB } }),
    data: { of: { b: 'x' }, more: 1 },
    becomes: { of: { b: 'x' } },
  },
  {
    it: 'removes nothing in a condition, where an undeclared property is an error',
    schema: {
      type: 'object',
      if: closed({ a: text }),
      then: { required: ['a'] },
      else: { required: ['b'] },
    },
    data: { b: 'x' },
    becomes: { b: 'x' },
  },
  {
    it: 'removes nothing under not',
    schema: { type: 'object', not: closed({ a: text }) },
    data: { b: 'x' },
    becomes: { b: 'x' },
  },
  {
    it: 'refuses what no branch matches',
    schema: { anyOf: [kind('A', 'a'), kind('B', 'b')] },
    data: { kind: 'C', c: 1 },
    becomes: null,
  },
]

describe("unionRemoval: 'branch'", () => {
  for (const { it: name, schema, data, becomes } of CASES) {
    it(name, () => {
      expect(validated(schema, data)).toEqual(becomes)
    })
    it(`${name}, behind references`, () => {
      const wrapped = { definitions: { it: schema }, $ref: '#/definitions/it' }
      expect(validated(wrapped, data)).toEqual(becomes)
    })
  }

  it('is not the default, which is that of Ajv', () => {
    expect(validated({ anyOf: AB }, { b: 'x' }, 'each')).toEqual({})
  })

  it('holds in recursive schemas, however deep, with bounded work', () => {
    const node = {
      $id: 'node',
      anyOf: [
        closed({ left: { $ref: 'node#' }, name: text }, ['name']),
        closed({ right: { $ref: 'node#' }, size: { type: 'integer' } }, ['size']),
      ],
    }
    let value: Record<string, unknown> = { name: 'leaf', extra: true }
    let clean: Record<string, unknown> = { name: 'leaf' }
    for (let depth = 0; depth < 40; depth++) {
      value = { size: 1, right: value, extra: true }
      clean = { size: 1, right: clean }
    }
    expect(validated(node, value)).toEqual(clean)
  })
})
