import type { Options } from 'ajv'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'
import type { SharedChecks } from '../../src/walk/code-unit.ts'
import type { WalkSettings } from '../../src/walk/settings.ts'
import { ClosureFinder } from '../../src/store/closure.ts'
import { ContextStore } from '../../src/store/context-store.ts'
import { ContentTable } from '../../src/store/keys.ts'
import { PreparedSchema } from '../../src/store/prepared-schema.ts'
import type { Accept, Decider } from '../../src/validator/decider.ts'
import { compileAcceptor } from '../../src/validator/acceptor-code.ts'
import { AjvDecider } from '../../src/validator/ajv/decider.ts'
import { AjvPool } from '../../src/validator/ajv/pool.ts'
import { narrowUnionErrors } from '../../src/validator/union-errors.ts'
import { laterForm } from './later-form.ts'

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
  /** The walk of our own. */
  readonly own: Decide
  /** Looks, and code: each accepts a value with its edits, or changes nothing. */
  readonly acceptors: Readonly<Record<'look' | 'code', Accepts>>
}

/** Whether a value is accepted at once, and what has become of it. */
export type Accepts = (data: unknown) => { readonly accepted: boolean; readonly data: unknown }

/** What decides about a value. */
export type Engine = 'walk' | 'look' | 'code'

/** How a comparison is made. */
export interface Setup {
  readonly customOptions?: Options
  /** Errors of unions are narrowed to the branch that the value names. */
  readonly narrowsUnions?: boolean
  /** The schemas are read as 2020-12, after they have been written so. */
  readonly isLater?: boolean
  /** Plants a fault in one of the three. */
  readonly plant?: { readonly in: Engine; readonly settings: Partial<WalkSettings> }
}

/** Makes pairs for schemas that see the same shared ones. */
export class Workbench {
  readonly setup: Setup
  readonly #tables: Readonly<Record<Engine, ValidatorTables>>
  readonly #pool: AjvPool
  readonly #closures: ClosureFinder
  readonly #contents: ContentTable = new ContentTable()
  readonly #checks: SharedChecks = new WeakMap()
  readonly #store: ContextStore = new ContextStore('root', undefined, this.#contents, new Map())

  constructor(shared: readonly object[], setup: Setup) {
    // Strict rules of schemas would refuse most random ones.
    const customOptions: Options = { strict: false, strictNumbers: true, ...setup.customOptions }
    const settings = readWalkSettings(customOptions)
    this.setup = setup
    const tablesOf = (engine: Engine): ValidatorTables =>
      new ValidatorTables(setup.plant?.in === engine ? { ...settings, ...setup.plant.settings } : settings)
    this.#tables = { walk: tablesOf('walk'), look: tablesOf('look'), code: tablesOf('code') }
    const dialect = setup.isLater === true ? '2020-12' : 'draft-07'
    this.#closures = new ClosureFinder(dialect)
    this.#pool = new AjvPool({ customOptions }, true, dialect)
    for (const entry of shared) this.#store.add(this.#written(entry))
  }

  /** Throws where Ajv does not take the schema. */
  pair(schema: unknown): Pair {
    const prepared = this.#prepared(schema)
    const { content, root, closure } = prepared
    const ajv = new AjvDecider(this.#pool.compile(content, root, closure))
    return { ajv: this.#decide(ajv, prepared), ...this.#own(prepared) }
  }

  /** A pair of a schema that Ajv takes; Ajv compiles it when it is asked. */
  lazyPair(schema: unknown): Pair {
    let ajv: Decide | undefined
    return { ajv: (data) => (ajv ??= this.pair(schema).ajv)(data), ...this.#own(this.#prepared(schema)) }
  }

  #prepared(schema: unknown): PreparedSchema {
    const content = this.#contents.intern(this.#written(schema))
    return new PreparedSchema(content, this.#store, this.#closures, false)
  }

  #written(schema: unknown): unknown {
    return this.setup.isLater === true ? laterForm(schema) : schema
  }

  #own(prepared: PreparedSchema): Omit<Pair, 'ajv'> {
    const { root, scope } = prepared
    const needs = { isCollecting: this.setup.isLater === true }
    const of = (engine: Engine): SchemaValidator =>
      new SchemaValidator(root, scope, this.#tables[engine], needs)
    const [look, written] = [of('look').acceptor(), of('code').root]
    let code: Accept | undefined
    return {
      own: this.#decide(of('walk'), prepared),
      acceptors: {
        look: held(look),
        code: held((data, holder) => (code ??= compileAcceptor(written, this.#checks).value)(data, holder)),
      },
    }
  }

  #decide(decider: Decider, { root, scope }: PreparedSchema): Decide {
    // Errors beside a union stay only where the walk says which are those of the branches: Ajv cannot.
    const byPaths: Decider = {
      errorsOf: (data) => decider.errorsOf(data),
      errorsOfPart: (path, data) => decider.errorsOfPart(path, data),
    }
    return (data) => {
      const holder = { value: data }
      const errors = decider.errorsOf(data, holder)
      const narrowed =
        errors === null || this.setup.narrowsUnions !== true
          ? errors
          : narrowUnionErrors(errors, data, { root, scope, decider: byPaths })
      return { valid: errors === null, data: holder.value, errors: narrowed }
    }
  }
}

function held(accept: Accept): Accepts {
  return (data) => {
    const holder = { value: data }
    return { accepted: accept(data, holder), data: holder.value }
  }
}
