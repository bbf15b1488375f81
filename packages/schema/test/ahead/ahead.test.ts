import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ahead } from '../../src/ahead/ahead.ts'
import { TableRecorder } from '../../src/ahead/table-recorder.ts'
import { createBuiltEngine } from '../../src/engine.ts'
import type { SchemaEngine, SchemaEngineOptions } from '../../src/index.ts'
import { sample } from '../serializer/arbitraries.ts'

const MODULES = path.resolve(import.meta.dirname, '../../src')

type CreateAhead = (options: SchemaEngineOptions) => Ahead

async function load(text: string): Promise<CreateAhead> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ahead-'))
  try {
    const file = path.join(folder, 'built.mjs')
    writeFileSync(file, text)
    const { createAhead }: { createAhead: CreateAhead } = await import(/* @vite-ignore */ file)
    return createAhead
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Built {
  readonly recorder: TableRecorder
  readonly text: string
  readonly engine: SchemaEngine
  readonly create: (options: SchemaEngineOptions) => SchemaEngine
}

/** Builds the functions of some schemas ahead, as validators and as serializers. */
async function build(
  schemas: readonly unknown[],
  options: SchemaEngineOptions = {},
  shared: readonly object[] = [],
): Promise<Built> {
  const recorder = new TableRecorder()
  compileAll(createBuiltEngine(options, new Ahead(recorder.functions, options)), schemas, shared)
  const text = recorder.print(MODULES, '.ts')
  const createAhead = await load(text)
  const create = (own: SchemaEngineOptions): SchemaEngine =>
    createBuiltEngine({ ...own, codeGeneration: 'never' }, createAhead(own))
  return { recorder, text, create, engine: create(options) }
}

interface Compiled {
  readonly validate: ReturnType<SchemaEngine['compileValidator']>
  readonly serialize: ReturnType<SchemaEngine['compileSerializer']>
  readonly tiers: readonly (string | null)[]
}

function compileAll(
  engine: SchemaEngine,
  schemas: readonly unknown[],
  shared: readonly object[] = [],
): Compiled[] {
  const store = engine.createStore()
  for (const one of shared) store.add(one)
  return schemas.map((schema) => ({
    validate: engine.compileValidator({ schema, httpPart: 'body', store }),
    serialize: engine.compileSerializer({ schema, store }),
    tiers: [
      engine.describeValidator({ schema, httpPart: 'body', store }).tier,
      engine.describeSerializer({ schema, store }).tier,
    ],
  }))
}

function resultOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return String(error)
  }
}

function expectSame(one: Compiled, other: Compiled, value: unknown): void {
  const validated = [one, other].map(({ validate }) => {
    const holder = { value: structuredClone(value) }
    return { valid: validate(holder.value, holder), errors: validate.errors, value: holder.value }
  })
  expect(validated[0]).toEqual(validated[1])
  expect(resultOf(() => one.serialize(value))).toEqual(resultOf(() => other.serialize(value)))
}

const USER = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2, pattern: '^([a-z]+-?)*$' },
    age: { type: 'integer', minimum: 0, default: 7 },
    mail: { type: 'string', format: 'email' },
    at: { type: 'string', format: 'date-time' },
    home: { $ref: 'address#' },
    kind: { oneOf: [{ const: 'a' }, { enum: ['b', 'c'] }] },
  },
}
const ADDRESS = {
  $id: 'address',
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`line${n}`, { type: 'string', maxLength: 9 }]),
  ),
}
const VALUES = [
  { name: 'ada', age: '3', home: { line1: 4, other: 1 }, kind: 'a', at: new Date(0).toISOString() },
  { name: 'a', age: -1, mail: 'no', kind: 'd' },
  { name: `${'a'.repeat(40)}!`, home: { line2: 'far too long' } },
  { age: 3 },
  'text',
  null,
]

