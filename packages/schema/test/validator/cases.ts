/** A schema, and values at the edges of what it allows. */
export type Case = readonly [schema: object, ...values: unknown[]]

const many = (length: number): string[] => Array.from({ length }, (_, index) => `v${index}`)
const smile = (times: number): string => '😀'.repeat(times)

const NUMBERS: readonly Case[] = [
  [{ type: 'number' }, 1, 1.5, '1.5', 'x', 'Infinity', null, Infinity],
  [{ type: 'number', minimum: 1 }, 0.5, 1, Infinity, '1'],
  [{ type: 'number', maximum: 3 }, 3, 3.5, -Infinity],
  [{ type: 'integer' }, 1, 1.5, '1', 'x', '1e999'],
  [{ type: ['number'], minimum: 1, exclusiveMaximum: 2, multipleOf: 0.25 }, 0.75, 1, 1.25, 1.3, 2],
  [{ type: 'number', minimum: 1, exclusiveMinimum: 2 }, 1, 2, 2.5],
  [{ type: 'integer', minimum: 3, maximum: 7 }, 2, 3, 5, 7, 8, 3.5, '3', '8', true],
  [{ type: 'number', minimum: 0.5, maximum: 1.5 }, 0.4, 0.5, 1, 1.5, 1.6, '1.6', '1'],
  [{ type: 'integer', minimum: 3 }, 2, 3, 4],
  [{ type: 'integer', maximum: 3 }, 2, 3, 4],
  [{ type: 'number', exclusiveMinimum: 3 }, 2, 3, 3.1],
  [{ type: 'number', exclusiveMaximum: 3 }, 2.9, 3, 4],
  [{ type: 'integer', exclusiveMinimum: 3, maximum: 5 }, 3, 4, 5, 6],
  [{ type: 'integer', minimum: 3, exclusiveMaximum: 5 }, 2, 3, 4, 5],
  [{ type: 'number', multipleOf: 0.5 }, 1, 1.5, 1.25, 0, -0.5],
  [{ type: 'integer', multipleOf: 3, minimum: 3 }, 0, 3, 4, 6],
  [{ minimum: 3, maximum: 7 }, 2, 3, 7, 8, 'text', null, Infinity],
  [{ type: 'integer', minimum: 1, not: { maximum: 2 } }, 0, 1, 2, 3],
  [{ maximum: 7, multipleOf: 2 }, 2, 3, 8, [], '9'],
  [{ minimum: 3 }, 2, 3, Infinity, -Infinity, 'x'],
  [{ maximum: 3 }, 3, 4, -Infinity, null],
  [{ not: { maximum: 3 } }, 2, 4, Infinity, -Infinity],
  [{ type: ['integer', 'string'], minimum: 3 }, 2, 3, 'x', 1.5, Infinity],
  [{ type: ['number', 'string'], minLength: 2 }, 2, Infinity, 'x', 'xy'],
  [{ type: 'integer', format: 'int32' }, 2 ** 31 - 1, 2 ** 31, 1],
  [{ type: 'number', format: 'int64' }, 1.5, 2],
  [{ type: 'integer', enum: [1, 2] }, 1, 2, 3, '2'],
  [{ type: 'integer', const: 3, minimum: 2 }, 1, 2, 3, '3'],
]

