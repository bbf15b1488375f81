import type { Options } from 'ajv'
import { describe, expect, it } from 'vitest'
import { ContextStore } from '../../src/store/context-store.ts'
import { ClosureFinder } from '../../src/store/closure.ts'
import { ContentTable } from '../../src/store/keys.ts'
import type { Accept } from '../../src/validator/accept.ts'
import { compileAcceptor } from '../../src/validator/acceptor/emit/unit.ts'
import { createSharedClosures } from '../../src/validator/acceptor/interpret/check.ts'
import { interpretAcceptor } from '../../src/validator/acceptor/interpret/acceptor.ts'
import type { CheckNode, Definition, TestNode } from '../../src/validator/acceptor/ir.ts'
import { readAcceptor } from '../../src/validator/acceptor/read/reader.ts'
import { readPolicy } from '../../src/validator/policy.ts'
import { bothBackEnds } from './both-back-ends.ts'
import { Random, randomSchema, valueFor } from './random.ts'
import { OPTIONS, SHARED_REFS, sharedSchemas, targetOf } from './random-context.ts'

/** Seeds that are always run: those that once found a difference, and some more. */
const KEPT_SEEDS = [1, 7, 4_812_077, 1_063_391_002]
/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const SCHEMAS = Number(process.env['CLOISTER_SCHEMAS'] ?? 200)
/** Among so many, strings have a length. */
const ENOUGH_SCHEMAS = 200
/** With fewer of them no value may be accepted by chance. */
const FEWEST_SCHEMAS = 20
/** How many seeds are run; a run of mutation tests has few. */
const SEEDS = [...KEPT_SEEDS, SEED].slice(0, Number(process.env['CLOISTER_SEEDS'] ?? Infinity))
const RUNS = OPTIONS.flatMap(([name, options, share]) =>
  SEEDS.map((seed) => [name, seed, options, Math.max(FEWEST_SCHEMAS, Math.ceil(SCHEMAS * share))] as const),
)
const VALUES_PER_SCHEMA = 30

/** What an acceptor made of a text: its verdict, and the value afterwards. */
function outcome(accept: Accept, text: string, isHeld: boolean): string {
  const value: unknown = JSON.parse(text)
  const holder = { value }
  const verdict = accept(value, isHeld ? holder : undefined)
  return `${verdict} ${JSON.stringify(isHeld ? holder.value : value)}`
}

type Interpret = (root: Definition) => Accept

/** Compares code and closures; returns how many values both accepted. */
function compare(customOptions: Options, seed: number, schemas: number, interpret?: Interpret): number {
  const random = new Random(seed)
  const store = new ContextStore('root', undefined, new ContentTable(), new Map())
  const shared = sharedSchemas(random)
  for (const schema of shared) store.add(schema)
  const { acceptor: policy } = readPolicy({ customOptions })
  if (policy === undefined) throw new Error('these options have no acceptor')
  const contents = new ContentTable()
  const finder = new ClosureFinder()
  const checks = new WeakMap()
  const closures = createSharedClosures()
  let accepted = 0
  for (let round = 0; round < schemas; round++) {
    const { schema } = contents.intern(randomSchema(random, 3, SHARED_REFS))
    const scope = finder.scope(store)
    const read = readAcceptor(scope.open(schema), scope, policy)
    if (read === undefined) continue
    const code = compileAcceptor(read, checks).value
    const closure = interpret?.(read) ?? interpretAcceptor(read, closures)
    for (let attempt = 0; attempt < VALUES_PER_SCHEMA; attempt++) {
      const text = JSON.stringify(valueFor(random, schema, targetOf(shared)))
      const isHeld = random.chance(0.8)
      const expected = outcome(code, text, isHeld)
      const actual = outcome(closure, text, isHeld)
      if (expected !== actual) {
        throw new Error(
          `seed ${seed}: ${JSON.stringify(schema)} with ${text}: code ${expected}, closures ${actual}`,
        )
      }
      if (expected.startsWith('true')) accepted++
    }
  }
  return accepted
}

/** The same checks, but strings must be longer than they need to be. */
function withFault(node: CheckNode): CheckNode {
  return { ...node, tests: node.tests.map(faulty) }
}

function faulty(test: TestNode): TestNode {
  if (test.kind === 'string' && test.minLength !== undefined)
    return { ...test, minLength: test.minLength + 1 }
  if (test.kind === 'when') return { ...test, tests: test.tests.map(faulty) }
  if (test.kind !== 'properties') return test
  return { ...test, properties: test.properties.map((entry) => ({ ...entry, node: withFault(entry.node) })) }
}

describe('code and closures of acceptors', () => {
  it.each(RUNS)(
    'give the same verdict and the same data on random schemas and values, with %s and the seed %i',
    (_name, seed, options, schemas) => {
      expect(compare(options, seed, schemas)).toBeGreaterThan(0)
    },
    120_000,
  )

  it('are told apart when closures ask for one character more', () => {
    const planted: Interpret = (root) =>
      interpretAcceptor({ ...root, node: withFault(root.node) }, createSharedClosures())
    expect(() => compare({}, KEPT_SEEDS[0] ?? 1, ENOUGH_SCHEMAS, planted)).toThrow(
      /^seed 1: .*code true .*closures false/,
    )
  })

  it('see the same properties of objects that no JSON text makes', () => {
    const properties = { a: { type: 'integer' }, toString: { type: 'string' }, b: { type: 'string' } }
    class Inheriting {
      get a(): string {
        return 'x'
      }
    }
    const values = (): object[] => [
      new Inheriting(),
      Object.assign(Object.create({ a: 'x' }), { b: 'y' }),
      Object.assign(Object.create(null), { a: 1, b: 'y' }),
      Object.assign(Object.create(null), { a: 'x' }),
      Object.defineProperty({ b: 'y' }, 'a', { value: 'x' }),
      Object.defineProperty({ b: 'y', toString: 'z' }, 'a', { value: 3 }),
      { b: 'y', a: undefined },
      { toString: 'z', b: 'y', a: 4, other: 1 },
    ]
    for (const others of [{}, { additionalProperties: false }, { additionalProperties: { type: 'null' } }]) {
      const [code, closures] = bothBackEnds({ type: 'object', properties, ...others })
      const verdicts = ([, accept]: typeof code): boolean[] => values().map((value) => accept(value))
      expect(verdicts(closures)).toEqual(verdicts(code))
    }
  })

  it('may be called again while they run', () => {
    const number = { type: 'integer' }
    const schema = { type: 'object', properties: { a: number, b: number, c: number } }
    for (const [, accept] of bothBackEnds(schema)) {
      const inner = { a: '1', c: '3' }
      let isInside = false
      const outer = {
        a: '1',
        get b() {
          if (!isInside) {
            isInside = true
            expect(accept(inner)).toBe(true)
          }
          return 2
        },
        c: '3',
      }
      expect(accept(outer)).toBe(true)
      expect(inner).toEqual({ a: 1, c: 3 })
      expect({ ...outer }).toEqual({ a: 1, b: 2, c: 3 })
    }
  })
})
