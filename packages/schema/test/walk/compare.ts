import { isSchemaObject } from '../../src/guards.ts'
import { NestingError } from '../../src/nesting.ts'
import type { Random } from '../validator/random.ts'
import { KeptVerdicts, keyOf, type Expected, type Verdicts } from './kept-verdicts.ts'
import { randomRoot, randomValue, sharedSchemas, type Tree } from './random-schemas.ts'
import { Workbench, type Decide, type Pair, type Setup, type Verdict } from './workbench.ts'

/** What a comparison has seen. */
export interface Tally {
  schemas: number
  /** Schemas that Ajv does not take. */
  unusable: number
  values: number
  refused: number
  changed: number
  errors: number
  /** Valid values, and how many of them looks and code accept. */
  valid: number
  readonly accepted: { look: number; code: number }
  readonly differences: string[]
}

/** Nothing seen yet. */
export function newTally(): Tally {
  return {
    schemas: 0,
    unusable: 0,
    values: 0,
    refused: 0,
    changed: 0,
    errors: 0,
    valid: 0,
    accepted: { look: 0, code: 0 },
    differences: [],
  }
}

/** Those that are in a file, where a variable names one. */
export const KEPT: KeptVerdicts = new KeptVerdicts(process.env['CLOISTER_VERDICTS'])

const VALUES_PER_SCHEMA = 15
const PER_BENCH = 20
const ENOUGH = 5

/** Compares both over random schemas and values, until it has found a few differences. */
export function compare(random: Random, setup: Setup, schemas: number): Tally {
  const tally = newTally()
  for (let round = 0; round < schemas && tally.differences.length < ENOUGH; round += PER_BENCH) {
    const shared = sharedSchemas(random)
    const bench = new Workbench(shared, setup)
    for (let count = 0; count < PER_BENCH; count++) compareSchema(random, shared, bench, tally)
  }
  return tally
}

function compareSchema(random: Random, shared: readonly Tree[], bench: Workbench, tally: Tally): void {
  const schema = randomRoot(random)
  const value = (): string => JSON.stringify(randomValue(random, schema, shared))
  compareTexts({ schema, shared, bench }, Array(VALUES_PER_SCHEMA).fill(value), tally)
}

/** What is compared: a schema that sees others, on a bench. */
export interface Subject {
  readonly schema: unknown
  readonly shared: readonly object[]
  readonly bench: Workbench
}

/** Compares both over values as texts; none is made for a schema that Ajv does not take. */
export function compareTexts(
  { schema, shared, bench }: Subject,
  texts: readonly (() => string)[],
  tally: Tally,
): void {
  const key = keyOf(bench.setup, shared, schema)
  const known = KEPT.find(key)
  const pair = known === null ? undefined : tryPair(schema, bench, known !== undefined)
  if (pair === undefined) {
    KEPT.keep(key, null)
    tally.unusable += 1
    return
  }
  tally.schemas += 1
  const verdicts: Verdicts = {}
  for (const make of texts) {
    const text = make()
    const expected = known?.[text]
    const verdict = expected === undefined ? expectedOf(attempt(pair.ajv, JSON.parse(text)), text) : expected
    verdicts[text] = verdict
    if (verdict !== null) compareValue(text, verdict, { schema, pair }, tally)
  }
  KEPT.keep(key, verdicts)
}

function expectedOf(verdict: Verdict | undefined, text: string): Expected | null {
  if (verdict === undefined) return null
  const { valid, data, errors } = verdict
  return {
    valid,
    isChanged: JSON.stringify(data) !== text,
    errors: Array.isArray(errors) ? errors.length : 0,
    text: asText(verdict),
  }
}

function compareValue(
  text: string,
  expected: Expected,
  { schema, pair }: { readonly schema: unknown; readonly pair: Pair },
  tally: Tally,
): void {
  const found = attempt(pair.own, JSON.parse(text))
  tally.values += 1
  if (expected.valid) tally.valid += 1
  else tally.refused += 1
  tally.errors += expected.errors
  if (expected.isChanged) tally.changed += 1
  const differ = (kind: string, ours: string): void => {
    if (ours === expected.text) return
    tally.differences.push(`${JSON.stringify(schema)}\nwith ${text}\nAjv ${expected.text}\n${kind} ${ours}`)
  }
  differ('walk', found === undefined ? 'an error' : asText(found))
  for (const engine of ['look', 'code'] as const) {
    const { accepted, data } = pair.acceptors[engine](JSON.parse(text))
    if (accepted) {
      tally.accepted[engine] += 1
      differ(engine, asText({ valid: true, data, errors: null }))
    } else if (JSON.stringify(data) !== text) differ(engine, `has changed it to ${JSON.stringify(data)}`)
  }
}

/** Ajv adds "null" to a list of types in the schema itself; verbose errors show that. */
function asText(verdict: Verdict): string {
  return JSON.stringify(verdict, (_key, value: unknown) => {
    if (!isSchemaObject(value) || value['nullable'] !== true || !Array.isArray(value['type'])) return value
    return { ...value, type: value['type'].filter((type) => type !== 'null') }
  })
}

/** Undefined where it fails: Ajv's code on `{ toString: null }`, where it would coerce the name of a property, both on the stack. */
function attempt(decide: Decide, data: unknown): Verdict | undefined {
  try {
    return decide(data)
  } catch (error) {
    if ([TypeError, RangeError, NestingError].some((kind) => error instanceof kind)) return undefined
    throw error
  }
}

function tryPair(schema: unknown, bench: Workbench, isUsable: boolean): Pair | undefined {
  try {
    return isUsable ? bench.lazyPair(schema) : bench.pair(schema)
  } catch {
    return undefined
  }
}
