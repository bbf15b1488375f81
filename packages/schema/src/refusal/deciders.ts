import type { Dialect } from '../document/dialect.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import { AjvDecider } from '../validator/ajv/decider.ts'
import type { AjvPool } from '../validator/ajv/pool.ts'
import type { Decider } from '../validator/decider.ts'
import { Coverage, type Uncovered } from './coverage.ts'
import { Refuser, type RefuserNeeds } from './refuser.ts'
import type { RefusalSettings } from './settings.ts'

/** Chooses who decides about the values of a schema: a refuser of our own, or Ajv for what only Ajv knows. */
export class Deciders {
  readonly #ajv: AjvPool
  readonly #settings: RefusalSettings | undefined
  readonly #only: Dialect | undefined
  readonly #coverage: Coverage = new Coverage()

  /**
   * @param settings - undefined where the application has options that only Ajv follows
   * @param only - the dialect to which they are limited
   */
  constructor(ajv: AjvPool, settings: RefusalSettings | undefined, only?: Dialect) {
    this.#ajv = ajv
    this.#settings = settings
    this.#only = only
  }

  /**
   * Makes the decider of a schema.
   * @throws {@link SchemaError} `SCHEMA_INVALID` with the message of Ajv, where Ajv decides
   */
  deciderOf(prepared: PreparedSchema): Decider {
    const { root, scope, content, closure } = prepared
    const settings = this.#settingsFor(prepared)
    if (settings !== undefined) return new Refuser(root, scope, settings, needsOf(prepared))
    return new AjvDecider(this.#ajv.compile(content, root, closure))
  }

  /** Whether Ajv decides about the values of a schema. */
  needsAjv(prepared: PreparedSchema): boolean {
    return this.#settingsFor(prepared) === undefined
  }

  /** What in a schema only Ajv knows; undefined where that is nothing, or an option for all schemas. */
  onlyAjvIn({ root, scope, isPure }: PreparedSchema): Uncovered | undefined {
    if (!isPure) return { what: 'a value that JSON cannot carry', location: root }
    return this.#coverage.uncovered(root, scope)
  }

  /** The settings of a refuser; undefined where Ajv decides. */
  #settingsFor(prepared: PreparedSchema): RefusalSettings | undefined {
    const isMeant = this.#only === undefined || prepared.uses(this.#only)
    if (this.#settings === undefined || !isMeant) return undefined
    return this.onlyAjvIn(prepared) === undefined ? this.#settings : undefined
  }
}

function needsOf(prepared: PreparedSchema): RefuserNeeds {
  return prepared.uses('2020-12') ? { isCollecting: true, isDynamic: prepared.isDynamic } : {}
}
