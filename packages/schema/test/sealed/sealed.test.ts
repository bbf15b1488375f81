import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Ahead } from '../../src/ahead/ahead.ts'
import { TableRecorder } from '../../src/ahead/table-recorder.ts'
import { createBuiltEngine } from '../../src/engine.ts'
import type { SchemaEngine, SchemaEngineOptions } from '../../src/index.ts'
import { createSealedEngine } from '../../src/sealed/engine.ts'
import type { SealedTable } from '../../src/sealed/table.ts'
import { OPTIONS, SHARED_REFS, sharedSchemas, targetOf } from '../validator/random-context.ts'
import { Random, randomSchema, valueFor } from '../validator/random.ts'

const MODULES = path.resolve(import.meta.dirname, '../../src')
const SEED = Number(process.env['CLOISTER_SEED'] ?? 20261129)
const SCHEMAS = Number(process.env['CLOISTER_SCHEMAS'] ?? 60)
const VALUES_PER_SCHEMA = 25

async function load(text: string): Promise<SealedTable> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sealed-'))
  try {
    const file = path.join(folder, 'table.mjs')
    writeFileSync(file, `const ROUTES = { 'GET /users': 'app.js:3' }\n${text}`)
    const { SEALED }: { SEALED: SealedTable } = await import(/* @vite-ignore */ file)
    return SEALED
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Compiled {
  readonly validate: ReturnType<SchemaEngine['compileValidator']>
  readonly serialize: ReturnType<SchemaEngine['compileSerializer']>
  readonly isNullable: boolean
}

/** Compiles a schema as both; `null` if it cannot be used. */
function compile(engine: SchemaEngine, schema: unknown, shared: readonly object[]): Compiled | null {
  const store = engine.createStore()
  for (const one of shared) store.add(one)
  try {
    return {
      validate: engine.compileValidator({ schema, httpPart: 'body', store }),
      serialize: engine.compileSerializer({ schema, store }),
      isNullable: engine.allowsNull(schema, store),
    }
  } catch {
    return null
  }
}

interface Sealed {
  readonly unsealed: SchemaEngine
  readonly sealed: SchemaEngine
  readonly table: SealedTable
}

function record(
  schemas: readonly unknown[],
  options: SchemaEngineOptions,
  shared: readonly object[],
): TableRecorder {
  const recorder = new TableRecorder(Infinity)
  const recording = createBuiltEngine(options, new Ahead(recorder.functions, options))
  for (const one of schemas) compile(recording, one, shared)
  return recorder
}

function needsReader(schema: unknown, options: SchemaEngineOptions, shared: readonly object[]): boolean {
  return !record([schema], options, shared).printSealed(MODULES).includes('createReader: null')
}

async function seal(
  schemas: readonly unknown[],
  options: SchemaEngineOptions = {},
  shared: readonly object[] = [],
): Promise<Sealed> {
  const recorder = record(schemas, options, shared)
  expect(recorder.skipped).toEqual([])
  const table = await load(recorder.printSealed(MODULES, '.ts'))
  return {
    unsealed: createBuiltEngine(options, null),
    sealed: createSealedEngine(options, table),
    table,
  }
}

function resultOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return String(error)
  }
}

interface Seen {
  readonly valid: unknown
  readonly errors: unknown
  readonly value: unknown
  readonly text: unknown
}

/** All that a caller can see of a schema's functions for a value. */
function seen({ validate, serialize }: Compiled, value: unknown): Seen {
  const holder = { value: structuredClone(value) }
  const valid = resultOf(() => validate(holder.value, holder))
  return { valid, errors: validate.errors, value: holder.value, text: resultOf(() => serialize(value)) }
}

/** More unions, some of which refuse or convert what no branch has evaluated: Ajv 2020 tries all branches. */
function randomSchema2020(...given: Parameters<typeof randomSchema>): unknown {
  const [random] = given
  const one = randomSchema(...given)
  const schema = random.chance(0.5) ? one : { anyOf: [one, randomSchema(...given)] }
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const isUnion = typeof value === 'object' && value !== null && ('anyOf' in value || 'allOf' in value)
    if (!isUnion || random.chance(0.8)) return value
    return { ...value, unevaluatedProperties: random.pick([false, { type: 'string' }]) }
  })
}

/** The place that cannot be written. */
const placeOf = ({ text }: Seen): string | undefined =>
  /^SerializeError: .* \(at (.*)\)$/s.exec(String(text))?.[1]

/** Expects the same. Which of several faults is met first depends on the form, and so on the version of the engine. */
function expectSame(found: Seen, expected: Seen, message: string): void {
  const [place, other] = [placeOf(found), placeOf(expected)]
  const isOther = place !== undefined && other !== undefined && place !== other
  expect(isOther ? { ...found, text: expected.text } : found, message).toEqual(expected)
}

