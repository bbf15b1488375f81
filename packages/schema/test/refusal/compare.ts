import type { Options } from 'ajv'
import { isSchemaObject } from '../../src/guards.ts'
import { Refuser } from '../../src/refusal/refuser.ts'
import { readRefusalSettings, type RefusalSettings } from '../../src/refusal/settings.ts'
import { ClosureFinder } from '../../src/store/closure.ts'
import { ContextStore } from '../../src/store/context-store.ts'
import { ContentTable } from '../../src/store/keys.ts'
import { PreparedSchema } from '../../src/store/prepared-schema.ts'
import { AjvDecider } from '../../src/validator/ajv/decider.ts'
import { AjvPool } from '../../src/validator/ajv/pool.ts'
import type { Decider } from '../../src/validator/decider.ts'
import { narrowUnionErrors } from '../../src/validator/union-errors.ts'
import type { Random } from '../validator/random.ts'
import { laterForm } from './later-form.ts'
import { randomRoot, randomValue, sharedSchemas, type Tree } from './random-schemas.ts'

/** What a validator made of a value. */
export interface Verdict {
  readonly valid: boolean
  readonly data: unknown
  readonly errors: unknown
}

/** Validates a value without coming back to it; the value may be changed. */
export type Decide = (data: unknown) => Verdict

/** The same schema for Ajv, as the engine sets it up, and for the refuser. */
export interface Pair {
  readonly ajv: Decide
  readonly own: Decide
}

/** How a comparison is made. */
export interface Setup {
  readonly customOptions?: Options
  /** Errors of unions are narrowed to the branch that the value names. */
  readonly narrowsUnions?: boolean
  /** The schemas are read as 2020-12, after they have been written so. */
  readonly isLater?: boolean
  /** Plants a fault. */
  readonly plant?: (settings: RefusalSettings) => RefusalSettings
}

/** Makes pairs for schemas that see the same shared ones. */
export class Workbench {
  readonly #setup: Setup
  readonly #settings: RefusalSettings
  readonly #pool: AjvPool
  readonly #closures: ClosureFinder
  readonly #contents: ContentTable = new ContentTable()
  readonly #store: ContextStore = new ContextStore('root', undefined, this.#contents, new Map())

  constructor(shared: readonly object[], setup: Setup) {
    // Strict rules of schemas would refuse most random ones.
    const customOptions: Options = { strict: false, strictNumbers: true, ...setup.customOptions }
    const settings = readRefusalSettings(customOptions)
    this.#setup = setup
    this.#settings = setup.plant?.(settings) ?? settings
    const dialect = setup.isLater === true ? '2020-12' : 'draft-07'
    this.#closures = new ClosureFinder(dialect)
    this.#pool = new AjvPool({ customOptions }, true, dialect)
    for (const entry of shared) this.#store.add(this.#written(entry))
  }

  /** Throws where Ajv does not take the schema. */
  pair(schema: unknown): Pair {
    const content = this.#contents.intern(this.#written(schema))
    return this.#pairOf(new PreparedSchema(content, this.#store, this.#closures, false))
  }

  #written(schema: unknown): unknown {
    return this.#setup.isLater === true ? laterForm(schema) : schema
  }

  #pairOf(prepared: PreparedSchema): Pair {
    const { content, root, closure, scope } = prepared
    const ajv = new AjvDecider(this.#pool.compile(content, root, closure))
    return {
      ajv: this.#decide(ajv, prepared),
      own: this.#decide(
        new Refuser(root, scope, this.#settings, { isCollecting: this.#setup.isLater === true }),
        prepared,
      ),
    }
  }

  #decide(decider: Decider, { root, scope }: PreparedSchema): Decide {
    return (data) => {
      const holder = { value: data }
      const errors = decider.errorsOf(data, holder)
      const narrowed =
        errors === null || this.#setup.narrowsUnions !== true
          ? errors
          : narrowUnionErrors(errors, data, { root, scope, decider })
      return { valid: errors === null, data: holder.value, errors: narrowed }
    }
  }
}

/** What a comparison has seen. */
export interface Tally {
  schemas: number
  /** Schemas that Ajv does not take. */
  unusable: number
  values: number
  refused: number
  changed: number
  errors: number
  readonly differences: string[]
}

const VALUES_PER_SCHEMA = 15
const PER_BENCH = 20
const ENOUGH = 5

/** Compares both over random schemas and values, until it has found a few differences. */
export function compare(random: Random, setup: Setup, schemas: number): Tally {
  const tally: Tally = {
    schemas: 0,
    unusable: 0,
    values: 0,
    refused: 0,
    changed: 0,
    errors: 0,
    differences: [],
  }
  for (let round = 0; round < schemas && tally.differences.length < ENOUGH; round += PER_BENCH) {
    const shared = sharedSchemas(random)
    const bench = new Workbench(shared, setup)
    for (let count = 0; count < PER_BENCH; count++) compareSchema(random, shared, bench, tally)
  }
  return tally
}

function compareSchema(random: Random, shared: readonly Tree[], bench: Workbench, tally: Tally): void {
  const schema = randomRoot(random)
  const pair = tryPair(schema, bench)
  if (pair === undefined) {
    tally.unusable += 1
    return
  }
  tally.schemas += 1
  for (let count = 0; count < VALUES_PER_SCHEMA; count++) {
    compareValue(JSON.stringify(randomValue(random, schema, shared)), { schema, ...pair }, tally)
  }
}

function compareValue(text: string, { schema, ajv, own }: Pair & { schema: unknown }, tally: Tally): void {
  const expected = attempt(ajv, JSON.parse(text))
  if (expected === undefined) return
  const found = attempt(own, JSON.parse(text))
  tally.values += 1
  if (!expected.valid) tally.refused += 1
  if (Array.isArray(expected.errors)) tally.errors += expected.errors.length
  if (JSON.stringify(expected.data) !== text) tally.changed += 1
  const [theirs, ours] = [asText(expected), found === undefined ? 'an error' : asText(found)]
  if (theirs !== ours)
    tally.differences.push(`${JSON.stringify(schema)}\nwith ${text}\nAjv ${theirs}\nown ${ours}`)
}

/** Ajv adds "null" to a list of types in the schema itself; verbose errors show that. */
function asText(verdict: Verdict): string {
  return JSON.stringify(verdict, (_key, value: unknown) => {
    if (!isSchemaObject(value) || value['nullable'] !== true || !Array.isArray(value['type'])) return value
    return { ...value, type: value['type'].filter((type) => type !== 'null') }
  })
}

/** Undefined where Ajv's code fails: on `{ toString: null }`, where it would coerce the name of a property, or on the stack. */
function attempt(decide: Decide, data: unknown): Verdict | undefined {
  try {
    return decide(data)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

function tryPair(schema: unknown, bench: Workbench): Pair | undefined {
  try {
    return bench.pair(schema)
  } catch {
    return undefined
  }
}
