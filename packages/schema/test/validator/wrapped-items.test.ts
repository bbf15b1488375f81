import { Ajv } from 'ajv'
import { describe, expect, it, vi } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'
import { EditLog } from '../../src/walk/look.ts'
import { Random } from './random.ts'

/*
 * Scalars in the place of lists become lists of one item, in several steps in Ajv. Here they become so in one step,
 * where nothing else is asked of the lists.
 */

const NUMBERS = { type: 'array', items: { type: 'number' } }
const NESTED = { type: 'array', items: { type: 'array', items: { type: 'array', items: NUMBERS } } }

const SCHEMAS: Readonly<Record<string, object>> = {
  'lists of numbers': { type: 'array', items: NUMBERS },
  'lists of lists of lists of numbers': NESTED,
  'five levels of integers with limits': {
    type: 'array',
    items: {
      type: 'array',
      items: { ...NESTED, items: { type: 'array', items: { type: 'integer', minimum: 0 } } },
    },
  },
  'lists of texts of at most 3': {
    type: 'array',
    items: { type: 'array', items: { type: 'string', maxLength: 3 } },
  },
  'lists of one of two texts': {
    type: 'array',
    items: { type: 'array', items: { type: 'string', enum: ['a', '5'] } },
  },
  'lists of booleans or nothing': {
    type: 'array',
    items: { type: 'array', items: { type: ['boolean', 'null'] } },
  },
  'lists of one or two items': { type: 'array', items: { ...NUMBERS, minItems: 1, maxItems: 2 } },
  'lists of two items': { type: 'array', items: { ...NUMBERS, minItems: 2 } },
  'lists of at most no item': { type: 'array', items: { ...NUMBERS, maxItems: 0 } },
  'lists that differ': { type: 'array', items: { ...NUMBERS, uniqueItems: true } },
  'lists with something in them': { type: 'array', items: { ...NUMBERS, contains: { minimum: 2 } } },
  'lists that are one of two': { type: 'array', items: { ...NUMBERS, enum: [[1], [2]] } },
  'lists behind a tuple': { type: 'array', items: [{ type: 'integer' }], additionalItems: NUMBERS },
  'lists that begin with a text': { type: 'array', items: { type: 'array', items: [{ type: 'string' }] } },
  'lists of anything': { type: 'array', items: { type: 'array', items: {} } },
  'lists of objects': { type: 'array', items: { type: 'array', items: { type: 'object' } } },
  'lists of what is no text': { type: 'array', items: { type: 'array', items: { not: { type: 'string' } } } },
  'lists or nothing': { type: 'array', items: { ...NUMBERS, type: ['array', 'null'] } },
  'lists or texts': { type: 'array', items: { ...NUMBERS, type: ['string', 'array'] } },
  'lists of objects or texts': {
    type: 'array',
    items: { type: 'array', items: { type: ['object', 'string'] } },
  },
  'lists of lists of differing numbers': {
    type: 'array',
    items: { type: 'array', items: { ...NUMBERS, uniqueItems: true } },
  },
  'lists of numbers behind anything': {
    type: 'array',
    items: { type: 'array', items: [{}], additionalItems: { type: 'number' } },
  },
  'lists behind references': {
    type: 'array',
    items: { $ref: '#/definitions/list' },
    definitions: { list: NUMBERS },
  },
  'lists in an object': { type: 'object', additionalProperties: { type: 'array', items: NUMBERS } },
}

const SCALARS = [0, 1, 2, -1, 1.5, '5', '1.5', 'a', 'abcd', '', 'true', 'Infinity', true, false, null]

function randomItem(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.7)) return random.pick(SCALARS)
  if (random.chance(0.05)) return { a: random.pick(SCALARS) }
  return Array.from({ length: random.below(4) }, () => randomItem(random, depth - 1))
}

function randomList(random: Random): unknown[] {
  // Runs of items of which the same becomes are noted together.
  const isUniform = random.chance(0.6)
  return Array.from({ length: random.below(8) }, () => (isUniform ? random.below(6) : randomItem(random, 3)))
}

describe.each(Object.entries(SCHEMAS))('%s', (_name, schema) => {
  it.each(['never', 'always'] as const)('are coerced as by Ajv, codeGeneration: %s', (codeGeneration) => {
    const random = new Random(Math.floor(Math.random() * 2 ** 31))
    const ajv = new Ajv({ coerceTypes: 'array', strict: false, strictNumbers: true }).compile(schema)
    const engine = createSchemaEngine({ codeGeneration })
    const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
    for (let round = 0; round < 400; round++) {
      const list = randomList(random)
      const value = random.chance(0.2) ? { a: list, b: 1 } : list
      const text = JSON.stringify(value)
      if (text.includes('Infinity')) continue
      const [own, other]: unknown[] = [JSON.parse(text), JSON.parse(text)]
      expect(validate(own), text).toBe(ajv(other))
      expect(own, text).toEqual(other)
      expect(validate.errors, text).toEqual(ajv.errors)
    }
  })
})

/** Validates a list, and counts the edits that are noted. */
function countEdits(schema: object, list: unknown[]): { readonly isValid: unknown; readonly edits: number } {
  const noted = vi.spyOn(EditLog.prototype, 'push')
  const engine = createSchemaEngine({ codeGeneration: 'never' })
  const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
  const isValid = validate(list)
  const edits = noted.mock.calls.length
  noted.mockRestore()
  return { isValid, edits }
}

const NUMBERED = Array.from({ length: 1000 }, (_, index) => index)

describe('a list of scalars in the place of lists in lists', () => {
  it.each([
    ['', true, []],
    [', also where the last item is refused', false, [{}]],
  ])('gets no edit noted for an item%s', (_where, isValid, last) => {
    const list: unknown[] = [...NUMBERED, ...last]
    expect(countEdits(NESTED, list)).toEqual({ isValid, edits: 0 })
    expect(list[999]).toEqual([[[999]]])
  })

  it.each([
    ['that may have one item', { minItems: 1, maxItems: 2 }],
    ['with keywords for other values', { minimum: 1, minLength: 1, minProperties: 1 }],
  ])('gets no edit noted for lists %s', (_which, keywords) => {
    const list: unknown[] = [...NUMBERED]
    const schema = { type: 'array', items: { ...NUMBERS, ...keywords } }
    expect(countEdits(schema, list)).toEqual({ isValid: true, edits: 0 })
    expect(list[999]).toEqual([999])
  })

  it('gets one edit noted for an item that is coerced', () => {
    const list: unknown[] = NUMBERED.map(String)
    expect(countEdits(NESTED, list)).toEqual({ isValid: true, edits: 1000 })
    expect(list[999]).toEqual([[[999]]])
  })
})

describe('a value that is not JSON', () => {
  it.each([
    ['of any length', { minLength: 2 }],
    ['of numbers', { type: 'number' }],
    ['of objects or texts', { type: ['object', 'string'] }],
  ])('becomes no list %s', (_which, items) => {
    const schema = { type: 'array', items: { type: 'array', items } }
    const ajv = new Ajv({ coerceTypes: 'array', strict: false }).compile(schema)
    for (const codeGeneration of ['never', 'always'] as const) {
      const engine = createSchemaEngine({ codeGeneration })
      const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
      for (const value of [undefined, 5n, Symbol('s'), () => {}]) {
        const [own, other] = [[value], [value]]
        expect(validate(own)).toBe(ajv(other))
        expect(own).toEqual(other)
        expect(validate.errors).toEqual(ajv.errors)
      }
    }
  })
})
