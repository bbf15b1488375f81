import type { Case } from '../validator/cases.ts'

/* Schemas of 2020-12 with values at their edges. */

const required = (name: string, schema: object = {}): object => ({
  properties: { [name]: schema },
  required: [name],
})
const integer = { type: 'integer' }
const objects = [
  {},
  { a: 1 },
  { b: 1 },
  { a: 1, b: 1 },
  { a: 'x' },
  { a: 'x', b: 'x', c: 'x' },
  { c: 1, d: 1 },
  5,
]
const lists = [
  [],
  [1],
  ['x'],
  [1, 2],
  [1, 'x'],
  ['x', 1],
  ['x', 'x'],
  [1, 2, 3],
  [1, 'x', 'x'],
  [1, 1, 1, 1],
  5,
]

const over = (values: readonly unknown[], schemas: readonly object[]): Case[] =>
  schemas.map((schema) => [schema, ...values])

const UNEVALUATED_PROPERTIES = over(
  objects,
  [
    {},
    { properties: { a: {} } },
    { properties: { a: integer, b: true } },
    { patternProperties: { '^a': integer } },
    { properties: { c: {} }, patternProperties: { '^a': {} } },
    { additionalProperties: integer },
    { allOf: [{ properties: { a: {} } }, { properties: { b: integer } }] },
    { anyOf: [required('a', integer), required('b')] },
    { anyOf: [true, { properties: { a: integer } }] },
    { anyOf: [{}, { properties: { a: integer } }, { required: ['c'], properties: { c: {} } }] },
    { oneOf: [required('a', integer), required('c')] },
    { oneOf: [{ minProperties: 1 }, required('a'), required('b')] },
    { if: required('a', integer), then: { properties: { b: {} } } },
    { if: required('a', integer), then: { properties: { b: {} } }, else: { properties: { c: {} } } },
    { if: true, then: true, else: false },
    { not: { not: required('a') } },
    { $ref: '#/$defs/named', $defs: { named: { properties: { a: integer } } } },
    { allOf: [{ unevaluatedProperties: true }] },
    { properties: { a: { properties: { b: {} }, unevaluatedProperties: false } } },
    { minProperties: 1, required: ['b'] },
  ].flatMap((schema) => [
    { ...schema, unevaluatedProperties: false },
    { ...schema, unevaluatedProperties: integer },
    { ...schema, unevaluatedProperties: { not: { const: 'x' } } },
  ]),
)

const UNEVALUATED_ITEMS = over(
  lists,
  [
    {},
    { prefixItems: [{}] },
    { prefixItems: [integer, { type: 'string' }] },
    { items: integer },
    { prefixItems: [{}], items: integer },
    { allOf: [{ prefixItems: [{}, {}] }] },
    { $ref: '#/$defs/named', $defs: { named: { prefixItems: [{}] } } },
    { allOf: [{ unevaluatedItems: true }] },
    { prefixItems: [{ prefixItems: [{}], unevaluatedItems: false }] },
    { uniqueItems: true, prefixItems: [{}] },
  ].flatMap((schema) => [
    { ...schema, unevaluatedItems: false },
    { ...schema, unevaluatedItems: integer },
    { ...schema, unevaluatedItems: { not: { const: 'x' } } },
  ]),
)

const CONTAINED = over(lists, [
  ...[{}, { minContains: 2 }, { maxContains: 1 }, { minContains: 0, maxContains: 1 }].flatMap((limits) => [
    { contains: integer, ...limits },
    { contains: true, ...limits },
    { not: { contains: integer, ...limits } },
  ]),
  { contains: integer, minContains: 0, minItems: 1 },
  { contains: true, minContains: 0, minItems: 1 },
  { contains: integer, minContains: 2, maxContains: 3 },
  { contains: integer, minContains: 2, maxContains: 2 },
  { contains: integer, minContains: 3, maxContains: 1 },
  { contains: false },
  { contains: false, maxContains: 1 },
  { anyOf: [{ contains: { const: 'x' } }, { contains: integer, minContains: 2 }] },
  { oneOf: [{ contains: { const: 'x' } }, { contains: integer }] },
  { type: 'array', items: { contains: integer } },
  { minContains: 2, maxItems: 2 },
])

const CONTAINED_IN_LISTS = over(
  [[[]], [[1], []], [[1, 1], []], [['x'], []], [[1, 1], [], ['x'], []], [[], [1, 1]], [['x', 'x'], []]],
  [{}, { minContains: 2 }, { maxContains: 1 }, { minContains: 0, maxContains: 1 }].flatMap((limits) => [
    { items: { contains: integer, ...limits } },
    { items: { not: { contains: integer, uniqueItems: true, ...limits } } },
  ]),
)

const DEPENDENT = over(objects, [
  { dependentRequired: { a: ['b'] } },
  { dependentRequired: { a: ['b', 'c'], c: ['a', 'd'] } },
  { dependentRequired: { a: [] }, minProperties: 1 },
  { dependentSchemas: { a: { required: ['b'] }, c: false } },
  { dependentSchemas: { a: true, b: { properties: { b: { type: 'string' } } } } },
])

