import { describe, expect, it } from 'vitest'
import { SchemaScope } from '../../src/document/location.ts'
import { SerializeError } from '../../src/runtime/errors.ts'
import { createSharedParts, interpretSerializer, type Serializer } from '../../src/serializer/assemble.ts'
import { compileSerializer } from '../../src/serializer/compile.ts'
import { readSerializer } from '../../src/serializer/read/parse.ts'
import { SerializerBuildError } from '../../src/serializer/read/source.ts'
import { PredicateEmitter } from '../../src/serializer/emit/predicates.ts'
import { ConditionNode, testOf, type Test } from '../../src/serializer/nodes/branch.ts'
import { MatchNode } from '../../src/serializer/nodes/match.ts'
import type { Node } from '../../src/serializer/nodes/node.ts'
import { ObjectNode } from '../../src/serializer/nodes/object.ts'
import type { SchemaNode } from '../../src/walk/node.ts'
import { canCompile, compile } from '../../src/codegen/compile.ts'
import { code } from '../../src/codegen/code.ts'
import { CodeWriter } from '../../src/codegen/writer.ts'
import { Random, randomSchema, valueFor } from '../validator/random.ts'

/** Seeds that are always run. */
const KEPT_SEEDS = [1, 7, 4_812_077, 1_063_391_002]
/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const SCHEMAS = Number(process.env['CLOISTER_SCHEMAS'] ?? 250)
const VALUES_PER_SCHEMA = 12

class Point {
  readonly a = 1

  get b(): number {
    return 2
  }
}

/** Values that JSON does not have, or not as they are. */
const EXOTIC: readonly (() => unknown)[] = [
  () => undefined,
  () => Number.NaN,
  () => Infinity,
  () => 10n,
  () => 2n ** 60n,
  () => new Date(1_700_000_000_000),
  () => new Date(Number.NaN),
  () => new Map(),
  () => new Point(),
  () => /re/,
  () => Symbol('s'),
  () => (): number => 1,
  () => ({ toJSON: () => 'j' }),
  () => ({ toJSON: () => ({ a: 1, kind: 'cat' }) }),
  () => Object.assign([1], { toJSON: () => 'list' }),
  () => new String('q"\n'),
  () => Object.create({ a: 1 }),
]

/** The value, here and there replaced by one that is no JSON. */
function spoiled(random: Random, value: unknown): unknown {
  if (random.chance(0.06)) return random.pick(EXOTIC)()
  if (Array.isArray(value)) return value.map((item) => spoiled(random, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, spoiled(random, entry)]))
}

/** The value, with the same JSON, by objects that inherit properties, have undefined ones or a `toJSON`. */
function disguised(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => disguised(random, item) ?? null)
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return {}
  const own = Object.fromEntries(
    Object.entries(value).filter(([, entry]) => typeof entry !== 'function' && typeof entry !== 'symbol'),
  )
  for (const key of Object.keys(own)) own[key] = disguised(random, own[key])
  const make = random.pick([
    () => own,
    () => Object.assign(Object.create({ a: 1, kind: 'cat', n: 'x' }), own),
    () => ({ ...own, extra: undefined }),
    () => ({ toJSON: () => own }),
  ])
  return make()
}

/**
 * The text, or the error with its pointer. Where a value has two errors, the generated code that copies it may name
 * another one than closures do.
 */
function outcome(serialize: Serializer, value: unknown, backEnd: BackEnd): string {
  try {
    return serialize(value)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (backEnd === 'project') return 'Error'
    return `Error ${error.name}: ${error.message}${error instanceof SerializeError ? ` at ${error.pointer}` : ''}`
  }
}

type BackEnd = 'concat' | 'project'
type Change = (root: Node) => Node

interface Case {
  readonly schema: unknown
  readonly root: Node
  readonly values: readonly unknown[]
}

/** Random schemas as both readings have them, each with values. */
function* cases(seed: number): Generator<Case> {
  const random = new Random(seed)
  const shared = new Map([
    ['small', { $id: 'small', type: 'object', properties: { a: { type: 'integer' } } }],
  ])
  const scope = new SchemaScope({ get: (id) => shared.get(id), ids: () => shared.keys() })
  for (let round = 0; round < SCHEMAS; round++) {
    const schema = randomSchema(random, 3, ['small#', 'tree#'])
    const mode = random.pick(['compat', 'strict'] as const)
    const values = Array.from({ length: VALUES_PER_SCHEMA }, () =>
      spoiled(
        random,
        valueFor(random, schema, (ref) => shared.get(ref.slice(0, -1))),
      ),
    )
    try {
      yield { schema, root: readSerializer({ location: scope.open(schema), scope, mode }), values }
    } catch (error) {
      if (!(error instanceof SerializerBuildError)) throw error
    }
  }
}

