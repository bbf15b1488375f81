import { describe, expect, it } from 'vitest'
import { compareDocuments } from '../../src/diff/compare-documents.ts'

type Schema = boolean | Readonly<Record<string, unknown>>

/** A document with a schema as the body of a request, and of a response. */
function documentOf(schema: Schema, side: 'request' | 'response', more: object = {}): object {
  const content = { 'application/json': { schema } }
  const body = side === 'request' ? { requestBody: { required: true, content } } : {}
  const responses = { 200: { description: '', ...(side === 'response' ? { content } : {}) } }
  return {
    openapi: '3.1.1',
    paths: { '/a': { post: { ...body, responses } } },
    components: { schemas: more },
  }
}

function checks(side: 'request' | 'response', before: object, after: object): string[] {
  const source = (document: object): Parameters<typeof compareDocuments>[0] => ({
    document: { ...document },
    callSites: new Map(),
  })
  return compareDocuments(source(before), source(after)).map(({ check, level }) => {
    const name = check.replace(`${side}-`, '')
    return level === 'error' ? name : `${name}?`
  })
}

const object = (properties: object, rest: object = {}): Schema => ({ type: 'object', properties, ...rest })
const text = { type: 'string' }
const one = object({ kind: { const: 'one' }, a: text })
const two = object({ kind: { const: 'two' }, b: text })
const same: readonly string[] = []