const TEXTS: readonly Case[] = [
  [
    { type: 'string', minLength: 2, maxLength: 4 },
    'a',
    'ab',
    'abcd',
    'abcde',
    smile(1),
    smile(2),
    smile(4),
    smile(5),
    smile(3),
    5,
  ],
  [{ type: 'string', minLength: 3 }, 'ab', 'abc', smile(2), smile(3), 'abcdef'],
  [{ type: 'string', maxLength: 2 }, '', 'ab', 'abc', smile(2), smile(3), 'abcd', 'abcde'],
  [{ type: 'string', maxLength: 0 }, '', 'a'],
  [{ minLength: 2, maxLength: 3 }, 'a', 'ab', 'abcd', smile(1), smile(3), smile(4), 5, null, []],
  [{ type: 'string', pattern: '^a+$' }, 'a', 'b', 'aab', 'aa'],
  [{ type: 'string', pattern: '^a+$', minLength: 2 }, 'a', 'aa', 'bb'],
  [{ pattern: '^a+$', maxLength: 2 }, 'a', 'aaa', 'b', 5],
  [{ type: 'string', format: 'date' }, '2024-02-29', '2023-02-29', ''],
  [{ type: 'string', format: 'ipv4' }, '1.2.3.4', '1.2.3.400'],
  [{ format: 'email', minLength: 5 }, 'a@b.c', 'a@b', 'x', 7],
  [{ type: 'string', enum: ['a', 'b'] }, 'a', 'c', 5],
  [{ type: 'string', enum: many(8) }, 'v0', 'v7', 'v8'],
  [{ type: 'string', enum: many(9) }, 'v0', 'v8', 'v9'],
  [{ type: 'string', enum: ['a', 1, null, 'b'] }, 'a', 'b', 'c', 1, null, '1'],
  [{ enum: many(9) }, 'v0', 'v8', 'v9', 5],
  [{ enum: ['a', 1, true, null] }, 'a', '1', 1, true, false, null, []],
  [{ const: 'a' }, 'a', 'b', null],
  [{ type: 'string', minLength: 1, enum: ['a', ''] }, 'a', '', 'b'],
  [{ type: 'string', format: 'date', minLength: 2 }, '2024-02-29', 'x'],
  [{}, 'a', 5, null, {}],
  [{ const: null }, null, 0, ''],
  [{ type: ['string', 'null'], maxLength: 2 }, 'ab', 'abc', null, 5],
  [{ type: 'boolean' }, true, 'true', 'x', 1],
  [{ type: 'boolean', const: true }, true, false, 'true', 'false'],
  [{ type: 'null' }, null, '', 'x'],
]