describe('functions that were made ahead', () => {
  it('do what an engine does that makes them at run time', async () => {
    const { engine, recorder } = await build([USER], {}, [ADDRESS])
    const [built] = compileAll(engine, [USER], [ADDRESS])
    const [unbuilt] = compileAll(createBuiltEngine({}, null), [USER], [ADDRESS])
    expect(recorder.skipped).toEqual([])
    expect(built?.tiers).toEqual(['code', 'code'])
    if (built !== undefined && unbuilt !== undefined)
      for (const value of VALUES) expectSame(built, unbuilt, value)
  })

  it('do so for random schemas', async () => {
    const samples = fc.sample(sample(), 25)
    const schemas = samples.map(({ schema }) => schema)
    const { engine } = await build(schemas)
    const built = compileAll(engine, schemas)
    const unbuilt = compileAll(createBuiltEngine({}, null), schemas)
    for (const [index, { value }] of samples.entries()) {
      const [one, other] = [built[index], unbuilt[index]]
      if (one === undefined || other === undefined) throw new Error('a schema is missing')
      for (const given of [...fc.sample(value, 5), ...fc.sample(fc.jsonValue(), 5)])
        expectSame(one, other, given)
    }
  })

  it('are made without code from text, and each shared schema is there once', async () => {
    const users = [USER, { ...USER, title: 'second' }]
    const { text } = await build(users, {}, [ADDRESS])
    expect(text).not.toMatch(/\bFunction\b|\beval\b/)
    expect(text.match(/function check\(/g)).toHaveLength(1)
  })

  it('are not taken for another schema, a shared schema that has changed, or other settings', async () => {
    const { create } = await build([USER], {}, [ADDRESS])
    const tiersOf = (schema: object, shared: object, options: SchemaEngineOptions = {}): unknown =>
      compileAll(create(options), [schema], [shared])[0]?.tiers
    const closures = ['closures', 'closures']
    expect(tiersOf(USER, ADDRESS)).toEqual(['code', 'code'])
    expect(tiersOf({ ...USER, required: ['age'] }, ADDRESS)).toEqual(closures)
    expect(tiersOf(USER, { ...ADDRESS, required: ['line1'] })).toEqual(closures)
    expect(tiersOf(USER, ADDRESS, { ajv: { customOptions: { coerceTypes: false } } })).toEqual([
      'closures',
      'code',
    ])
    expect(tiersOf(USER, ADDRESS, { integers: 'exact' })).toEqual(['closures', 'code'])
    expect(tiersOf(USER, ADDRESS, { serialization: 'strict' })).toEqual(['code', 'closures'])
    expect(tiersOf(USER, ADDRESS, { serializerOpts: { rounding: 'ceil' } })).toEqual(['code', 'closures'])
  })

  it('are listed with a reason where they cannot be made', async () => {
    const recorder = new TableRecorder()
    const engine = createBuiltEngine({}, new Ahead(recorder.functions, {}))
    const route = { method: 'GET', url: '/users' }
    const store = engine.createStore()
    const compile = (schema: unknown): unknown =>
      engine.compileValidator({ schema, httpPart: 'body', store, route })
    compile({ type: 'object', properties: { at: { type: 'string', default: new Date(0) } } })
    compile({ $async: true, type: 'string' })
    expect(recorder.skipped).toEqual([
      { ...route, part: 'body', reason: 'its schema has values that JSON cannot represent' },
      { ...route, part: 'body', reason: 'only Ajv validates with the keyword "$async"' },
    ])
    expect(recorder.entries.size).toBe(0)
  })

  it('read own properties only while Object.prototype is polluted, and hold values of any depth', async () => {
    const tree = {
      $id: 'tree',
      type: 'object',
      properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#' } } },
    }
    const { engine } = await build([tree])
    const [built] = compileAll(engine, [tree])
    const [unbuilt] = compileAll(createBuiltEngine({ codeGeneration: 'never' }, null), [tree])
    let deep: unknown = { name: 'leaf' }
    for (let level = 0; level < 3000; level++) deep = { below: [deep] }
    expect(resultOf(() => built?.serialize(deep))).toEqual(resultOf(() => unbuilt?.serialize(deep)))
    Reflect.defineProperty(Object.prototype, 'name', {
      value: 'polluted',
      configurable: true,
      enumerable: true,
      writable: true,
    })
    const result = resultOf(() => built?.serialize({ below: [] }))
    Reflect.deleteProperty(Object.prototype, 'name')
    expect(result).toBe('{"below":[]}')
  })
})
