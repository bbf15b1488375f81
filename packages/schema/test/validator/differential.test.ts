import type { Options } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { describe, expect, it } from 'vitest'
import { ClosureFinder } from '../../src/store/closure.ts'
import { ContentTable } from '../../src/store/keys.ts'
import { ContextStore } from '../../src/store/context-store.ts'
import type { Accept } from '../../src/validator/decider.ts'
import { compileAcceptor } from '../../src/validator/acceptor-code.ts'
import { AjvPool } from '../../src/validator/ajv/pool.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'
import { Random, randomSchema, valueFor } from './random.ts'
import { OPTIONS, SHARED_REFS, sharedSchemas, targetOf } from './random-context.ts'

/** Set CLOISTER_SEED to repeat a run; each run draws a new one. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const VALUES_PER_SCHEMA = 60
const SCHEMAS = Number(process.env['CLOISTER_SCHEMAS'] ?? 1000)
interface Tally {
  pairs: number
  /** By looks, and by code. */
  readonly accepted: [number, number]
  ajvAccepted: number
  notCompiled: number
}

/** What Ajv says; undefined when its code fails, as it does on `{ toString: null }` or where it would coerce a property name. */
function verdict(validate: (data: unknown) => unknown, data: unknown): unknown {
  try {
    return validate(data)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The data context of Ajv, so that it can replace a root value. */
function dataContext(holder: { value: unknown }): DataValidationCxt {
  return {
    instancePath: '',
    parentData: holder,
    parentDataProperty: 'value',
    rootData: holder,
    dynamicAnchors: {},
  }
}

function compare(customOptions: Options, seed: number, schemas: number): Tally {
  const random = new Random(seed)
  const contents = new ContentTable()
  const store = new ContextStore('root', undefined, contents, new Map())
  const shared = sharedSchemas(random)
  for (const schema of shared) store.add(schema)
  const closures = new ClosureFinder()
  const pool = new AjvPool({ customOptions: { ...customOptions, strict: false, strictNumbers: true } })
  const sharedChecks = new WeakMap()
  const tables = new ValidatorTables(readWalkSettings(customOptions))
  const tally: Tally = { pairs: 0, accepted: [0, 0], ajvAccepted: 0, notCompiled: 0 }
  for (let round = 0; round < schemas; round++) {
    const content = contents.intern(randomSchema(random, 3, SHARED_REFS))
    const visible = closures.scope(store)
    const root = visible.open(content.schema)
    const closure = closures.findFor(content, store)
    const own = new SchemaValidator(root, closures.closedScope(closure), tables)
    const engines: readonly (readonly [string, Accept])[] = [
      ['looks', own.acceptor()],
      ['code', compileAcceptor(own.root, sharedChecks).value],
    ]
    let validate
    try {
      validate = pool.compile(content, root, closure).validate
    } catch {
      tally.notCompiled++
      continue
    }
    for (let attempt = 0; attempt < VALUES_PER_SCHEMA; attempt++) {
      const text = JSON.stringify(valueFor(random, content.schema, targetOf(shared)))
      const reference: unknown = JSON.parse(text)
      const referenceHolder = { value: reference }
      const valid = verdict((data) => validate(data, dataContext(referenceHolder)), reference)
      if (valid === undefined) continue
      tally.pairs++
      if (valid === true) tally.ajvAccepted++
      for (const [index, [name, accept]] of engines.entries()) {
        const data: unknown = JSON.parse(text)
        const holder = { value: data }
        const accepted = accept(data, holder)
        if (accepted) tally.accepted[index === 0 ? 0 : 1]++
        const expected = accepted ? JSON.stringify(referenceHolder.value) : text
        if ((accepted && valid !== true) || JSON.stringify(holder.value) !== expected) {
          throw new Error(
            `seed ${seed}: ${JSON.stringify(content.schema)} with ${text}: ${name} ${accepted} ${JSON.stringify(holder.value)}, Ajv ${String(valid)} ${JSON.stringify(referenceHolder.value)}`,
          )
        }
      }
    }
  }
  return tally
}

describe('looks, code and Ajv', () => {
  it.each(OPTIONS)(
    'agree on random schemas and values, mutations included, with %s',
    (_name, options, share) => {
      const tally = compare(options, SEED, Math.ceil(SCHEMAS * share))
      // Looks and code that leave to a walk what Ajv accepts are right but useless.
      for (const accepted of tally.accepted) expect(accepted / tally.ajvAccepted).toBeGreaterThan(0.75)
      if (process.env['CLOISTER_REPORT'] !== undefined) console.log(JSON.stringify(tally))
    },
  )
})