const LISTS: readonly Case[] = [
  [{ type: 'array', minItems: 1, not: { maxItems: 1 } }, [], [1], [1, 2]],
  [{ type: 'array', minItems: 1, maxItems: 2 }, [], [1], [1, 2], [1, 2, 3], 'x', {}],
  [{ minItems: 1, maxItems: 2 }, [], [1], [1, 2], [1, 2, 3], 'x'],
  [{ type: 'array', items: { type: 'integer' } }, [], [1, 2], ['1', 2], ['x'], [1, 'x'], '5'],
  [{ type: 'array', items: { type: 'integer', minimum: 2 } }, [2, 3], [2, 1], ['2', '1']],
  [
    { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
    [{ n: '1' }, { n: 2 }],
    [{ n: 1 }, { n: 'x' }],
    [[]],
  ],
  [{ type: 'array', items: { enum: many(9) } }, ['v8', 'v0'], ['v9'], ['v0', 'v9']],
  [
    { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] },
    [],
    [1],
    [1, 'a'],
    ['1', 2],
    ['x'],
    [1, {}],
    [1, 'a', {}],
  ],
  [
    { type: 'array', items: [{ type: 'integer' }], additionalItems: { type: 'boolean' } },
    [1],
    [1, true],
    [1, 'true', false],
    [1, true, 'x'],
    ['x', true],
  ],
  [{ type: 'array', items: [{ type: 'integer' }], additionalItems: false }, [1], [1, 2], []],
  [{ type: 'array', contains: { const: 1 } }, [], [1], [2, 1], [2, 3], [1, 1]],
  [{ contains: { type: 'integer' } }, [], ['x', 1], ['x'], 5],
  [{ type: 'array', contains: { type: 'integer' } }, ['1'], ['x', '1'], [1, '1'], ['1', 1]],
  [
    { type: 'array', uniqueItems: true },
    [],
    [1, 2],
    [1, '1'],
    [1, 1],
    [{ a: 1 }, { a: 1 }],
    [{ a: 1 }, { a: 2 }],
  ],
  [{ type: 'array', items: { type: 'string' }, uniqueItems: true }, ['a', 'b'], ['a', 'a'], ['1', 1]],
  [{ type: 'array', items: {}, minItems: 1 }, [], [null]],
  [{ type: 'array', items: false }, [], [1]],
  [
    { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    [1, '2', [3]],
    [[1], 'x'],
    [{}],
    [[{}]],
  ],
  [
    { type: 'array', items: { type: 'array', items: { type: 'array', items: { type: 'boolean' } } } },
    [true, 'false', [true], [['true']]],
    [true, 5, false],
    [[], [[]]],
    [true, {}, true],
  ],
  [
    {
      type: 'array',
      items: [{ type: 'integer' }],
      additionalItems: { type: 'array', items: { minimum: 3 } },
    },
    [1],
    ['1', 3, 4],
    [1, 3, 2],
  ],
]

const properties = { a: { type: 'integer' }, b: { type: 'string' } }
const LATER = 'https://json-schema.org/draft/2020-12/schema'
const COUNTED: readonly Case[] = [
  [{ $schema: LATER, $defs: { n: { minimum: 3 } }, $ref: '#/$defs/n', maximum: 5 }, 2, 3, 5, 6, 'x'],
  [{ $schema: LATER, contains: { minimum: 3 }, minContains: 2 }, [], [3], [3, 4], [1, 3, 2, 4], [3, 4, 5], 5],
  [
    { $schema: LATER, contains: { minimum: 3 }, maxContains: 2 },
    [],
    [1],
    [3],
    [3, 4],
    [3, 4, 5],
    [3, 1, 4, 1, 5],
  ],
  [
    { $schema: LATER, type: 'array', contains: { minimum: 3 }, minContains: 2, maxContains: 3 },
    [3],
    [3, 4],
    [3, 4, 5],
    [3, 4, 5, 6],
  ],
  [{ $schema: LATER, contains: { type: 'integer' }, minContains: 0 }, [], ['x'], [1]],
  [{ $schema: LATER, contains: { type: 'integer' }, minContains: 0, maxContains: 1 }, [], [1], [1, 2], ['1']],
  [
    { $schema: LATER, prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
    ['a', 1],
    ['a', 'x'],
    [5],
  ],
]

const OBJECTS: readonly Case[] = [
  [
    { type: 'object', minProperties: 1, maxProperties: 2 },
    {},
    { a: 1 },
    { a: 1, b: 2 },
    { a: 1, b: 2, c: 3 },
    [],
    'x',
    null,
  ],
  [{ minProperties: 1, maxProperties: 2 }, {}, { a: 1 }, { a: 1, b: 2, c: 3 }, [], 5],
  [{ type: 'object', required: ['a', 'b'] }, {}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: null, b: false }],
  [{ required: ['a'] }, {}, { a: 1 }, 5, []],
  [{ type: 'object', properties }, {}, { a: '1', b: 2 }, { a: 'x' }, { b: {} }, { c: 1 }, null, '', []],
  [{ properties }, {}, { a: 1 }, { a: 'x' }, 5, []],
  [{ type: 'object', properties, required: ['a'] }, {}, { a: 1 }, { b: 'x' }, { b: 'x', a: 1 }],
  [
    { type: 'object', properties, additionalProperties: false },
    { a: 1, c: 2 },
    { c: 2, d: 3 },
    { a: 'x', c: 1 },
  ],
  [
    { type: 'object', properties, additionalProperties: { type: 'boolean' } },
    { a: 1, c: 'true' },
    { c: 'x' },
    { c: true, d: 'x' },
  ],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, {}, { a: '1', b: 2 }, { a: 1, b: 'x' }],
  [
    { type: 'object', properties, patternProperties: { '^n': { type: 'integer' } } },
    { n: '1', n2: 2 },
    { n: 1, n2: 'x' },
    { m: 'x' },
    { a: 'x' },
  ],
  [
    {
      type: 'object',
      properties,
      patternProperties: { '^n': { type: 'integer' } },
      additionalProperties: false,
    },
    { n: 1, x: 1 },
    { x: 1 },
    { n: 'x' },
    { a: 1, n: 1 },
  ],
  [
    { type: 'object', patternProperties: { '^n': true }, additionalProperties: { type: 'null' } },
    { n: 1 },
    { m: null },
    { m: 1 },
    { n: 1, m: 1 },
  ],
  [{ type: 'object', propertyNames: { maxLength: 2 } }, {}, { ab: 1 }, { abc: 1 }, { a: 1, abc: 1 }],
  [{ propertyNames: { pattern: '^a' }, minProperties: 1 }, {}, { a: 1 }, { b: 1 }, 5],
  [
    { type: 'object', dependencies: { a: ['b', 'c'] } },
    {},
    { a: 1 },
    { a: 1, b: 1 },
    { a: 1, b: 1, c: 1 },
    { b: 1 },
  ],
  [{ type: 'object', dependencies: { a: { required: ['b'] } } }, {}, { a: 1 }, { a: 1, b: 1 }, { b: 1 }],
  [
    { type: 'object', dependencies: { a: { properties: { b: { type: 'integer' } } } } },
    { a: 1, b: 1 },
    { a: 1, b: '1' },
    { a: 1, b: 'x' },
    { b: 'x' },
  ],
  [
    { type: 'object', properties: { a: { type: 'integer', default: 3 }, b: { default: { c: [] } } } },
    {},
    { a: '1' },
    { a: 'x' },
    { b: 1 },
  ],
  [{ type: 'object', properties: { a: { default: 3 } }, required: ['a'], minProperties: 1 }, {}, { a: 1 }],
  [{ type: 'object', properties: { a: { type: 'integer', default: 'x' } } }, {}, { a: 1 }, { b: 1 }],
  [{ type: 'object', properties: { a: { type: 'integer', default: '5' } } }, {}, { a: 1 }, { b: 1 }],
  [{ type: 'object', properties: { a: { default: null }, b: { default: 'x' } } }, {}, { a: 1 }, { b: 1 }],
  [
    {
      type: 'object',
      properties: { a: { type: 'string', default: 'x' } },
      minProperties: 1,
    },
    {},
    { b: 1 },
    { a: 'y', b: 1 },
  ],
  [
    { type: 'object', properties: { toString: { type: 'integer' }, a: { type: 'integer' } } },
    {},
    { a: '1' },
    { toString: 1, a: 1 },
  ],
]

