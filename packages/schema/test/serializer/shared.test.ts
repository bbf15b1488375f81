import { describe, expect, it } from 'vitest'
import { SerializeError } from '../../src/runtime/errors.ts'
import {
  createSharedParts,
  interpretSerializer,
  type Serializer,
  type SharedParts,
} from '../../src/serializer/assemble.ts'
import { compileSerializer } from '../../src/serializer/compile.ts'
import type { Definition, SharedDefinitions } from '../../src/serializer/nodes/reference.ts'
import { readSerializer } from '../../src/serializer/read/parse.ts'
import { SchemaScope } from '../../src/document/location.ts'

const MONEY = {
  $id: 'money',
  type: 'object',
  properties: { amount: { type: 'number' }, currency: { type: 'string' } },
  required: ['amount'],
}
const BACK_ENDS = ['concat', 'project', 'text', 'copy'] as const

/** Serializers of one application, which have their shared definitions in common. */
function application(backEnd: (typeof BACK_ENDS)[number], mode: 'compat' | 'strict' = 'compat') {
  const definitions: SharedDefinitions = new WeakMap()
  const parts = createSharedParts()
  const schemas = new Map<string, object>([
    ['money', MONEY],
    ['list', { $id: 'list', type: 'array', items: { $ref: 'money#' } }],
    ['priced', { $id: 'priced', type: 'object', properties: { price: { $ref: 'money#' } } }],
    ['free', { $id: 'free', type: 'object', properties: {}, default: { amount: 0 } }],
  ])
  const scope = new SchemaScope({ get: (id) => schemas.get(id), ids: () => schemas.keys() })
  const make = (schema: unknown): Serializer => {
    const root = readSerializer({ location: scope.open(schema), scope, mode, definitions })
    if (backEnd === 'text') return interpretSerializer(root, parts, { backEnd: 'concat' })
    if (backEnd === 'copy') return interpretSerializer(root, parts, { backEnd: 'project' })
    return compileSerializer(root, parts, { backEnd })
  }
  return { make, definitions, parts }
}

/** What has been made of a shared definition. */
function partOf(parts: SharedParts, definition: Definition): unknown {
  const functions = parts.functions.get(definition)
  return (
    functions?.get('text') ??
    functions?.get('copy') ??
    parts.texts.get(definition) ??
    parts.copies.get(definition)
  )
}

function pointerOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof SerializeError) return error.pointer
    throw error
  }
  throw new Error('nothing was thrown')
}

describe.each(BACK_ENDS)('a shared schema that others refer to, by the %s back end', (backEnd) => {
  const order = { type: 'object', properties: { 'a/b': { $ref: 'money#' } } }
  const orders = { type: 'object', properties: { all: { type: 'array', items: { $ref: 'money' } } } }

  it('is compiled once for all of them', () => {
    const { make, definitions, parts } = application(backEnd)
    make(order)
    const definition = definitions.get(MONEY)
    if (definition === undefined) throw new Error('the shared schema was not read')
    const first = partOf(parts, definition)
    make(orders)
    expect(first).toBeDefined()
    expect(partOf(parts, definition)).toBe(first)
    expect(definitions.get(MONEY)).toBe(definition)
  })

  it('is written for every reference, without undeclared properties', () => {
    const { make } = application(backEnd)
    const money = { amount: 1.5, currency: 'EUR', secret: 1 }
    expect(make(order)({ 'a/b': money })).toBe('{"a/b":{"amount":1.5,"currency":"EUR"}}')
    expect(make(order)({})).toBe('{}')
    expect(make(orders)({ all: [money, { amount: 2 }] })).toBe(
      '{"all":[{"amount":1.5,"currency":"EUR"},{"amount":2}]}',
    )
    expect(make({ $ref: 'list#' })([money])).toBe('[{"amount":1.5,"currency":"EUR"}]')
    expect(make({ type: 'array', items: { $ref: 'priced#' } })([{ price: money }])).toBe(
      '[{"price":{"amount":1.5,"currency":"EUR"}}]',
    )
  })

  it('names the location in the payload where a value does not fit', () => {
    const { make } = application(backEnd)
    expect(pointerOf(() => make(order)({ 'a/b': { amount: {} } }))).toBe('/a~1b/amount')
    expect(pointerOf(() => make(order)({ 'a/b': {} }))).toBe('/a~1b/amount')
    expect(pointerOf(() => make(orders)({ all: [{ amount: 1 }, { amount: 'x' }] }))).toBe('/all/1/amount')
  })

  it('is read as the application asks', () => {
    expect(application(backEnd).make(order)({ 'a/b': { amount: '2', currency: 3 } })).toBe(
      '{"a/b":{"amount":2,"currency":"3"}}',
    )
    const strict = application(backEnd, 'strict').make(order)
    expect(pointerOf(() => strict({ 'a/b': { amount: '2' } }))).toBe('/a~1b/amount')
  })

  it('keeps what belongs to the reference: null beside it, and a default', () => {
    const { make } = application(backEnd)
    const schema = {
      type: 'object',
      properties: { price: { $ref: 'money#', nullable: true }, gift: { $ref: 'free#' } },
    }
    expect(make(schema)({ price: null })).toBe('{"price":null,"gift":{"amount":0}}')
  })

  it('stays true to own properties when the prototype of all objects is polluted', () => {
    const { make } = application(backEnd)
    const serialize = make(order)
    Reflect.set(Object.prototype, 'currency', 'leak')
    let text = ''
    try {
      text = serialize({ 'a/b': { amount: 1 } })
    } finally {
      Reflect.deleteProperty(Object.prototype, 'currency')
    }
    expect(text).toBe('{"a/b":{"amount":1}}')
  })
})
