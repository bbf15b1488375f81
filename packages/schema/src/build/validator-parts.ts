import type { ErrorObject } from 'ajv'
import type { SchemaEngineOptions } from '../options.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import type { Tiers } from '../tiers.ts'
import { compileAcceptor } from '../validator/acceptor-code.ts'
import type { Refusal } from '../validator/ahead-parts.ts'
import type { Acceptors, ValidatorParts } from '../validator/create-validator.ts'
import type { Accept, Decider } from '../validator/decider.ts'
import type { Deciders } from '../validator/deciders.ts'
import type { SchemaValidator } from '../validator/schema-validator.ts'
import { narrowUnionErrors } from '../validator/union-errors.ts'
import type { SharedChecks } from '../walk/code-unit.ts'
import { locating, type SchemaUse } from './parts.ts'

/** What the validators of one engine have in common. */
export interface ValidatorTools {
  readonly options: SchemaEngineOptions
  readonly tiers: Tiers
  readonly deciders: Deciders
  readonly checks: SharedChecks
  /** The keys of validators that have become generated code. */
  readonly hot: Set<string>
}

/** What validators need to refuse a value. */
export class PreparedRefusal implements Refusal {
  protected readonly tools: ValidatorTools
  protected readonly use: SchemaUse
  protected readonly prepared: PreparedSchema

  constructor(tools: ValidatorTools, use: SchemaUse, prepared: PreparedSchema) {
    this.tools = tools
    this.use = use
    this.prepared = prepared
  }

  /** Returns the engine's own validator; undefined if only Ajv supports the schema. */
  protected own(): SchemaValidator | undefined {
    return this.tools.deciders.ownOf(this.prepared)
  }

  decider(): Decider {
    return locating(this.use, () => this.tools.deciders.deciderOf(this.prepared, this.own()))
  }

  /** Narrows the errors of unions, and applies the error limit. */
  mapErrors(errors: ErrorObject[], data: unknown, decider: Decider): ErrorObject[] {
    const { unionErrors, errorLimit } = this.tools.options
    const { root, scope } = this.prepared
    const narrowed =
      unionErrors === 'branch' ? narrowUnionErrors(errors, data, { root, scope, decider }) : errors
    // The first error of a union includes all errors that belong to it.
    return errorLimit === undefined || errorLimit === 1 ? narrowed : narrowed.slice(0, errorLimit)
  }
}

/** The parts of a validator whose schema is read in this process. An app has thousands of these: each is one object. */
export class OwnParts extends PreparedRefusal implements ValidatorParts {
  /** Undefined: not read yet; null: there is none. */
  #own: SchemaValidator | null | undefined = undefined

  get tiers(): Tiers {
    return this.tools.tiers
  }

  acceptors(): Acceptors | undefined {
    return this.own()
  }

  protected override own(): SchemaValidator | undefined {
    const { deciders, options } = this.tools
    const original = options.schemaCompilation === 'eager' ? this.use.schema : undefined
    if (this.#own === undefined) this.#own = deciders.ownOf(this.prepared, original) ?? null
    return this.#own ?? undefined
  }

  /** Reads the schema again if closures use what was read, and does not keep it. */
  generate(): Accept {
    const { deciders, checks, tiers, hot } = this.tools
    const own = this.own()
    const isFirst = tiers.mode === 'always'
    const read = isFirst ? own : (deciders.ownOf(this.prepared) ?? own)
    if (read === undefined) throw new TypeError('only Ajv validates by this schema')
    const { value } = compileAcceptor(read.root, checks)
    if (isFirst) read.reset()
    else hot.add(this.prepared.key)
    return value
  }
}