const node = (kind: unknown, more: object = {}): object => ({
  type: 'object',
  properties: { kind, ...more },
})
const UNIONS: readonly Case[] = [
  [{ anyOf: [false, { minimum: 3 }] }, 2, 3, 'x'],
  [
    {
      oneOf: [
        { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    },
    { b: 'x', a: '1' },
    { a: '1', b: 'x' },
    { b: 'x', a: 1 },
    { a: 1, b: 2 },
  ],
  [{ not: { type: 'integer' } }, 'x', 5, '5', null, [1, 2], ['x'], []],
  [{ not: { type: 'object', allOf: [{ required: ['a'] }] } }, 'x', { a: 1 }, {}, null, []],
  [{ not: { type: 'integer', allOf: [{ minimum: 3 }] } }, 'x', 1, 5, '5', null],
  [{ anyOf: [{ type: 'integer', allOf: [{ minimum: 3 }] }, { type: 'string' }] }, 'x', 1, 5, '5', [5]],
  [{ not: { type: ['integer', 'boolean'] } }, 'x', 5, '5', 'true', null, [1, 2], []],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 5, '5', 'x', [5], ['x'], [1, 2], null],
  [{ anyOf: [{ type: 'integer' }, { type: 'array' }] }, 5, '5', [5], ['x'], [1, 2], []],
  [{ anyOf: [{ type: 'array', items: { type: 'integer' } }, {}] }, [5], ['5'], [1, 'x'], 5, {}],
  [{ oneOf: [{ type: 'integer' }, { type: 'string' }, { minLength: 1 }] }, '5', 'x', 5, null, ''],
  [{ oneOf: [{ type: ['integer', 'boolean'] }, { type: 'string' }] }, '5', 'true', 'x', 5, true],
  [
    { if: { type: 'integer' }, then: { minimum: 3 }, else: { type: 'string', minLength: 1 } },
    '5',
    5,
    2,
    'x',
    '',
    true,
  ],
  [
    { anyOf: [{ type: 'object', additionalProperties: false, properties: { a: {} } }, {}] },
    { a: 1 },
    { a: 1, b: 1 },
    5,
  ],
  [{ not: { type: 'object', properties: { a: { default: 1 } } } }, {}, { a: 1 }, 5],
  [{ anyOf: [{ uniqueItems: true }, { minItems: 1 }] }, [1, 2], [1, 1], 5],
  [{ anyOf: [{ type: 'array', contains: { const: 1 } }, { const: 5 }] }, [], [1], [2, 1], [2], 5],
  [{ type: 'object', not: { required: ['a'] } }, {}, { a: 1 }],
  [{ allOf: [{ type: 'integer' }, { minimum: 3 }] }, 2, 3, '3', 'x'],
  [{ anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 1, true, 'x', '1', null, [1]],
  [{ anyOf: [{ type: 'integer', minimum: 3 }, { maximum: 1 }] }, 0, 2, 3],
  [{ oneOf: [{ minimum: 3 }, { maximum: 5 }] }, 2, 4, 6, 'x'],
  [{ oneOf: [{ type: 'string' }, { maxLength: 2 }] }, 'abc', 'ab', null],
  [{ oneOf: [{ const: 1 }, { const: 2 }, { enum: [1, 3] }] }, 1, 2, 3, 4],
  [
    { if: { type: 'object', required: ['a'] }, then: { required: ['b'] }, else: { type: 'string' } },
    {},
    { a: 1 },
    { a: 1, b: 1 },
    'x',
  ],
  [{ if: { minimum: 3 }, then: { maximum: 5 } }, 2, 4, 6],
  [{ if: { minimum: 3 }, else: { maximum: 1 } }, 0, 2, 4],
  [
    { anyOf: [node({ const: 'a' }, { n: { type: 'integer' } }), node({ enum: ['b', 'c'] })] },
    { kind: 'a', n: 1 },
    { kind: 'a', n: 'x' },
    { kind: 'b', n: 'x' },
    { kind: 'b', n: '5' },
    { kind: 'd' },
    {},
    { kind: 5 },
    [],
    null,
    'a',
  ],
  [
    {
      oneOf: [
        { ...node({ const: 'a' }), required: ['kind'] },
        { ...node({ enum: ['a', 'b'] }), required: ['kind', 'n'] },
      ],
    },
    { kind: 'a' },
    { kind: 'a', n: 1 },
    { kind: 'b' },
    { kind: 'b', n: 1 },
    { n: 1 },
    { kind: 'c', n: 1 },
  ],
  [{ oneOf: [node({ const: 'a' }), node({ const: 5 })] }, { kind: 'a' }, { kind: 5 }, { kind: '5' }, {}],
  [
    { oneOf: [node({ const: 'a' }), { type: 'object', properties: { other: { const: 'a' } } }] },
    { kind: 'a' },
    { kind: 'b', other: 'a' },
    { kind: 'b', other: 'b' },
    { kind: 'a', other: 'a' },
  ],
  [
    { oneOf: [node({ type: 'string', const: 'a' }), node({ type: 'integer', enum: [1, 2] })] },
    { kind: 'a' },
    { kind: 1 },
    { kind: '1' },
    { kind: 'x' },
  ],
  [
    { anyOf: [node({ const: 'a' }), { type: ['object', 'null'], properties: { kind: { const: 'b' } } }] },
    { kind: 'a' },
    { kind: 'b' },
    { kind: 'c' },
    null,
  ],
  [
    { anyOf: [node({ const: 'a' }), { properties: { kind: { const: 'b' } } }] },
    { kind: 'a' },
    { kind: 'b' },
    { kind: 'c' },
    5,
    [],
  ],
  [{ anyOf: [node({ const: 'a' }), { minProperties: 1 }] }, { kind: 'a' }, { kind: 'b' }, {}, { null: 'b' }],
  [
    { not: { anyOf: [node({ type: 'string', const: '5' }), node({ type: 'string', const: 'b' })] } },
    { kind: 5 },
    { kind: '5' },
    { kind: 'c' },
  ],
  [
    {
      not: {
        anyOf: [
          { ...node({ const: 'a' }), allOf: [{ properties: { n: { type: 'integer' } } }] },
          node({ const: 'b' }),
        ],
      },
    },
    { kind: 'c', n: '5' },
    { kind: 'c', n: 5 },
    { kind: 'b', n: 5 },
  ],
  // What is no object comes to a group of its own.
  [
    { anyOf: [{ minLength: 2, properties: { kind: { const: 'a' } } }, node({ const: 'b' })] },
    'a',
    'aa',
    { kind: 'a' },
    { kind: 'b' },
    { kind: 'c' },
  ],
  [
    { anyOf: [node({ const: 'a' }), { ...node({ const: 'b' }), minProperties: 2 }] },
    { kind: 'a' },
    { kind: 'b' },
    { kind: 'b', n: 1 },
  ],
  [
    {
      definitions: { a: node({ const: 'a' }), b: node({ const: 'b' }) },
      anyOf: [{ $ref: '#/definitions/a' }, { $ref: '#/definitions/b' }],
    },
    { kind: 'a' },
    { kind: 'b' },
    { kind: 'c' },
    {},
    5,
  ],
  [
    { definitions: { a: { enum: ['x'] } }, anyOf: [node({ const: 'a' }), { $ref: '#/definitions/a' }] },
    { kind: 'a' },
    { kind: 'b' },
    'x',
    'y',
  ],
  [{ anyOf: [node({ const: 'a' }), {}] }, { kind: 'a' }, { kind: 'b' }, 5],
  [{ anyOf: [node({ const: 'a', default: 'a' }), node({ const: 'b' })] }, { kind: 'b' }, { kind: 'c' }, {}],
  [
    { oneOf: [node({ const: 'a' }), node({ const: 'a' }), node({ const: 'b' })] },
    { kind: 'a' },
    { kind: 'b' },
  ],
  [{ anyOf: [node({ const: 'a' })] }, { kind: 'a' }, { kind: 'b' }],
  [
    { not: { anyOf: [node({ type: 'integer', const: 5 }), node({ const: 'b' })] } },
    { kind: '5' },
    { kind: 5 },
    { kind: 'a' },
    { kind: 'b' },
    {},
  ],
  [
    { anyOf: [{ type: 'object', properties: {}, additionalProperties: false }, node({ const: 'a' })] },
    {},
    { kind: 'a' },
    { kind: 'b' },
    5,
  ],
]

const REFERENCES: readonly Case[] = [
  [
    {
      definitions: { text: { type: 'string', maxLength: 2 }, again: { $ref: '#/definitions/text' } },
      allOf: [{ $ref: '#/definitions/again' }, { minLength: 1 }],
    },
    '',
    'a',
    'abc',
  ],
  [
    {
      definitions: { n: { minimum: 3 } },
      allOf: [{ $ref: '#/definitions/n' }],
      not: { allOf: [{ $ref: '#/definitions/n' }, { maximum: 5 }] },
    },
    2,
    4,
    6,
  ],
  [
    {
      definitions: { object: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
      type: 'object',
      properties: { x: { $ref: '#/definitions/object' }, y: { $ref: '#/definitions/object' } },
    },
    { x: { a: '1' }, y: { a: '2' } },
    { x: { a: 1 }, y: {} },
    { y: { a: 'x' } },
  ],
  [
    { definitions: { n: { type: 'integer' } }, type: 'array', items: { $ref: '#/definitions/n' } },
    [1, '2'],
    ['x'],
  ],
  [
    {
      definitions: { n: { type: 'integer' } },
      properties: { a: { $ref: '#/definitions/n' }, b: { $ref: '#/definitions/n' } },
    },
    { a: '1', b: '2' },
    { a: 1, b: 'x' },
  ],
  [
    { type: 'object', properties: { next: { $ref: '#' }, n: { type: 'integer' } } },
    { n: '1', next: { n: '2', next: {} } },
    { next: { next: { n: 'x' } } },
  ],
  [
    { definitions: { n: { type: 'integer' } }, anyOf: [{ $ref: '#/definitions/n' }, { type: 'boolean' }] },
    1,
    true,
    '1',
    'x',
  ],
  [{ type: 'array', items: { anyOf: [{ type: 'boolean' }, { $ref: '#' }] } }, [], [true, [false]], [[[5]]]],
]

/** The same schema for the items of a list. */
function inList([schema, ...values]: Case): Case {
  return [{ type: 'array', items: schema }, ...values.map((value) => [value])]
}

/** The same schema for a property. */
function inObject([schema, ...values]: Case): Case {
  return [{ type: 'object', properties: { a: schema } }, ...values.map((value) => ({ a: value }))]
}

/** Cases of 2020-12. */
export const LATER_CASES: Readonly<Record<string, readonly Case[]>> = { 'what only 2020-12 has': COUNTED }

/** All cases of draft-07, by what they are about. */
export const CASES: Readonly<Record<string, readonly Case[]>> = {
  numbers: NUMBERS,
  'numbers in lists': NUMBERS.map(inList),
  'numbers in objects': NUMBERS.map(inObject),
  texts: TEXTS,
  'texts in lists': TEXTS.map(inList),
  'texts in objects': TEXTS.map(inObject),
  lists: LISTS,
  objects: OBJECTS,
  unions: UNIONS,
  references: REFERENCES,
}

/** The values of a case, and each of them in a list. */
export function valuesOf([, ...values]: Case): unknown[] {
  return [...values, ...values.map((value) => [value])]
}

/** What became of a value: whether it fits, and the value afterwards. */
export function outcome(
  run: (data: unknown, holder: { value: unknown }) => unknown,
  value: unknown,
): readonly [fits: boolean, data: unknown] {
  const holder = structuredClone({ value })
  return [run(holder.value, holder) === true, holder.value]
}
