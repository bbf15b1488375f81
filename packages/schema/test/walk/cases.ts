import type { Case } from '../validator/cases.ts'

const ANNOTATED: readonly Case[] = [
  [{ type: 'integer', nullable: true }, null, 1, 'x', '', '5'],
  [{ type: 'string', nullable: true, enum: ['a', null] }, null, 'a', 'b'],
  [{ nullable: true, type: ['integer'] }, null, 'x'],
  [{ type: ['integer', 'boolean', 'object'] }, 1, true, {}, 'x', [], '5', 'true'],
]

const LISTS: readonly Case[] = [
  [{ items: false, minItems: 1 }, [], [1]],
  [{ items: [{ type: 'integer' }, false] }, [], [1], [1, 2], ['x']],
  [{ items: [true], additionalItems: { minimum: 3 } }, [1], [1, 2], [1, 3, 2]],
  [{ items: { items: { type: 'integer' } } }, [[1]], [['x']], ['x']],
  [{ properties: { a: { items: { type: 'integer' } } } }, { a: [1] }, { a: ['x'] }, { a: 'x' }],
  [{ contains: false }, [], [1], 5],
  [{ contains: true }, [], [1]],
  [{ contains: { minimum: 3 }, items: { type: 'integer' } }, [1], [3], ['x', 3], ['4']],
  [{ uniqueItems: true, items: { type: 'integer' } }, [1, 1], [1, 2], [1, '1']],
  [{ uniqueItems: true, items: { type: ['integer', 'string'] } }, [1, 1], [1, '1'], ['a', 'a']],
  [{ uniqueItems: true, items: { type: 'object' } }, [{ a: 1 }, { a: 1 }], [{ a: 1 }, { a: 2 }]],
  [{ uniqueItems: true }, [[1], [1]], [1, 2, 1, 2], ['a', 'b'], [null, null]],
]

const OBJECTS: readonly Case[] = [
  [{ propertyNames: false }, {}, { a: 1 }, 5],
  [{ propertyNames: { enum: ['a', 'b'] }, minProperties: 1 }, {}, { a: 1 }, { c: 1 }],
  [{ properties: { a: false, b: true } }, {}, { a: 1 }, { b: 1 }],
  [
    { patternProperties: { '^a': { type: 'integer' }, b$: { minimum: 3 } } },
    { ab: 2 },
    { ab: 3 },
    { a: 'x' },
    { cb: 1 },
  ],
  [{ patternProperties: { '^a': false } }, {}, { a: 1 }, { b: 1 }],
  [{ additionalProperties: { type: 'integer' }, properties: { a: {} } }, { a: 'x', b: 'x' }, { b: '5' }],
  [
    { dependencies: { a: ['b'], c: ['d', 'e'], f: [] } },
    { a: 1 },
    { c: 1, d: 1 },
    { c: 1 },
    { f: 1 },
    { a: 1, b: 1 },
  ],
  [
    { dependencies: { a: false, b: { minProperties: 2 }, c: true } },
    { a: 1 },
    { b: 1 },
    { b: 1, c: 1 },
    { c: 1 },
  ],
  [{ dependencies: { a: [], b: true }, minProperties: 1 }, {}, { a: 1 }, { b: 1 }],
  // Every object inherits a value of that name.
  [{ dependencies: { ['__proto__']: ['b'], a: ['c'] } }, {}, { a: 1 }, { a: 1, c: 1 }],
  [{ required: ['a', 'b', 'c'] }, {}, { a: 1 }, { a: 1, c: 1 }, { a: 1, b: 1, c: 1 }],
  [
    {
      type: 'object',
      required: ['a'],
      properties: { a: { default: 1 }, b: { default: {} } },
      maxProperties: 1,
    },
    {},
    { b: 1 },
  ],
  [
    { type: 'object', properties: { a: { default: 1 }, b: {} }, maxProperties: 1 },
    {},
    { b: 1 },
    { a: 1 },
    { a: 1, b: 1 },
  ],
  [
    { type: 'object', properties: { a: { default: 1 }, b: {} }, minProperties: 2 },
    {},
    { b: 1 },
    { a: 1 },
    { c: 1, d: 1 },
  ],
  [
    {
      type: 'object',
      properties: { o: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
    },
    { o: {} },
    { o: { a: 'x' } },
    { o: { a: '1' } },
    { o: 5 },
  ],
  [
    { type: 'object', properties: { 'a/b': { type: 'integer' }, 'c~d': { required: ["it's"] } } },
    { 'a/b': 'x' },
    { 'c~d': {} },
  ],
]

const COMBINED: readonly Case[] = [
  [{ not: {} }, 1],
  [{ not: false }, 1, { not: 1 }],
  [{ not: { not: { type: 'integer' } } }, 1, 'x'],
  [{ not: { contains: { type: 'integer' } } }, [], [1], ['1'], ['x', '1'], ['x']],
  // Ajv goes by the verdict on the list before.
  [{ items: { oneOf: [{ contains: { const: 1 } }, { maxItems: 0 }] } }, [[1], []], [[], [1]], [[2]]],
  [{ items: { not: { contains: { const: 1 }, uniqueItems: true } } }, [[1, 1], []], [[], [1, 1]], [[1]]],
  [{ allOf: [true, { minimum: 3 }, { maximum: 5 }] }, 2, 4, 6, 'x'],
  [{ allOf: [{ properties: { a: { type: 'integer' } } }, { required: ['a'] }] }, {}, { a: 'x' }, { a: '1' }],
  [{ anyOf: [false, { minimum: 3 }] }, 2, 3],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }, { type: 'string' }] }, {}, { a: 1 }, { b: 1 }, 5],
  [{ oneOf: [{ minimum: 3 }, { multipleOf: 2 }, { type: 'string' }] }, 1, 2, 3, 4, 'x'],
  [
    {
      oneOf: [
        { properties: { a: { type: 'integer' } }, required: ['a'] },
        { type: 'array', items: { type: 'integer' } },
      ],
    },
    {},
    { a: '1' },
    ['1'],
    ['x'],
    5,
  ],
  [{ if: { type: 'integer' }, then: { minimum: 3 }, else: { minLength: 2 } }, 2, 3, 'a', 'ab'],
  [{ if: false, else: { minimum: 3 } }, 2, 3],
  [{ if: true, then: { minimum: 3 } }, 2, 3],
  [{ enum: [{ a: 1 }, [1], 'x', 5] }, { a: 1 }, { a: 2 }, [1], [2], 'x', 'y', 5],
  [{ const: { a: [1] } }, { a: [1] }, { a: [2] }, 5],
  [{ const: [] }, [], [1], {}],
]

