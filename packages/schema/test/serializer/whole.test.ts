// A value that its schema accepts is written whole, as far as the schema declares it, or the boot refused the schema.
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { canCompile } from '../../src/codegen/compile.ts'
import { createSchemaEngine, SchemaError, SerializeError } from '../../src/index.ts'
import type { SerializationMode } from '../../src/options.ts'
import { Random } from '../validator/random.ts'
import { closed, hasInheritedNames, isWithin, selected, withTypes } from './whole/declared.ts'
import { drawSchema, drawValue, inLaterWords, META_2020, SHARED } from './whole/draw.ts'
import { treeOf, type Tree } from './whole/map-schemas.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_129)
const SCHEMAS = Number(process.env['CLOISTER_SCHEMAS'] ?? 60)
const SELECTIONS = 3
const VALUES = 15

type Dialect = 'draft-07' | '2020-12'
type Serialize = (value: unknown) => string

/**
 * Whether both Ajv and our validator accept a value. Ajv takes properties for evaluated that a branch evaluates which
 * does not match; what ours accepts is compared with Ajv and with the official suite by other tests.
 */
function acceptorOf(
  schema: Tree,
  dialect: Dialect,
  change: (schema: Tree) => Tree = (one) => one,
): (value: unknown) => boolean {
  const changed = change(schema)
  const shared = sharedIn(dialect).map(change)
  // Ajv generates code; where that is forbidden, ours decides alone.
  const theirs = canCompile() ? ajvOf(changed, dialect, shared) : (): boolean => true

  const engine = createSchemaEngine({ ajv: { customOptions: UNCHANGING }, jsonSchemaDialect: '2020-12' })
  const store = engine.createStore()
  for (const one of shared) store.add(treeOf(inLaterWords(one)))
  const ours = engine.compileValidator({ schema: inLaterWords(changed), httpPart: 'body', store })
  return (value) => theirs(structuredClone(value)) && ours(structuredClone(value)) === true
}

function ajvOf(schema: Tree, dialect: Dialect, shared: readonly Tree[]): (value: unknown) => boolean {
  const isClosed = JSON.stringify(schema).includes('"unevaluatedProperties"')
  const create = dialect === '2020-12' ? Ajv2020 : isClosed ? Ajv2019 : Ajv
  const ajv = new create({ strict: false, logger: false, ownProperties: true, validateSchema: false })
  addFormats.default(ajv)
  for (const one of shared) ajv.addSchema(one)
  return ajv.compile(schema)
}

const UNCHANGING = {
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  strict: false,
} as const

function sharedIn(dialect: Dialect): Tree[] {
  return SHARED.map((shared) => (dialect === '2020-12' ? { $schema: META_2020, ...shared } : shared))
}

/** Both back ends; `null` if the boot refuses the schema. */
function serializersOf(schema: Tree, dialect: Dialect, serialization: SerializationMode): Serialize[] | null {
  const ways = canCompile() ? (['never', 'always'] as const) : (['never'] as const)
  try {
    return ways.map((codeGeneration) => {
      const engine = createSchemaEngine({ serialization, codeGeneration })
      const store = engine.createStore()
      for (const shared of sharedIn(dialect)) store.add(structuredClone(shared))
      return engine.compileSerializer({ schema: structuredClone(schema), store })
    })
  } catch (error) {
    if (error instanceof SchemaError) return null
    throw error
  }
}

/** What a serializer does with a value: its text, or the reason of its refusal. */
type Result = { readonly text: string } | { readonly reason: string }

function resultOf(serialize: Serialize, value: unknown): Result {
  try {
    return { text: serialize(structuredClone(value)) }
  } catch (error) {
    if (error instanceof SerializeError) return { reason: error.reason }
    throw error
  }
}

/** In compat mode, a tuple takes no further items, as in Fastify 4.x. */
function isDocumented(reason: string, mode: SerializationMode): boolean {
  return mode === 'compat' && /^Item at \d+ does not match/.test(reason)
}

interface Expected {
  readonly mode: SerializationMode
  readonly isDeclared: boolean
  readonly change: (text: string) => string
}

/** What is wrong with the result for an accepted value. */
function problemOf(
  result: Result,
  value: unknown,
  { mode, isDeclared, change }: Expected,
): string | undefined {
  if ('reason' in result) return isDocumented(result.reason, mode) ? undefined : `refused: ${result.reason}`
  const written: unknown = JSON.parse(change(result.text))
  return isDeclared && !isWithin(value, written) ? `lost: ${result.text}` : undefined
}

interface Tally {
  accepted: number
  declared: number
  refusals: number
  refused: number
}

function check(
  mode: SerializationMode,
  seed: number,
  change: (text: string) => string = (text) => text,
): Tally {
  const tally: Tally = { accepted: 0, declared: 0, refusals: 0, refused: 0 }
  for (let round = 0; round < SCHEMAS; round++) {
    const random = new Random(seed + round * 7919)
    // Where no type is named, compat mode infers one and converts other values.
    const schema = mode === 'compat' ? withTypes(drawSchema(random)) : drawSchema(random)
    const dialect: Dialect = schema['$schema'] === undefined ? 'draft-07' : '2020-12'
    let accepts: (value: unknown) => boolean
    try {
      accepts = acceptorOf(schema, dialect)
    } catch {
      // A reference that comes back to itself, or a keyword twice in one list.
      continue
    }
    const serializers = serializersOf(schema, dialect, mode)
    if (serializers === null) {
      tally.refused++
      continue
    }
    for (let selection = 0; selection < SELECTIONS; selection++) {
      const one = selected(random, schema)
      const declares = acceptorOf(one, dialect, (inner) => closed(selected(random, inner), mode))
      for (let drawn = 0; drawn < VALUES; drawn++) {
        const value: unknown = JSON.parse(JSON.stringify(drawValue(random, one)))
        if (hasInheritedNames(value) || !accepts(value)) continue
        tally.accepted++
        const isDeclared = declares(value)
        if (isDeclared) tally.declared++
        const shown = JSON.stringify({ seed, round, mode, schema, value })
        const [first, second = first] = serializers.map((serialize) => resultOf(serialize, value))
        expect(second, shown).toEqual(first)
        if (first === undefined) throw new Error('there is no serializer')
        const problem = problemOf(first, value, { mode, isDeclared, change })
        if (problem !== undefined) throw new Error(`${problem}: ${shown}`)
        if ('reason' in first) tally.refusals++
      }
    }
  }
  return tally
}

describe.each(['strict', 'compat'] as const)('a value that its schema accepts (%s)', (mode) => {
  it('is written with all that the schema declares, for drawn schemas', { timeout: 1_800_000 }, () => {
    const { accepted, declared, refusals, refused } = check(mode, SEED)
    expect(declared).toBeGreaterThan(SCHEMAS)
    expect(refusals).toBeLessThan(accepted / 20)
    expect(refused).toBeLessThan(SCHEMAS / 10)
  })

  it('is missed if a property is left out', () => {
    expect(() => check(mode, 1, (text) => text.replace(/"a":(?:"[^"]*"|\d+),/, ''))).toThrow(/^lost: /)
  })
})
