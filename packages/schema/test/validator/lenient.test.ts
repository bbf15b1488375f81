// Options that define keywords and formats, or turn Ajv's strict mode off: where a schema does not need Ajv, our own code
// does what Ajv does, without loading it.
import type { Options } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../../src/index.ts'
import type { SchemaEngineOptions } from '../../src/options.ts'
import { randomRoot, randomValue, sharedSchemas, type Tree } from '../walk/random-schemas.ts'
import { Random } from './random.ts'

/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const ROUNDS = 12
const SCHEMAS = 20
const VALUES = 8

/** Keywords that decide nothing without strict mode, or with the options below. */
const DECORATIONS: readonly Tree[] = [
  { kind: 'String' },
  { modifier: { type: 'nowhere' } },
  { format: 'free' },
  { default: 1 },
  { then: { type: 'integer' } },
  { if: { type: 'string' } },
  { else: false },
  { additionalItems: false },
  { nullable: true },
  { type: 'null', nullable: false },
  { enum: [] },
  { required: ['a', 'a'] },
]

/** Adds decorations to some of the schemas in a schema. */
function decorated(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => decorated(random, item))
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decorated(random, item)]))
  return 'type' in copy && random.chance(0.3) ? { ...random.pick(DECORATIONS), ...copy } : copy
}

/**
 * Our own code refuses a schema that applies itself to a value again; Ajv overflows the stack, now or later. With
 * `onCreate`, only Ajv resolves references.
 */
const INTENDED = /comes back to itself|call stack|leads nowhere/

/** Returns undefined where a function throws. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Makes what compiles schemas; with `onCreate`, Ajv decides about all of them. */
function compilerOf(
  shared: readonly object[],
  options: SchemaEngineOptions,
): (schema: unknown) => ValidateFunction | string {
  const engine = createSchemaEngine(options)
  const store = engine.createStore()
  for (const schema of shared) store.add(schema)
  return (schema) => {
    try {
      return engine.compileValidator({ schema, httpPart: 'body', store })
    } catch (error) {
      return String(error)
    }
  }
}

/** What a validator makes of a value; undefined where Ajv throws, or a schema wraps its value without an end. */
function verdictOf(validate: ValidateFunction, text: string): string | undefined {
  const holder = { value: JSON.parse(text) as unknown }
  const verdict = attempt(() => {
    const valid = validate(holder.value, holder)
    return JSON.stringify({ valid, data: holder.value, errors: validate.errors ?? null })
  })
  return verdict?.includes('"keyword":"nesting"') === true ? undefined : verdict
}

/** What an engine without code, and Ajv, make of random schemas and values. */
function compare(random: Random, customOptions: Options): { count: number; found: string[] } {
  const found: string[] = []
  let count = 0
  for (let round = 0; round < ROUNDS; round++) {
    const shared = sharedSchemas(random)
    const own = compilerOf(shared, { codeGeneration: 'never', ajv: { customOptions } })
    const byAjv = compilerOf(shared, { ajv: { customOptions, onCreate: () => {} } })
    for (let each = 0; each < SCHEMAS; each++) {
      const drawn = randomRoot(random)
      const schema = decorated(random, drawn)
      const validate = own(schema)
      const reference = byAjv(schema)
      if (typeof reference === 'string' || typeof validate === 'string') {
        const reasons = [validate, reference].filter((one) => typeof one === 'string')
        if (reasons.length === 1 && !INTENDED.test(reasons.join()))
          found.push(`${JSON.stringify(schema)}\nis usable for one of them: ${reasons.join()}`)
        continue
      }
      for (let value = 0; value < VALUES; value++) {
        const text = JSON.stringify(randomValue(random, drawn, shared))
        const expected = verdictOf(reference, text)
        const ours = verdictOf(validate, text)
        if (expected === undefined || ours === undefined) continue
        count += 1
        if (ours !== expected) found.push(`${JSON.stringify(schema)}\nwith ${text}\n${ours}\n${expected}`)
      }
    }
  }
  return { count, found }
}

describe('without code of Ajv', () => {
  it.each<Options>([
    { strict: false },
    { strict: 'log', keywords: ['kind'], formats: { own: /x/ } },
    { strict: false, allowUnionTypes: true, coerceTypes: false },
  ])('schemas and values are taken as by Ajv: %j', (given) => {
    const { count, found } = compare(new Random(SEED), given)
    expect(found.slice(0, 3), `seed ${SEED}`).toEqual([])
    expect(count).toBeGreaterThan(400)
  })

  it('is not possible for keywords of the other dialect, or of the application', () => {
    const refused = (customOptions: Options, schema: object): string =>
      String(compilerOf([], { codeGeneration: 'never', ajv: { customOptions } })(schema))
    const own: Options = {
      formats: { own: /x/ },
      keywords: [{ keyword: 'even', validate: (_schema: unknown, data: unknown) => Number(data) % 2 === 0 }],
    }
    expect(refused({ strict: false }, { prefixItems: [] })).toContain(
      'the keyword "prefixItems", it generates',
    )
    expect(refused(own, { properties: { a: { even: true } } })).toMatch(
      /at \/properties\/a: .*keyword "even"/,
    )
    expect(refused({ strict: false, ...own }, { type: 'string', format: 'own' })).toContain(
      'the format "own"',
    )
    const validate = compilerOf([], { ajv: { customOptions: own } })({ type: 'integer', even: true })
    expect(typeof validate !== 'string' && [verdictOf(validate, '2'), verdictOf(validate, '3')]).toEqual([
      expect.stringContaining('"valid":true'),
      expect.stringContaining('"keyword":"even"'),
    ])
  })

  it('may be no defaults: then none is refused because its place ignores it', () => {
    const inBranch = {
      type: 'object',
      anyOf: [{ properties: { a: { type: 'string', default: 'x' } } }, { maxProperties: 1 }],
    }
    const atRoot = { type: 'string', default: 'x' }
    const compile = compilerOf([], { ajv: { customOptions: { useDefaults: false } } })
    const verdicts = [inBranch, atRoot].map((schema) => {
      const validate = compile(schema)
      return typeof validate === 'string' ? validate : verdictOf(validate, schema === atRoot ? '"y"' : '{}')
    })
    expect(verdicts).toEqual([
      expect.stringContaining('"valid":true'),
      expect.stringContaining('"valid":true'),
    ])
    const filling = compilerOf([], {})
    expect(filling(inBranch)).toContain('"default" is ignored inside anyOf')
    expect(filling(atRoot)).toContain('is ignored at the root')
  })

  it('is checked with the strict rules that the options leave', () => {
    const compile = compilerOf([], {
      codeGeneration: 'never',
      ajv: { customOptions: { keywords: ['kind'], formats: { free: true }, allowMatchingProperties: true } },
    })
    const overlapping = {
      properties: { ab: { type: 'string' } },
      patternProperties: { '^a': { minLength: 1 } },
    }
    expect(typeof compile({ type: 'object', kind: 'Object', ...overlapping })).toBe('function')
    expect(typeof compile({ type: 'string', format: 'free' })).toBe('function')
    expect(compile({ type: 'string', knid: 1 })).toContain('"knid" is no keyword')
    expect(compile({ type: 'string', format: 'fre' })).toContain('unknown format "fre"')
  })
})
