import type { PreparedSchema } from '../store/prepared-schema.ts'
import { AjvDecider } from './ajv/decider.ts'
import type { AjvPool } from './ajv/pool.ts'
import { Coverage, type Uncovered } from './coverage.ts'
import type { Decider } from './decider.ts'
import type { ValidatorPolicy } from './policy.ts'
import { SchemaValidator, ValidatorTables, type WalkNeeds } from './schema-validator.ts'

/** Creates the engine's own validators, and chooses whether they or Ajv decide about values that were not accepted. */
export class Deciders {
  readonly #ajv: AjvPool
  readonly #policy: ValidatorPolicy
  readonly #tables: ValidatorTables | undefined
  readonly #coverage: Coverage

  constructor(ajv: AjvPool, policy: ValidatorPolicy) {
    this.#ajv = ajv
    this.#policy = policy
    const { settings, checked, lenient, rules } = policy
    this.#coverage = new Coverage(rules)
    // With other options, Ajv has to compile at once, to check the schema: then it also decides.
    this.#tables = settings && new ValidatorTables(settings, !checked && !lenient)
  }

  /**
   * Returns the engine's own validator for a schema; undefined if only Ajv supports the schema.
   * @param original - the application's schema, to be read right now, which needs no snapshot
   */
  ownOf(prepared: PreparedSchema, original?: unknown): SchemaValidator | undefined {
    if (this.#tables === undefined || !this.#isCovered(prepared)) return undefined
    // Parts of a schema that is not plain may be read later.
    const isNow = original !== undefined && prepared.content.plain
    const root = isNow ? prepared.rootNow(original) : prepared.root
    const own = new SchemaValidator(root, prepared.scope, this.#tables, needsOf(prepared), prepared)
    if (original !== undefined) own.readAll(isNow)
    return own
  }

  /**
   * Creates the decider of a schema.
   * @param own - its validator
   * @throws {@link SchemaError} `SCHEMA_INVALID` with the message of Ajv, if Ajv decides
   */
  deciderOf(prepared: PreparedSchema, own: SchemaValidator | undefined): Decider {
    if (own !== undefined && this.#mayDecide) return own
    const { root, content, closure } = prepared
    return new AjvDecider(this.#ajv.compile(content, root, closure))
  }

  needsAjv(prepared: PreparedSchema): boolean {
    return this.#tables === undefined || !this.#mayDecide || !this.#isCovered(prepared)
  }

  /** Returns what only Ajv supports in a schema; undefined if nothing, or if an option applies to all schemas. */
  onlyAjvIn({ root, scope, isPure }: PreparedSchema): Uncovered | undefined {
    if (!isPure) return { what: 'a value that JSON cannot carry', location: root }
    return this.#coverage.uncovered(root, scope)
  }

  get #mayDecide(): boolean {
    return this.#policy.checked || this.#policy.lenient
  }

  #isCovered(prepared: PreparedSchema): boolean {
    const { content, scope, isPlain, isPure } = prepared
    if (isPlain) return true
    if (!content.plain || !isPure) return this.onlyAjvIn(prepared) === undefined
    // A plain schema only needs a check of what it refers to.
    const from = prepared.rootNow({})
    return content.refs.every((ref) => {
      const target = scope.resolve(from, ref)
      return target !== undefined && this.#coverage.uncovered(target, scope) === undefined
    })
  }
}

function needsOf(prepared: PreparedSchema): WalkNeeds {
  return prepared.uses('2020-12') ? { isCollecting: true, isDynamic: prepared.isDynamic } : {}
}