/** What becomes of a schema; the checks that break requests; the checks that break responses. */
const CASES: readonly (readonly [string, Schema, Schema, readonly string[], readonly string[]])[] = [
  ['the same', object({ a: text }), object({ a: text }), same, same],
  [
    'members in another order',
    { type: 'string', minLength: 1 },
    { minLength: 1, type: 'string' },
    same,
    same,
  ],
  [
    'descriptions',
    { ...text, description: 'a' },
    { ...text, description: 'b', title: 'c', examples: ['d'] },
    same,
    same,
  ],
  ['a type that is another', text, { type: 'integer' }, ['type-narrowed'], ['type-widened']],
  ['a number that becomes an integer', { type: 'number' }, { type: 'integer' }, ['type-narrowed'], same],
  ['an integer that becomes a number', { type: 'integer' }, { type: 'number' }, same, ['type-widened']],
  ['a type of more', text, { type: ['string', 'integer'] }, same, ['type-widened']],
  ['a type of fewer', { type: ['string', 'integer'] }, text, ['type-narrowed'], same],
  ['a type that is new', {}, text, ['type-narrowed'], same],
  ['a type that is gone', text, {}, same, ['type-widened']],
  ['a value that may be null (3.0)', text, { ...text, nullable: true }, same, ['type-widened']],
  ['a value that may be null (3.1)', text, { type: ['string', 'null'] }, same, ['type-widened']],
  ['a value that may be null by a union', text, { anyOf: [text, { type: 'null' }] }, same, ['type-widened']],
  ['a value that may not be null any more', { ...text, nullable: true }, text, ['type-narrowed'], same],
  [
    'null written in another way',
    { ...text, nullable: true },
    { oneOf: [text, { type: 'null' }] },
    same,
    same,
  ],
  ['an enum that is new', text, { ...text, enum: ['a'] }, ['enum-narrowed'], same],
  ['an enum that is gone', { ...text, enum: ['a'] }, text, same, ['enum-widened']],
  ['an enum with a value more', { enum: ['a'] }, { enum: ['b', 'a'] }, same, ['enum-widened']],
  ['an enum with a value less', { enum: ['a', 'b'] }, { enum: ['b'] }, ['enum-narrowed'], same],
  ['an enum with another value', { enum: ['a'] }, { enum: ['b'] }, ['enum-narrowed'], ['enum-widened']],
  ['an enum in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, same, same],
  ['a constant that is new', text, { ...text, const: 'a' }, ['const-narrowed'], same],
  ['a constant that is another', { const: 1 }, { const: 2 }, ['const-narrowed'], ['const-widened']],
  ['a constant that is gone', { const: 1 }, {}, same, ['const-widened']],
  ['a format that is new', text, { ...text, format: 'uuid' }, ['format-narrowed'], same],
  [
    'a format that is another',
    { format: 'uuid' },
    { format: 'email' },
    ['format-narrowed'],
    ['format-widened'],
  ],
  ['a format that is gone', { ...text, format: 'uuid' }, text, same, ['format-widened']],
  ['a pattern that is new', text, { ...text, pattern: '^a' }, ['pattern-narrowed'], same],
  [
    'a pattern that is another',
    { pattern: 'a' },
    { pattern: 'b' },
    ['pattern-narrowed'],
    ['pattern-widened'],
  ],
  ['a pattern that is gone', { pattern: 'a' }, {}, same, ['pattern-widened']],
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].flatMap(
    (keyword): typeof CASES => [
      [`${keyword} that is new`, {}, { [keyword]: 9 }, [`${keyword}-narrowed`], same],
      [`${keyword} that is less`, { [keyword]: 9 }, { [keyword]: 8 }, [`${keyword}-narrowed`], same],
      [`${keyword} that is more`, { [keyword]: 8 }, { [keyword]: 9 }, same, [`${keyword}-widened`]],
      [`${keyword} that is gone`, { [keyword]: 9 }, {}, same, [`${keyword}-widened`]],
    ],
  ),
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].flatMap(
    (keyword): typeof CASES => [
      [`${keyword} that is new`, {}, { [keyword]: 2 }, [`${keyword}-narrowed`], same],
      [`${keyword} that is more`, { [keyword]: 2 }, { [keyword]: 3 }, [`${keyword}-narrowed`], same],
      [`${keyword} that is less`, { [keyword]: 3 }, { [keyword]: 2 }, same, [`${keyword}-widened`]],
      [`${keyword} that is gone`, { [keyword]: 2 }, {}, same, [`${keyword}-widened`]],
    ],
  ),
  ['minLength of 0', {}, { minLength: 0 }, same, same],
  [
    'a limit that excludes (3.0)',
    { maximum: 9 },
    { maximum: 9, exclusiveMaximum: true },
    ['exclusiveMaximum-narrowed'],
    ['maximum-widened'],
  ],
  [
    'a limit that excludes, in the form of 3.1',
    { minimum: 1, exclusiveMinimum: true },
    { exclusiveMinimum: 1 },
    same,
    same,
  ],
  ['multipleOf that is new', {}, { multipleOf: 2 }, ['multipleOf-narrowed'], same],
  ['multipleOf that is coarser', { multipleOf: 2 }, { multipleOf: 4 }, ['multipleOf-narrowed'], same],
  ['multipleOf that is finer', { multipleOf: 0.3 }, { multipleOf: 0.1 }, same, ['multipleOf-widened']],
  [
    'multipleOf that is another',
    { multipleOf: 2 },
    { multipleOf: 3 },
    ['multipleOf-narrowed'],
    ['multipleOf-widened'],
  ],
  ['uniqueItems that is new', {}, { uniqueItems: true }, ['uniqueItems-narrowed'], same],
  ['uniqueItems that is gone', { uniqueItems: true }, { uniqueItems: false }, same, ['uniqueItems-widened']],
  [
    'a property that becomes required',
    object({ a: text }),
    object({ a: text }, { required: ['a'] }),
    ['required-narrowed'],
    same,
  ],
  [
    'a property that becomes optional',
    object({ a: text }, { required: ['a'] }),
    object({ a: text }),
    same,
    ['required-widened'],
  ],
  ['a new property', object({}), object({ a: text }), same, same],
  [
    'a new property that is required',
    object({}),
    object({ a: text }, { required: ['a'] }),
    ['required-narrowed'],
    same,
  ],
  ['an optional property that is gone', object({ a: text }), object({}), ['property-removed?'], same],
  [
    'a required property that is gone',
    object({ a: text }, { required: ['a'] }),
    object({}),
    ['property-removed?'],
    ['required-widened'],
  ],
  [
    'a property that is gone and not allowed',
    object({ a: text }, { additionalProperties: false }),
    object({}, { additionalProperties: false }),
    ['property-removed'],
    same,
  ],
  [
    'a property of a property',
    object({ a: object({ b: text }) }),
    object({ a: object({ b: { type: 'integer' } }) }),
    ['type-narrowed'],
    ['type-widened'],
  ],
  [
    'further properties that are refused',
    object({}),
    object({}, { additionalProperties: false }),
    ['schema-narrowed'],
    same,
  ],
  ['further properties that are taken', object({}, { additionalProperties: false }), object({}), same, same],
  [
    'further properties of another type',
    { additionalProperties: text },
    { additionalProperties: { type: 'null' } },
    ['type-narrowed'],
    ['type-widened'],
  ],
  ['patternProperties that are new', {}, { patternProperties: { '^a': text } }, ['type-narrowed'], same],
  ['patternProperties that are gone', { patternProperties: { '^a': text } }, {}, same, ['type-widened']],
  ['propertyNames that are new', {}, { propertyNames: { maxLength: 3 } }, ['maxLength-narrowed'], same],
  [
    'dependentRequired that is new',
    {},
    { dependentRequired: { a: ['b'] } },
    ['dependentRequired-narrowed'],
    same,
  ],
  [
    'dependentRequired that is gone',
    { dependentRequired: { a: ['b'] } },
    {},
    same,
    ['dependentRequired-widened'],
  ],
  [
    'dependentSchemas that are new',
    {},
    { dependentSchemas: { a: { minProperties: 2 } } },
    ['minProperties-narrowed'],
    same,
  ],
  [
    'items of another type',
    { items: text },
    { items: { type: 'integer' } },
    ['type-narrowed'],
    ['type-widened'],
  ],
  ['items that are new', { type: 'array' }, { type: 'array', items: text }, ['type-narrowed'], same],
  [
    'prefixItems in another order',
    { prefixItems: [text, { type: 'null' }] },
    { prefixItems: [{ type: 'null' }, text] },
    ['type-narrowed', 'type-narrowed'],
    ['type-widened', 'type-widened'],
  ],
  [
    'prefixItems that are fewer',
    { prefixItems: [text, text] },
    { prefixItems: [text] },
    same,
    ['type-widened'],
  ],
  ['contains that is new', {}, { contains: text }, ['type-narrowed'], same],
  ['unevaluatedProperties that are refused', {}, { unevaluatedProperties: false }, ['schema-narrowed'], same],
  ['unevaluatedItems that are taken', { unevaluatedItems: false }, {}, same, ['schema-widened']],
  [
    'if that is another',
    { if: { required: ['a'] } },
    { if: { required: ['b'] } },
    ['if-narrowed'],
    ['if-widened'],
  ],
  ['then that is new', { if: {} }, { if: {}, then: text }, ['type-narrowed'], same],
  ['else that is gone', { if: {}, else: text }, { if: {} }, same, ['type-widened']],
  ['not that is new', {}, { not: text }, ['not-narrowed'], same],
  ['not that is gone', { not: text }, {}, same, ['not-widened']],
  [
    'not that excludes more',
    { not: { type: 'integer' } },
    { not: { type: 'number' } },
    ['type-widened'],
    same,
  ],
  ['a schema that takes nothing', text, false, ['schema-narrowed'], same],
  ['a schema that takes something', false, text, same, ['schema-widened']],
  ['allOf with a member more', { allOf: [one, one] }, { allOf: [one, one, two] }, ['allOf-narrowed'], same],
  ['allOf with a member less', { allOf: [one, two] }, { allOf: [one, one] }, same, ['allOf-widened']],
  ['allOf of one', one, { allOf: [one] }, same, same],
  ['oneOf with a branch more', { oneOf: [one, one] }, { oneOf: [one, one, two] }, same, ['oneOf-widened']],
  ['oneOf with a branch less', { oneOf: [one, two] }, { oneOf: [one, one] }, ['oneOf-narrowed'], same],
  ['anyOf in another order', { anyOf: [one, two] }, { anyOf: [two, one] }, same, same],
  [
    'a branch that changes',
    { anyOf: [one, two] },
    { anyOf: [object({ kind: { const: 'one' }, a: { type: 'null' } }), two] },
    ['type-narrowed'],
    ['type-widened'],
  ],
  ['a schema that becomes a branch', one, { oneOf: [one, two] }, same, ['union-widened']],
  ['a branch that remains alone', { anyOf: [one, two] }, one, ['union-narrowed'], same],
  [
    'a discriminator that is another',
    { discriminator: { propertyName: 'a' } },
    { discriminator: { propertyName: 'b' } },
    ['discriminator-narrowed'],
    ['discriminator-widened'],
  ],
  [
    'contentEncoding that is another',
    { contentEncoding: 'base64' },
    { contentEncoding: 'base32' },
    ['contentEncoding-narrowed'],
    ['contentEncoding-widened'],
  ],
  [
    'contentMediaType that is new',
    text,
    { ...text, contentMediaType: 'image/png' },
    ['contentMediaType-narrowed'],
    same,
  ],
  ['a default that is another', { default: 1 }, { default: 2 }, ['default-changed?'], same],
]