const REMOVED: readonly Case[] = [
  [
    { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false, minProperties: 1 },
    { b: 1 },
    { a: 1, b: 1 },
    {},
  ],
  [
    {
      anyOf: [
        { type: 'object', properties: { a: {} }, additionalProperties: false, required: ['a'] },
        { type: 'object', properties: { b: {} }, required: ['b'] },
      ],
    },
    { b: 1 },
    { a: 1, b: 1 },
    { c: 1 },
  ],
  [
    { allOf: [{ type: 'object', properties: { a: {} }, additionalProperties: false }], required: ['b'] },
    { a: 1, b: 1 },
    { b: 1 },
    {},
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'object', additionalProperties: false, properties: {} } },
      required: ['b'],
    },
    { a: { x: 1 } },
    { a: { x: 1 }, b: 1 },
  ],
  [
    { type: 'object', properties: { a: {} }, additionalProperties: false, dependencies: { a: ['b'] } },
    {},
    { a: 1 },
    { a: 1, b: 1 },
    { b: 1 },
  ],
  // Properties are counted before they are removed.
  [
    {
      type: 'object',
      properties: { a: {} },
      additionalProperties: false,
      minProperties: 2,
      maxProperties: 2,
    },
    { a: 1 },
    { a: 1, b: 1 },
    { a: 1, b: 1, c: 1 },
    { b: 1, c: 1 },
  ],
]

/** Ajv overlooks a missing property whose name is empty, except in a loop or where it collects all errors. */
const EMPTY_NAMES: readonly Case[] = [
  [{ required: [''] }, {}, { '': 1 }, 5],
  [{ required: ['', 'a'] }, {}, { '': 1 }, { a: 1 }, { '': 1, a: 1 }],
  [{ required: ['a', 'b', ''] }, { a: 1, b: 1 }, { a: 1, '': 1 }, { a: 1, b: 1, '': 1 }],
  [{ properties: { '': {}, a: {} }, required: ['', 'a'] }, {}, { '': 1 }, { a: 1 }, { '': 1, a: 1 }],
  [{ dependencies: { a: [''] }, minProperties: 2 }, { a: 1 }, { a: 1, b: 1 }, { a: 1, '': 1 }],
  [{ dependencies: { a: ['b', ''] } }, { a: 1 }, { a: 1, b: 1 }, { a: 1, '': 1 }, { a: 1, b: 1, '': 1 }],
  [{ dependencies: { a: { required: [''] } }, minProperties: 2 }, { a: 1 }, { a: 1, b: 1 }],
  [{ required: [], minProperties: 1 }, {}, { a: 1 }],
  [{ not: { required: [''] } }, {}, { '': 1 }, { a: 1 }],
  [{ not: { required: ['a', ''] } }, {}, { a: 1 }, { a: 1, '': 1 }],
  [{ not: { dependencies: { a: [''] } } }, {}, { a: 1 }, { a: 1, '': 1 }],
]

/** Cases whose values acceptors refuse, or leave to the decider. */
export const REFUSED_CASES: Readonly<Record<string, readonly Case[]>> = {
  'annotated schemas': ANNOTATED,
  'refused lists': LISTS,
  'refused objects': OBJECTS,
  'combined schemas': COMBINED,
  'removed properties': REMOVED,
  'empty names': EMPTY_NAMES,
}
