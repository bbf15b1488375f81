import type { Dialect } from '../document/dialect.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import { AjvDecider } from './ajv/decider.ts'
import type { AjvPool } from './ajv/pool.ts'
import type { Decider } from './decider.ts'
import { Coverage, type Uncovered } from './coverage.ts'
import { SchemaValidator, ValidatorTables, type WalkNeeds } from './schema-validator.ts'
import type { WalkSettings } from '../walk/settings.ts'

/** Chooses who decides about the values of a schema: a refuser of our own, or Ajv for what only Ajv knows. */
export class Deciders {
  readonly #ajv: AjvPool
  readonly #tables: ValidatorTables | undefined
  readonly #only: Dialect | undefined
  readonly #coverage: Coverage = new Coverage()

  /**
   * @param settings - undefined where the application has options that only Ajv follows
   * @param only - the dialect to which they are limited
   */
  constructor(ajv: AjvPool, settings: WalkSettings | undefined, only?: Dialect) {
    this.#ajv = ajv
    this.#tables = settings && new ValidatorTables(settings)
    this.#only = only
  }

  /**
   * Makes the decider of a schema.
   * @throws {@link SchemaError} `SCHEMA_INVALID` with the message of Ajv, where Ajv decides
   */
  deciderOf(prepared: PreparedSchema): Decider {
    const { root, scope, content, closure } = prepared
    const tables = this.#tablesFor(prepared)
    if (tables !== undefined) return new SchemaValidator(root, scope, tables, needsOf(prepared))
    return new AjvDecider(this.#ajv.compile(content, root, closure))
  }

  /** Whether Ajv decides about the values of a schema. */
  needsAjv(prepared: PreparedSchema): boolean {
    return this.#tablesFor(prepared) === undefined
  }

  /** What in a schema only Ajv knows; undefined where that is nothing, or an option for all schemas. */
  onlyAjvIn({ root, scope, isPure }: PreparedSchema): Uncovered | undefined {
    if (!isPure) return { what: 'a value that JSON cannot carry', location: root }
    return this.#coverage.uncovered(root, scope)
  }

  /** What validators of our own share; undefined where Ajv decides. */
  #tablesFor(prepared: PreparedSchema): ValidatorTables | undefined {
    const isMeant = this.#only === undefined || prepared.uses(this.#only)
    if (this.#tables === undefined || !isMeant) return undefined
    return this.onlyAjvIn(prepared) === undefined ? this.#tables : undefined
  }
}

function needsOf(prepared: PreparedSchema): WalkNeeds {
  return prepared.uses('2020-12') ? { isCollecting: true, isDynamic: prepared.isDynamic } : {}
}
