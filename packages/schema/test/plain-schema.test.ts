import { describe, expect, it } from 'vitest'
import { Findings, isPlainSchema } from '../src/store/plain-schema.ts'

function isPlain(schema: unknown): boolean {
  return isPlainSchema(schema, new Findings(false))
}

function within(property: object): object {
  return { type: 'object', properties: { value: property } }
}

describe('the quick look at a schema', () => {
  it('passes what most schemas are made of', () => {
    expect(
      isPlain({
        type: 'object',
        description: 'an order',
        additionalProperties: false,
        required: ['id'],
        properties: {
          id: { type: 'integer', minimum: 1 },
          kind: { type: ['string', 'null'], enum: ['small', 'large', null], default: 'small' },
          at: { type: 'string', format: 'date-time', nullable: true },
          items: { type: 'array', maxItems: 5, items: { $ref: 'item#' } },
          anything: true,
        },
      }),
    ).toBe(true)
  })

  it('gathers the references to shared schemas', () => {
    const findings = new Findings(false)
    isPlainSchema({ properties: { one: { $ref: 'item#' }, other: { $ref: 'item#' } } }, findings)
    expect(findings.refs).toEqual(['item#'])
  })

  const left: readonly [string, unknown][] = [
    ['an unknown keyword', within({ type: 'string', maxLenght: 3 })],
    ['an unknown type', within({ type: 'text' })],
    ['an empty list of types', within({ type: [] })],
    ['a name that is required twice', { type: 'object', required: ['a', 'a'] }],
    ['a list of names with a hole', { type: 'object', required: Array.from({ length: 2 }) }],
    ['many values of which one comes twice', within({ enum: [...Array(20).keys(), 3] })],
    ['values that are no scalars', within({ enum: [{}, {}] })],
    ['a negative count', within({ type: 'string', minLength: -1 })],
    ['a limit that JSON cannot carry', within({ type: 'number', maximum: Infinity })],
    ['a pattern that is no regular expression', within({ type: 'string', pattern: '(' })],
    ['an unknown format', within({ type: 'string', format: 'colour' })],
    ['a default at the root', { type: 'string', default: 'a' }],
    ['a default that is a function', within({ default: () => 1 })],
    ['a default that holds what may be a reference', within({ default: { $ref: 'item#' } })],
    ['nullable without a type', within({ nullable: true })],
    ['a reference into the schema itself', within({ $ref: '#/definitions/a' })],
    ['a union', within({ anyOf: [{ type: 'string' }] })],
    ['an instance of a class', new (class Schema {})()],
    ['a keyword whose value is undefined', within({ type: 'string', title: undefined })],
    ['no schema at all', null],
  ]
  it.each(left)('passes %s to the full checks', (_words, schema) => {
    expect(isPlain(schema)).toBe(false)
  })

  it('passes a schema that contains itself to the full checks', () => {
    const schema: Record<string, unknown> = { type: 'array' }
    schema['items'] = schema
    expect(isPlain(schema)).toBe(false)
  })
})