describe('a sealed engine', () => {
  const settings = OPTIONS.flatMap(([name, customOptions]) =>
    (['draft-07', '2020-12'] as const).map((dialect) => [name, dialect, customOptions] as const),
  )
  it.each(settings)(
    'does what an engine with a compiler does, with %s and %s',
    async (_name, dialect, customOptions) => {
      const options: SchemaEngineOptions = { ajv: { customOptions }, jsonSchemaDialect: dialect }
      const draw = dialect === '2020-12' ? randomSchema2020 : randomSchema
      const random = new Random(SEED)
      const shared = sharedSchemas(random)
      const unsealed = createBuiltEngine(options, null)
      const schemas = Array.from({ length: SCHEMAS }, () => draw(random, 3, SHARED_REFS)).filter(
        (schema) => compile(unsealed, schema, shared) !== null,
      )
      const whole = schemas.filter((one) => !needsReader(one, options, shared))
      expect(whole.length).toBeGreaterThan(SCHEMAS / 3)
      for (const some of [whole, schemas]) {
        const { sealed, table } = await seal(some, options, shared)
        expect(table.createReader === null).toBe(some === whole)
        for (const schema of some) {
          const [one, other] = [compile(unsealed, schema, shared), compile(sealed, schema, shared)]
          if (one === null || other === null) throw new Error(`not sealed: ${JSON.stringify(schema)}`)
          expect(other.isNullable).toBe(one.isNullable)
          for (let count = 0; count < VALUES_PER_SCHEMA; count++) {
            const value: unknown = JSON.parse(JSON.stringify(valueFor(random, schema, targetOf(shared))))
            expectSame(seen(other, value), seen(one, value), JSON.stringify([schema, value]))
          }
        }
      }
    },
  )

  it('refuses names of properties whose type no name has', async () => {
    for (const type of ['integer', 'boolean', 'null', ['number', 'null']]) {
      const schema = { type: 'object', propertyNames: { type } }
      const { sealed, unsealed } = await seal([schema])
      const [one, other] = [compile(unsealed, schema, []), compile(sealed, schema, [])]
      if (one === null || other === null) throw new Error('a schema is missing')
      for (const value of [{ 1: 1 }, { true: 1 }, { '': 1 }, {}])
        expect(seen(other, value)).toEqual(seen(one, value))
    }
  })

  it('is made of schemas that Ajv has not changed while it printed their errors', async () => {
    const schema = { type: 'array', items: { type: ['string', 'number'], nullable: true } }
    const { sealed, unsealed } = await seal([schema])
    const [one, other] = [compile(unsealed, schema, []), compile(sealed, schema, [])]
    if (one === null || other === null) throw new Error('a schema is missing')
    expect(seen(other, [['x']])).toEqual(seen(one, [['x']]))
  })

  it('refuses a schema, a shared schema or settings that the build has not seen, with the place of the route', async () => {
    const user = { type: 'object', properties: { home: { $ref: 'address#' } } }
    const address = { $id: 'address', type: 'object', properties: { city: { type: 'string' } } }
    const { sealed, table } = await seal([user], {}, [address])
    expect(compile(sealed, user, [address])).not.toBeNull()
    expect(compile(sealed, { ...user, required: ['home'] }, [address])).toBeNull()
    expect(compile(sealed, user, [{ ...address, required: ['city'] }])).toBeNull()
    expect(compile(sealed, user, [])).toBeNull()
    expect(compile(createSealedEngine({ integers: 'exact' }, table), user, [address])).toBeNull()
    const input = { schema: { type: 'string' }, httpPart: 'body', store: sealed.createStore() }
    const route = { method: 'GET', url: '/users' }
    expect(() => sealed.compileValidator({ ...input, route })).toThrow(
      'schema of body of route GET /users: this build is sealed, and was made without this schema, whose route is in app.js:3: build again, or with --no-seal',
    )
  })

  it('reads own properties only while Object.prototype is polluted, and holds values of any depth', async () => {
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#' } } },
    }
    const { sealed, unsealed, table } = await seal([tree])
    expect(table.createReader).not.toBeNull()
    let deep: unknown = { name: 'leaf' }
    for (let level = 0; level < 3000; level++) deep = { below: [deep] }
    const [one, other] = [compile(unsealed, tree, []), compile(sealed, tree, [])]
    if (one === null || other === null) throw new Error('a schema is missing')
    expect(resultOf(() => other.serialize(deep))).toBe(resultOf(() => one.serialize(deep)))
    Reflect.defineProperty(Object.prototype, 'name', {
      value: 'polluted',
      configurable: true,
      enumerable: true,
      writable: true,
    })
    const result = resultOf(() => other.serialize({ below: [] }))
    Reflect.deleteProperty(Object.prototype, 'name')
    expect(result).toBe('{"below":[]}')
  })
})
