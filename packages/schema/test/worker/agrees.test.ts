import path from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../../../scripts/lib/build.mjs'
import { repository } from '../../../../scripts/lib/run.mjs'
import * as onNode from '../../src/index.ts'
import { runs, sample } from '../serializer/arbitraries.ts'
import { Random } from '../validator/random.ts'
import { randomRoot, randomValue, sharedSchemas } from '../walk/random-schemas.ts'

/*
 * The build for workers leaves out what generates code. What is left decides, changes and
 * writes as the sources do without code.
 */

type Package = typeof onNode

const SEED = Number(process.env['CLOISTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const SCHEMAS = 150
const VALUES = 6

let inWorker: Package
beforeAll(async () => {
  await build()
  const load = (file: string): Promise<Package> =>
    import(pathToFileURL(path.join(repository, 'packages/schema/dist/worker-bundle', file)).href)
  inWorker = await load('index.js')
  for (const feature of ['expressions', 'formats', 'keywords', 'unions']) await load(`features/${feature}.js`)
}, 300_000)

type Ajv = NonNullable<Parameters<Package['createSchemaEngine']>[0]>['ajv']

/** Compiles a schema that may refer to others; returns what each text becomes. */
function validatorOf(
  own: Package,
  ajv: Ajv,
  shared: readonly object[],
  schema: unknown,
): (text: string) => unknown {
  const engine = own.createSchemaEngine({ codeGeneration: 'never', ...(ajv === undefined ? {} : { ajv }) })
  const store = engine.createStore()
  for (const one of shared) store.add(one)
  const validate = engine.compileValidator({ schema, httpPart: 'body', store })
  return (text: string): unknown => {
    const data = JSON.parse(text)
    const holder = { value: data }
    const isValid = validate(data, holder)
    return { isValid, holder, errors: validate.errors ?? null }
  }
}

function serializerOf(
  own: Package,
  schema: unknown,
  serialization: 'compat' | 'strict',
): (value: unknown) => string {
  const engine = own.createSchemaEngine({ codeGeneration: 'never' })
  return engine.compileSerializer({ schema, store: engine.createStore(), serialization })
}

/** The result, or the message of the error, without what only the sources can say. */
function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error instanceof Error ? `error: ${error.message}` : error
  }
}

function parsed(text: unknown): unknown {
  return typeof text === 'string' && !text.startsWith('error: ') ? JSON.parse(text) : text
}

describe('the build for workers', { timeout: 300_000 }, () => {
  it.each([
    ['the baseline', undefined],
    ['all errors', { customOptions: { allErrors: true } }],
    [
      'nothing changed',
      { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } },
    ],
  ] satisfies [string, Ajv][])('validates as the sources do: %s', (_name, ajv) => {
    const random = new Random(SEED)
    const counts = { valid: 0, refused: 0 }
    for (let index = 0; index < SCHEMAS; index++) {
      const shared = sharedSchemas(random)
      const schema = randomRoot(random)
      const texts = Array.from({ length: VALUES }, () => JSON.stringify(randomValue(random, schema, shared)))
      const all = (own: Package): unknown => {
        const judge = validatorOf(own, ajv, shared, schema)
        return texts.map((text) => outcome(() => judge(text)))
      }
      const expected = outcome(() => all(onNode))
      const seen = `CLOISTER_SEED=${SEED} ${JSON.stringify(schema)}`
      const needsAjv = typeof expected === 'string' && expected.includes('only Ajv')
      if (!needsAjv)
        expect(
          outcome(() => all(inWorker)),
          seen,
        ).toEqual(expected)
      counts.valid += JSON.stringify(expected).includes('"isValid":true') ? 1 : 0
      counts.refused += JSON.stringify(expected).includes('"isValid":false') ? 1 : 0
    }
    expect([counts.valid > 20, counts.refused > 20]).toEqual([true, true])
  })

  it.each(['compat', 'strict'] as const)('serializes as the sources do: %s', (mode) => {
    const anything = fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true })
    fc.assert(
      fc.property(
        sample(3).chain(({ schema, value }) => fc.tuple(fc.constant(schema), fc.oneof(value, anything))),
        ([schema, value]) => {
          const of = (own: Package): unknown => outcome(() => serializerOf(own, schema, mode)(value))
          const [own, expected] = [of(inWorker), of(onNode)]
          // Where a copy is written, it is the last fault that is met.
          if (String(expected).startsWith('error: a bigint without a schema')) expect(own).toMatch(/^error: /)
          // Which properties come first depends on the version of the engine, which workers do not tell.
          else expect(parsed(own)).toEqual(parsed(expected))
        },
      ),
      { numRuns: runs(200) },
    )
  })
})