describe('a schema', () => {
  it.each(
    CASES.flatMap(([name, before, after, request, response]) => [
      [name, 'request', before, after, request] as const,
      [name, 'response', before, after, response] as const,
    ]),
  )('%s, in a %s', (_name, side, before, after, expected) => {
    expect(checks(side, documentOf(before, side), documentOf(after, side))).toEqual(expected)
  })

  it('is compared by its definitions, also those that contain themselves', () => {
    const node = (value: Schema): object => ({
      Node: object({ value, next: { $ref: '#/components/schemas/Node' } }),
    })
    const reference = { type: 'array', items: { $ref: '#/components/schemas/Node' } }
    const [before, after] = [node(text), node({ type: 'integer' })]
    const documents = [
      documentOf(reference, 'response', before),
      documentOf(reference, 'response', after),
    ] as const
    expect(checks('response', ...documents)).toEqual(['type-widened'])
    expect(checks('response', documents[0], documents[0])).toEqual([])
  })

  it('is compared behind equal references in a union', () => {
    const union = { oneOf: [{ $ref: '#/components/schemas/A' }, two] }
    const [before, after] = [{ A: one }, { A: object({ kind: { const: 'one' } }, { required: ['a'] }) }]
    expect(
      checks('request', documentOf(union, 'request', before), documentOf(union, 'request', after)),
    ).toEqual(['required-narrowed', 'property-removed?'])
  })

  it('has no properties of the other direction', () => {
    const at = (a: object): Schema => object({ a })
    const [before, after] = [at({ ...text, readOnly: true }), at({ type: 'integer', readOnly: true })]
    expect(checks('request', documentOf(before, 'request'), documentOf(after, 'request'))).toEqual([])
    const became = documentOf(at({ ...text, readOnly: true }), 'request')
    expect(checks('request', documentOf(at(text), 'request'), became)).toEqual(['property-became-readOnly?'])
  })
})