/** Schemas, the values that fit them, and others. Ajv is not asked: it is further from the specification there. */
export const BY_SPECIFICATION: readonly (readonly [
  schema: object,
  fit: readonly unknown[],
  others: readonly unknown[],
])[] = [
  [
    { if: required('a', integer), unevaluatedProperties: false },
    [{}, { a: 1 }],
    [{ b: 1 }, { a: 'x' }, { a: 1, b: 1 }],
  ],
  [
    { if: required('a', integer), else: { properties: { b: {} } }, unevaluatedProperties: false },
    [{}, { a: 1 }, { b: 1 }],
    [{ a: 'x' }, { a: 1, b: 1 }, { a: 'x', b: 1 }],
  ],
  [
    { if: required('a', integer), then: { properties: { b: {} } }, unevaluatedProperties: integer },
    [{}, { a: 1, b: 'x' }, { a: 1, c: 1 }, { b: 1 }],
    [{ a: 'x' }, { b: 'x' }, { a: 1, c: 'x' }],
  ],
  [
    {
      anyOf: [{ prefixItems: [integer] }, { prefixItems: [{}, { type: 'string' }] }],
      unevaluatedItems: false,
    },
    [[], [1], [1, 'x'], ['x', 'x'], ['x']],
    [
      [1, 2],
      [1, 'x', 1],
      ['x', 1],
    ],
  ],
  [{ anyOf: [true, { prefixItems: [integer] }], unevaluatedItems: false }, [[], [1]], [['x'], [1, 1]]],
  [{ if: { prefixItems: [integer] }, unevaluatedItems: false }, [[], [1]], [['x'], [1, 1]]],
  [
    { anyOf: [true, { prefixItems: [{}, integer] }], unevaluatedItems: false },
    [[], [1], ['x'], [1, 2]],
    [
      [1, 'x'],
      ['x', 1, 1],
    ],
  ],
  [
    { allOf: [{ prefixItems: [{}, { type: 'string' }] }], unevaluatedItems: false },
    [[], ['x'], ['x', 'x']],
    [
      ['x', 1],
      ['x', 'x', 'x'],
    ],
  ],
  [
    { allOf: [{ prefixItems: [{}], unevaluatedItems: integer }], unevaluatedItems: false },
    [[], ['x'], ['x', 1, 1]],
    [['x', 'x']],
  ],
  [
    {
      properties: { a: {} },
      dependentSchemas: { a: { properties: { b: integer } } },
      unevaluatedProperties: false,
    },
    [{}, { a: 1 }, { a: 1, b: 1 }],
    [{ b: 1 }, { a: 1, b: 'x' }, { a: 1, c: 1 }],
  ],
  [
    { allOf: [{ properties: { a: {} }, unevaluatedProperties: integer }], unevaluatedProperties: false },
    [{}, { a: 'x' }, { a: 'x', b: 1 }],
    [{ b: 'x' }],
  ],
  [
    { if: { prefixItems: [integer] }, else: { prefixItems: [{}, {}] }, unevaluatedItems: false },
    [[], [1], ['x'], ['x', 1]],
    [
      [1, 1],
      ['x', 1, 1],
    ],
  ],
  [{ contains: integer, unevaluatedItems: false }, [[1], [1, 2]], [[], ['x'], [1, 'x'], ['x', 1]]],
  [
    { contains: integer, unevaluatedItems: { type: 'string' } },
    [[1], [1, 'x'], ['x', 1]],
    [[], ['x'], [1, null]],
  ],
  [
    {
      if: { prefixItems: [integer] },
      then: { prefixItems: [{}, {}] },
      else: { items: true },
      unevaluatedItems: false,
    },
    [[], [1, 1], ['x', 1, 1]],
    [[1, 1, 1]],
  ],
  [
    {
      oneOf: [{ prefixItems: [integer] }, { prefixItems: [{ type: 'string' }, {}] }],
      unevaluatedItems: integer,
    },
    [[1], ['x'], ['x', 'x'], [1, 1]],
    [[], [null], [1, 'x'], ['x', 'x', 'x']],
  ],
  [
    { allOf: [{ prefixItems: [{}] }], contains: integer, minContains: 0, unevaluatedItems: false },
    [[], ['x'], ['x', 1, 2, 3]],
    [
      ['x', 'x'],
      ['x', 1, 'x'],
    ],
  ],
  [{ contains: true, unevaluatedItems: false }, [['x'], ['x', 1]], [[]]],
  [
    { allOf: [{ contains: integer }, { contains: { type: 'string' } }], unevaluatedItems: false },
    [
      [1, 'x'],
      ['x', 1, 2],
    ],
    [[1], ['x'], [1, 'x', null]],
  ],
  [{ not: { prefixItems: [integer] }, unevaluatedItems: false }, [], [[], [1], ['x']]],
]

/** The cases, by what they are about. */
export const LATER_CASES: Readonly<Record<string, readonly Case[]>> = {
  'unevaluated properties': UNEVALUATED_PROPERTIES,
  'unevaluated items': UNEVALUATED_ITEMS,
  'contained items': CONTAINED,
  'contained items of lists in a list': CONTAINED_IN_LISTS,
  'dependent properties': DEPENDENT,
}
