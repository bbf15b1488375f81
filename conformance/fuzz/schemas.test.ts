// Schemas: validators have the verdicts, values and errors of Ajv, and serializers write what JSON.stringify writes of
// the part of a value that its schema declares.
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../packages/schema/src/index.ts'
import type { ValidateFunction } from '../../packages/schema/src/index.ts'
import { createSerializer } from '../../packages/schema/src/serializer/index.ts'
import { refuseInfinities } from '../../packages/schema/src/validator/ajv/finite.ts'
import { growthOf } from '../../packages/schema/test/growth.ts'
import { sample } from '../../packages/schema/test/serializer/arbitraries.ts'
import { projection } from '../../packages/schema/test/serializer/reference.ts'
import { Random, randomSchema, valueFor } from '../../packages/schema/test/validator/random.ts'
import { isPeer } from '../harness/subject.ts'
import { corpus, fuzz } from './fuzz.ts'

/** A schema and a value, as JSON text. */
interface Case {
  readonly schema: unknown
  readonly value: unknown
}

function parseCase(text: string): Case | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    return 'schema' in parsed && 'value' in parsed ? parsed : undefined
  } catch {
    return undefined
  }
}

function asSchema(value: unknown): boolean | Record<string, unknown> {
  return typeof value === 'boolean' ? value : Object(value)
}

/** A validator of the framework; undefined for a schema that it refuses. */
function compile(schema: unknown): ValidateFunction | undefined {
  const engine = createSchemaEngine()
  try {
    return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
  } catch {
    return undefined
  }
}

const noReferences = (): never => {
  throw new Error('these schemas have no references')
}

const randomCase = fc.integer({ min: 0, max: 2 ** 31 }).map((seed) => {
  const random = new Random(seed)
  const schema = randomSchema(random, 3)
  return JSON.stringify({ schema, value: valueFor(random, schema, noReferences) })
})

/** Each run compiles with Ajv, which takes milliseconds. */
const DAILY_RUNS = 100

describe.skipIf(isPeer)('fuzz: validators', () => {
  const check = (text: string): void => {
    const given = parseCase(text)
    const validate = given === undefined ? undefined : compile(given.schema)
    if (given === undefined || validate === undefined) return
    const ajv = new Ajv({
      coerceTypes: 'array',
      useDefaults: true,
      removeAdditional: true,
      strict: false,
      strictNumbers: true,
    })
    addFormats.default(ajv)
    // The one rule of numbers beside Ajv's own: texts are not coerced to infinities.
    refuseInfinities(ajv, false)
    const reference = ajv.compile(asSchema(given.schema))
    const own: { value: unknown } = structuredClone({ value: given.value })
    const theirs: { value: unknown } = structuredClone({ value: given.value })
    let isValid: unknown
    try {
      isValid = reference(theirs.value)
    } catch (error) {
      // Ajv fails where it would coerce the name of a property; ours has a verdict there.
      expect([text, String(error)]).toEqual([text, 'TypeError: Assignment to constant variable.'])
      expect(validate(own.value)).toBeTypeOf('boolean')
      return
    }
    const wanted = [isValid, theirs.value, reference.errors ?? null]
    expect([text, validate(own.value), own.value, validate.errors ?? null]).toEqual([text, ...wanted])
  }
  fuzz('validator', 'have the verdict, the value and the errors of Ajv', randomCase, check, DAILY_RUNS)

  it.each(corpus('validator'))('take time in proportion to the size of a list: %s', (text) => {
    const given = parseCase(text)
    const validate = compile({ type: 'array', items: given?.schema })
    if (given === undefined || validate === undefined)
      throw new Error(`${text} must have a schema and a value`)
    const run = (length: number): unknown => validate(structuredClone(Array(length).fill(given.value)))
    expect(growthOf(run, 2000, 4)).toBeLessThan(1.6)
  })
})

describe.skipIf(isPeer)('fuzz: serializers', () => {
  const randomPair = sample(3).chain(({ schema, value }) =>
    value.map((one) => JSON.stringify({ schema, value: one })),
  )

  fuzz('serializer', 'write the part of a value that its schema declares', randomPair, (text) => {
    const given = parseCase(text)
    if (given === undefined) return
    const { schema, value } = given
    for (const mode of ['strict', 'compat'] as const) {
      const expected: unknown = JSON.parse(JSON.stringify(projection(asSchema(schema), value, mode)))
      for (const backEnd of ['concat', 'project'] as const) {
        const written: unknown = JSON.parse(createSerializer(schema, { mode, backEnd })(value))
        expect([text, mode, backEnd, written]).toEqual([text, mode, backEnd, expected])
      }
    }
  })

  it.each(corpus('serializer'))('take time in proportion to the size of a list: %s', (text) => {
    const given = parseCase(text)
    if (given === undefined) throw new Error(`${text} must have a schema and a value`)
    const serialize = createSerializer({ type: 'array', items: given.schema }, { mode: 'strict' })
    expect(growthOf((length) => serialize(Array(length).fill(given.value)), 2000, 4)).toBeLessThan(1.6)
  })
})