/** Compares code and closures; returns how many values were written, and how many refused. */
function compare(backEnd: BackEnd, seed: number, change: Change = (root) => root) {
  const tally = { written: 0, refused: 0 }
  const parts = createSharedParts()
  for (const { schema, root, values } of cases(seed)) {
    const generated = compileSerializer(root, parts, { backEnd })
    const closures = interpretSerializer(change(root), parts, { backEnd })
    for (const value of values) {
      const expected = outcome(generated, value, backEnd)
      const actual = outcome(closures, value, backEnd)
      if (expected !== actual) {
        throw new Error(`seed ${seed}: ${JSON.stringify(schema)}: code ${expected}, closures ${actual}`)
      }
      if (expected.startsWith('Error')) tally.refused++
      else tally.written++
    }
  }
  return tally
}

/** Leaves out the last property of every object. */
const withoutLastProperty: Change = (node) =>
  node instanceof ObjectNode
    ? new ObjectNode({ ...node.parts, properties: node.parts.properties.slice(0, -1) })
    : node

describe.each(['concat', 'project'] as const)('code and closures of serializers (%s)', (backEnd) => {
  it('write the same text, or throw the same error with the same pointer', () => {
    for (const seed of [...KEPT_SEEDS, SEED]) {
      const { written, refused } = compare(backEnd, seed)
      expect(written).toBeGreaterThan(0)
      expect(refused).toBeGreaterThan(0)
    }
  })

  it('are distinguished when closures omit a property', () => {
    expect(() => compare(backEnd, 1, withoutLastProperty)).toThrow(/^seed 1: /)
  })
})

/** A predicate as generated code. */
function compiled(predicate: SchemaNode): (value: unknown) => boolean {
  const writer = new CodeWriter()
  const name = new PredicateEmitter(writer).nameOf(predicate)
  writer.line(code`return ${name}`)
  return compile<(value: unknown) => boolean>(writer.toUnit()).value
}

/** The predicates in a node and in the nodes inside it. */
function predicatesOf(node: Node): readonly SchemaNode[] {
  if (node instanceof MatchNode) return node.candidates.map(({ test }) => test)
  if (node instanceof ConditionNode) return [node.test]
  return node.children.flatMap(predicatesOf)
}

/** Compares code and closures of predicates; returns how many values passed, and how many did not. */
function comparePredicates(seed: number, change: (test: Test) => Test = (test) => test) {
  const tally = { passed: 0, failed: 0 }
  for (const { schema, root, values } of cases(seed)) {
    for (const predicate of predicatesOf(root)) {
      const generated = compiled(predicate)
      const closure = change(testOf(predicate))
      for (const value of values) {
        const expected = generated(value)
        if (closure(value) !== expected) {
          throw new Error(`seed ${seed}: ${JSON.stringify(schema)}: code ${expected}, closures ${!expected}`)
        }
        if (expected) tally.passed++
        else tally.failed++
      }
    }
  }
  return tally
}

/** Compares what predicates say of values and of their JSON; returns how many values passed, and how many did not. */
function compareWithJson(seed: number) {
  const tally = { passed: 0, failed: 0 }
  const random = new Random(seed)
  for (const { schema, root, values } of cases(seed)) {
    const disguises = values.map((value) => disguised(random, value))
    const tests = predicatesOf(root).flatMap((predicate) =>
      canCompile() ? [compiled(predicate), testOf(predicate)] : [testOf(predicate)],
    )
    for (const test of tests) {
      for (const value of disguises) {
        const text = JSON.stringify(value)
        const expected = text === undefined ? test(value) : test(JSON.parse(text))
        if (test(value) !== expected) {
          throw new Error(
            `seed ${seed}: ${JSON.stringify(schema)}: ${text} ${expected}, the value ${!expected}`,
          )
        }
        if (expected) tally.passed++
        else tally.failed++
      }
    }
  }
  return tally
}

describe('code and closures of predicates', () => {
  it('give the same result', () => {
    const tallies = [...KEPT_SEEDS, SEED].map((seed) => comparePredicates(seed))
    expect(tallies.every(({ passed, failed }) => passed > 0 && failed > 0)).toBe(true)
  })

  it('see a value as its JSON', () => {
    const tallies = [...KEPT_SEEDS, SEED].map(compareWithJson)
    expect(tallies.every(({ passed, failed }) => passed > 100 && failed > 100)).toBe(true)
  })

  it('are distinguished when closures take null for a value of every type', () => {
    const planted =
      (test: Test): Test =>
      (value) =>
        value === null || test(value)
    expect(() => KEPT_SEEDS.map((seed) => comparePredicates(seed, planted))).toThrow(
      /^seed \d+: .*code false/,
    )
  })
})
