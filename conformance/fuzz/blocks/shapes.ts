import { HOSTILE } from '../../../packages/schema/test/regexp/hostile.ts'

/** A schema, the schemas that it refers to, and how it is read. */
export interface Named {
  readonly name: string
  readonly schema: unknown
  readonly shared?: readonly unknown[]
  readonly dialect?: 'draft-07' | '2020-12'
}

const BRANCHES = Array.from({ length: 40 }, (_, index) => index)

const ORDER = {
  type: 'object',
  required: ['foo'],
  properties: {
    foo: { type: 'integer', minimum: 0 },
    bar: { type: 'string', maxLength: 20 },
    baz: { type: 'array', items: { type: 'number' } },
  },
}

/** Schemas as users write them, and those in which one keyword is applied to a large value. */
const DRAFT_07: Readonly<Record<string, unknown>> = {
  'list of orders': { type: 'array', items: ORDER },
  'list of orders, nothing else in them': { type: 'array', items: { ...ORDER, additionalProperties: false } },
  'list of integers': { type: 'array', items: { type: 'integer' } },
  'list of texts': { type: 'array', items: { type: 'string' } },
  'list of texts of a format': { type: 'array', items: { type: 'string', format: 'date-time' } },
  'list of texts or nothing': { type: 'array', items: { type: ['string', 'null'] } },
  'list of integers or texts': { type: 'array', items: { type: ['integer', 'string'] } },
  'list of lists of integers from 0 to 9': {
    type: 'array',
    items: { type: 'array', maxItems: 8, items: { type: 'integer', minimum: 0, maximum: 9 } },
  },
  'list of lists of texts that differ': {
    type: 'array',
    items: { type: 'array', uniqueItems: true, items: { type: 'string' } },
  },
  'list of lists of 40 branches': {
    type: 'array',
    items: { type: 'array', items: { anyOf: BRANCHES.map((index) => ({ const: -index - 1 })) } },
  },
  'list of one of 40 objects by kind': {
    type: 'array',
    items: {
      oneOf: BRANCHES.map((index) => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: index }, foo: { type: 'integer' } },
      })),
    },
  },
  'list of conditions': {
    type: 'array',
    items: {
      if: { type: 'object', required: ['foo'] },
      then: { properties: { bar: { type: 'string' } } },
      else: { required: ['bar'] },
    },
  },
  'list of all of three': {
    type: 'array',
    items: { allOf: [{ type: 'object' }, { required: ['foo'] }, { properties: { foo: { minimum: 0 } } }] },
  },
  'map of numbers': { type: 'object', additionalProperties: { type: 'number' } },
  'map of texts': { type: 'object', additionalProperties: { type: 'string' } },
  'map of lists of lists': {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
  },
  'names of at most 3': { type: 'object', propertyNames: { maxLength: 3 } },
  'names by a pattern, none else': {
    type: 'object',
    patternProperties: { '^n[0-9]+$': { type: 'string' }, '^f': { type: 'integer' } },
    additionalProperties: false,
  },
  'names by three patterns': {
    type: 'object',
    patternProperties: {
      '^n': { type: 'integer' },
      '^x-': { type: 'string' },
      '[0-9]$': { type: 'integer' },
    },
  },
  'what names depend on': {
    type: 'object',
    dependencies: { foo: ['bar'], bar: { properties: { baz: { type: 'array' } }, minProperties: 2 } },
    maxProperties: 1_000_000,
  },
  'a tree': {
    $id: 'https://example.com/tree',
    type: 'object',
    properties: {
      foo: { $ref: '#' },
      nodes: { type: 'array', items: { $ref: '#' } },
      subtree: { $ref: '#' },
    },
  },
  'a tree of lists': { $id: 'https://example.com/lists', type: 'array', items: { $ref: '#' } },
  'a tree in two branches': {
    $id: 'https://example.com/branches',
    anyOf: [
      { type: 'array', items: { $ref: '#' }, maxItems: 0 },
      { type: 'array', items: { $ref: '#' } },
      { type: 'object', properties: { foo: { $ref: '#' } }, required: ['foo'] },
      { type: 'object', properties: { foo: { $ref: '#' } }, required: ['bar'] },
    ],
  },
  'a text of a length': { type: 'string', minLength: 1_000_000, maxLength: 2_000_000 },
  'a text of a pattern': { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
  'a word of many': { type: 'array', items: { enum: BRANCHES.map((index) => `w${index}`) } },
}

/** What draft-07 does not have. */
const LATER: Readonly<Record<string, unknown>> = {
  'no unevaluated properties': {
    type: 'object',
    properties: { foo: { type: 'integer' } },
    anyOf: [{ patternProperties: { '^n': true } }, { properties: { bar: true } }],
    unevaluatedProperties: false,
  },
  'unevaluated properties of a type': {
    type: 'object',
    allOf: [{ properties: { foo: true } }, { properties: { bar: true } }],
    unevaluatedProperties: { type: 'string' },
  },
  'no unevaluated items': {
    type: 'array',
    prefixItems: [{ type: 'integer' }],
    contains: { type: 'integer' },
    unevaluatedItems: false,
  },
  'unevaluated items of a type': {
    type: 'array',
    unevaluatedItems: { type: 'array', items: { type: 'integer' } },
  },
  'list of objects without unevaluated properties': {
    type: 'array',
    items: { type: 'object', properties: { a: true }, unevaluatedProperties: false },
  },
  'dependent schemas': {
    type: 'object',
    dependentRequired: { foo: ['bar'] },
    dependentSchemas: { foo: { additionalProperties: { type: 'string' } } },
  },
  'a dynamic tree': {
    $id: 'https://example.com/dynamic',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { foo: { $dynamicRef: '#node' } },
  },
  'at most five that match': { type: 'array', contains: { type: 'string' }, minContains: 0, maxContains: 5 },
}

/** Expressions with so many positions that texts lead to more sets of them than are kept. */
const LARGE = ['(?:a|b)*a[ab]{60}c', String.raw`^\S{1,64}@\S{1,255}$`, '(?:[a-z]*a[a-z]{1,30}b){4}c']

/** Schemas with expressions that would block the process if V8 ran them. */
export function patterns(): Named[] {
  return [...HOSTILE.map(([pattern]) => pattern), ...LARGE].flatMap((pattern) => [
    { name: `a text of the pattern ${pattern}`, schema: { type: 'string', pattern } },
    {
      name: `names of the pattern ${pattern}`,
      schema: {
        type: 'object',
        patternProperties: { [pattern]: { type: 'integer' } },
        additionalProperties: false,
      },
    },
  ])
}

/** The schemas of this file. */
export function shapes(): Named[] {
  return [
    ...patterns(),
    ...Object.entries(DRAFT_07).map(([name, schema]) => ({ name, schema })),
    ...Object.entries(LATER).map(([name, schema]) => ({ name, schema, dialect: '2020-12' as const })),
  ]
}
