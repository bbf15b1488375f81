import { describe, expect, it } from 'vitest'
import { canCompile } from '../../src/codegen/compile.ts'
import { SchemaScope } from '../../src/document/location.ts'
import { compileAcceptor } from '../../src/validator/acceptor-code.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'
import { Random } from '../validator/random.ts'

/*
 * `unionRemoval: 'branch'` by its definition, against walks, looks and code. A union first looks for branches that match
 * the value as it is. Where there is none, it removes what no matching branch keeps. Conditions remove nothing.
 */

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_123)
const SCHEMAS = 600

type Schema =
  | { readonly type: 'string' }
  | { readonly const: string }
  | { readonly type: 'object'; readonly required: readonly string[] }
  | {
      readonly type: 'object'
      readonly properties: Readonly<Record<string, Schema>>
      readonly required: readonly string[]
      readonly additionalProperties: false
    }
  | { readonly anyOf: readonly Schema[] }
  | { readonly oneOf: readonly Schema[] }
  | { readonly not: Schema }
  | { readonly if: Schema; readonly then: Schema; readonly else: Schema }
  | { readonly type: 'array'; readonly items: Schema }
  | { readonly type: 'array'; readonly contains: Schema }

const NAMES = ['a', 'b', 'c', 'kind']

function randomSchema(random: Random, depth: number): Schema {
  if (depth === 0) {
    return random.pick<Schema>([{ type: 'string' }, { const: 'A' }, { type: 'object', required: ['a'] }])
  }
  const below = (): Schema => randomSchema(random, depth - 1)
  const several = (): Schema[] => Array.from({ length: 2 + random.below(2) }, below)
  const closed = (): Schema => {
    const names = NAMES.filter(() => random.chance(0.5))
    const required = names.filter(() => random.chance(0.4))
    const properties = Object.fromEntries(names.map((name) => [name, below()]))
    return { type: 'object', properties, required, additionalProperties: false }
  }
  return random.pick<() => Schema>([
    closed,
    closed,
    closed,
    () => ({ anyOf: several() }),
    () => ({ oneOf: several() }),
    () => ({ not: below() }),
    () => ({ if: below(), then: below(), else: below() }),
    () => ({ type: 'array', items: below() }),
    () => ({ type: 'array', contains: below() }),
  ])()
}

function randomValue(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.25)) return random.pick(['A', 'B', 1])
  if (random.chance(0.15))
    return Array.from({ length: random.below(3) }, () => randomValue(random, depth - 1))
  const names = [...NAMES, 'extra'].filter(() => random.chance(0.5))
  return Object.fromEntries(names.map((name) => [name, randomValue(random, depth - 1)]))
}

/** The paths of the properties that are removed; null where the value does not fit. */
type Removed = ReadonlySet<string> | null

const NOTHING: ReadonlySet<string> = new Set()

