import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'
import { Random } from './random.ts'

/* Lists of scalars are tested by their leaf, without a look at their own schema, where something else holds them. */

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_123)

const HOLDERS: Readonly<Record<string, (list: object) => object>> = {
  'a property': (list) => ({ type: 'object', properties: { list }, additionalProperties: false }),
  'other properties': (list) => ({ type: 'object', additionalProperties: list }),
  'a list': (list) => ({ type: 'array', items: list }),
  'a branch': (list) => ({ anyOf: [{ type: 'object', required: ['list'] }, list] }),
  'a property of a branch': (list) => ({
    oneOf: [{ type: 'object', properties: { list }, required: ['list'] }, { type: 'boolean' }],
  }),
}

const ITEMS: readonly object[] = [
  { type: 'string' },
  { type: 'string', minLength: 1, maxLength: 2 },
  { type: 'integer', minimum: 1 },
  { type: 'number', maximum: 2 },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { enum: ['a', 'b', 1] },
  { type: 'array', items: { type: 'integer' } },
  {},
]

function randomList(random: Random): object {
  return {
    type: random.chance(0.2) ? ['array', 'null'] : 'array',
    ...(random.chance(0.85) ? { items: random.pick(ITEMS) } : {}),
    ...(random.chance(0.4) ? { minItems: random.below(3) } : {}),
    ...(random.chance(0.4) ? { maxItems: 1 + random.below(2) } : {}),
    ...(random.chance(0.1) ? { uniqueItems: true } : {}),
    ...(random.chance(0.1) ? { enum: [['a'], [1, 1]] } : {}),
  }
}

const SCALARS = ['a', 'b', '', 'abc', '1', 1, 2, 0, 1.5, true, null, {}]

function randomValue(random: Random): unknown {
  const list = (): unknown[] => Array.from({ length: random.below(4) }, () => random.pick(SCALARS))
  const held = random.chance(0.15) ? random.pick(SCALARS) : list()
  return random.pick<() => unknown>([
    () => ({ list: held }),
    () => [held, list()],
    () => held,
    () => ({ list: held, more: list() }),
  ])()
}

describe.each(Object.entries(HOLDERS))('lists of scalars in %s', (_name, holder) => {
  it.each(['array', false] as const)('are validated as by Ajv, coerceTypes: %s', (coerceTypes) => {
    const random = new Random(SEED)
    const tally = { valid: 0, invalid: 0 }
    const customOptions = { coerceTypes, removeAdditional: false } as const
    // One for all: making it costs more than all that it compiles here.
    const ajv = new Ajv({ ...customOptions, strict: false, strictNumbers: true })
    for (let round = 0; round < 60; round++) {
      const schema = holder(randomList(random))
      const other = ajv.compile(schema)
      const engine = createSchemaEngine({ codeGeneration: 'never', ajv: { customOptions } })
      const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
      for (let turn = 0; turn < 15; turn++) {
        const text = JSON.stringify(randomValue(random))
        const [own, others]: unknown[] = [JSON.parse(text), JSON.parse(text)]
        const words = `seed ${SEED}: ${JSON.stringify(schema)}: ${text}`
        const isValid = other(others)
        expect(validate(own), words).toBe(isValid)
        if (isValid) expect(own, words).toEqual(others)
        else expect(validate.errors, words).toEqual(other.errors)
        tally[isValid ? 'valid' : 'invalid']++
      }
    }
    expect(Math.min(tally.valid, tally.invalid)).toBeGreaterThan(50)
  })
})