/** What a schema removes from a value. @param keeps - undeclared properties are errors */
function removedBy(schema: Schema, data: unknown, path: string, keeps: boolean): Removed {
  if ('const' in schema) return data === schema.const ? NOTHING : null
  if ('anyOf' in schema) return removedByUnion(schema.anyOf, Infinity, data, path, keeps)
  if ('oneOf' in schema) return removedByUnion(schema.oneOf, 1, data, path, keeps)
  if ('not' in schema) return removedBy(schema.not, data, path, true) === null ? NOTHING : null
  if ('if' in schema) {
    const clause = removedBy(schema.if, data, path, true) === null ? schema.else : schema.then
    return removedBy(clause, data, path, keeps)
  }
  if (schema.type === 'string') return typeof data === 'string' ? NOTHING : null
  if (schema.type === 'array') return Array.isArray(data) ? removedFromList(schema, data, path, keeps) : null
  if (!isRecord(data) || schema.required.some((name) => !(name in data))) return null
  if (!('properties' in schema)) return NOTHING
  const { properties } = schema
  const undeclared = Object.keys(data).filter((name) => !(name in properties))
  if (keeps && undeclared.length > 0) return null
  const entries = Object.entries(properties).filter(([name]) => name in data)
  return joined([
    new Set(undeclared.map((name) => `${path}/${name}`)),
    ...entries.map(([name, below]) => removedBy(below, data[name], `${path}/${name}`, keeps)),
  ])
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function joined(all: readonly Removed[]): Removed {
  return all.every((one) => one !== null) ? new Set(all.flatMap((one) => [...one])) : null
}

function removedFromList(
  schema: { readonly items: Schema } | { readonly contains: Schema },
  list: readonly unknown[],
  path: string,
  keeps: boolean,
): Removed {
  const each = (below: Schema, isKept: boolean): Removed[] =>
    list.map((item, index) => removedBy(below, item, `${path}/${index}`, isKept))
  if ('items' in schema) return joined(each(schema.items, keeps))
  // One item that matches as it is, or else the first that matches, is enough.
  if (each(schema.contains, true).some((one) => one !== null)) return NOTHING
  return keeps ? null : (each(schema.contains, false).find((one) => one !== null) ?? null)
}

function removedByUnion(
  branches: readonly Schema[],
  most: number,
  data: unknown,
  path: string,
  keeps: boolean,
): Removed {
  const matching = (isKept: boolean): ReadonlySet<string>[] =>
    branches.map((branch) => removedBy(branch, data, path, isKept)).filter((one) => one !== null)
  const isRight = ({ length }: readonly unknown[]): boolean => length > 0 && length <= most
  if (isRight(matching(true))) return NOTHING
  const [first, ...others] = keeps ? [] : matching(false)
  if (first === undefined || !isRight([first, ...others])) return null
  return new Set([...first].filter((name) => others.every((other) => other.has(name))))
}

function without(data: unknown, removed: ReadonlySet<string>, path = ''): unknown {
  if (Array.isArray(data)) return data.map((item, index) => without(item, removed, `${path}/${index}`))
  if (!isRecord(data)) return data
  const kept = Object.entries(data).filter(([name]) => !removed.has(`${path}/${name}`))
  return Object.fromEntries(kept.map(([name, value]) => [name, without(value, removed, `${path}/${name}`)]))
}

describe("unionRemoval: 'branch', by its definition", () => {
  it('is what walks, looks and code do', () => {
    const random = new Random(SEED)
    const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
    const settings = readWalkSettings(
      { removeAdditional: true, coerceTypes: false },
      { unionRemoval: 'branch' },
    )
    const tally = { refused: 0, edited: 0, kept: 0, accepted: 0 }
    for (let round = 0; round < SCHEMAS; round++) {
      const schema = randomSchema(random, 3)
      const validator = new SchemaValidator(scope.open(schema), scope, new ValidatorTables(settings))
      const acceptors = [validator.acceptor()]
      if (canCompile() && round % 8 === 0)
        acceptors.push(compileAcceptor(validator.root, new WeakMap()).value)
      for (let turn = 0; turn < 12; turn++) {
        const data = randomValue(random, 3)
        const removed = removedBy(schema, data, '', false)
        const cleaned = removed === null ? null : without(data, removed)
        const words = `seed ${SEED}: ${JSON.stringify(schema)}: ${JSON.stringify(data)}`
        const own = structuredClone(data)
        expect(validator.errorsOf(own) === null, words).toBe(removed !== null)
        if (removed !== null) expect(own, words).toEqual(cleaned)
        // A union that refuses a value removes nothing.
        else if ('anyOf' in schema || 'oneOf' in schema) expect(own, words).toEqual(data)
        for (const accept of acceptors) {
          const copy = structuredClone(data)
          const isAccepted = accept(copy)
          if (isAccepted) expect(removed, words).not.toBeNull()
          expect(copy, words).toEqual(isAccepted ? cleaned : data)
          if (isAccepted) tally.accepted++
        }
        if (removed === null) tally.refused++
        else if (removed.size === 0) tally.kept++
        else tally.edited++
      }
    }
    expect(
      Object.values(tally).every((count) => count > SCHEMAS / 10),
      JSON.stringify(tally),
    ).toBe(true)
  })
})
