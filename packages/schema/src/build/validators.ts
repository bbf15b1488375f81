import type { SchemaLocation } from '../document/location.ts'
import { SchemaError } from '../errors.ts'
import { isAsyncSchema, type PreparedSchema } from '../store/prepared-schema.ts'
import type { Tier } from '../tiers.ts'
import type { ValidatorUnits } from '../ahead/built.ts'
import { writeAcceptor } from '../validator/acceptor-code.ts'
import { AheadParts } from '../validator/ahead-parts.ts'
import { AjvPool } from '../validator/ajv/pool.ts'
import { printErrors } from '../validator/ajv/print.ts'
import {
  createAsyncValidator,
  createValidator,
  type LazyValidator,
  type ValidateFunction,
} from '../validator/create-validator.ts'
import { Deciders } from '../validator/deciders.ts'
import { exactIntegersOf } from '../validator/policy.ts'
import { locating, type BuildParts, type SchemaUse } from './parts.ts'
import { PatternWarnings } from './pattern-warnings.ts'
import { OwnParts, PreparedRefusal, type ValidatorTools } from './validator-parts.ts'

/** Describes the functions that a validator runs. */
export interface ValidatorDescription {
  /**
   * Whether closures or generated code accept valid values. With `codeGeneration: 'hot'` closures become code after
   * many calls. `null` if there is neither, and Ajv or a walk gets every value.
   */
  readonly tier: Tier | null
  /** Which values Ajv gets: none, those that were not accepted, or all. */
  readonly ajv: 'never' | 'refused' | 'always'
}

/** The validators of an engine, each compiled once. */
export class Validators {
  readonly #parts: BuildParts
  readonly #ajv: AjvPool
  readonly #deciders: Deciders
  readonly #warnings: PatternWarnings
  readonly #tools: ValidatorTools
  readonly #known: Map<string, ValidateFunction> = new Map()

  constructor(parts: BuildParts) {
    this.#parts = parts
    const { options, policy } = parts
    this.#ajv = new AjvPool(
      options.ajv,
      policy.checked && policy.rules.keywords.size + policy.rules.formats.size === 0,
      options.jsonSchemaDialect,
      exactIntegersOf(options.integers),
    )
    this.#warnings = new PatternWarnings(options, policy.patterns?.maxLengthGuards ?? true)
    this.#deciders = new Deciders(this.#ajv, policy)
    this.#tools = {
      options,
      tiers: parts.tiers,
      deciders: this.#deciders,
      checks: new WeakMap(),
      hot: new Set(),
    }
  }

  /** Compiles the validator of a schema, or returns the existing one. */
  get(use: SchemaUse, prepared: PreparedSchema): ValidateFunction {
    const known = this.#known.get(prepared.key)
    if (known !== undefined) return known
    const { tiers, queue, options, ahead } = this.#parts
    const isAsync = isAsyncSchema(use.schema)
    const built = isAsync ? undefined : ahead?.validator(prepared)
    let unit: LazyValidator
    if (built === undefined) {
      this.#check(use, prepared)
      this.#refuseCode(use, prepared)
      unit = isAsync ? this.#async(use, prepared) : createValidator(new OwnParts(this.#tools, use, prepared))
      // Without Ajv, a schema that needs it must fail the boot, not the first request that is invalid. The same
      // applies to what Ajv rejects in 2020-12, since the check here has the strict rules of draft-07.
      const isLater = prepared.uses('2020-12')
      if (!this.#isChecked(prepared) || isLater || !this.#ajv.isAvailable) unit.prepareRefusal()
      if (options.schemaCompilation === 'eager') unit.prepare()
      else if (tiers.mode === 'always') queue.add(() => unit.prepare())
      ahead?.noteValidator(use, prepared, () => this.#write(use, prepared))
    } else {
      // The schema was checked when the app was built.
      this.#tools.hot.add(prepared.key)
      unit = createValidator(new AheadParts(built, new PreparedRefusal(this.#tools, use, prepared)))
    }
    this.#known.set(prepared.key, unit.validate)
    return unit.validate
  }

  describe({ schema }: SchemaUse, prepared: PreparedSchema): ValidatorDescription {
    if (isAsyncSchema(schema)) return { tier: null, ajv: 'always' }
    const { tiers } = this.#parts
    const isAccepted = this.#deciders.ownOf(prepared)?.mayAccept === true
    const needsAjv = this.#deciders.needsAjv(prepared)
    return {
      tier: isAccepted ? tiers.tierOf(this.#tools.hot.has(prepared.key)) : null,
      ajv: needsAjv ? (isAccepted ? 'refused' : 'always') : 'never',
    }
  }

  /** Returns the schema as Ajv has it after compilation. */
  readAfterCompilation({ content, root, closure }: PreparedSchema): unknown {
    return this.#ajv.compile(content, root, closure).validate.schema
  }

  /** Writes the functions of a schema. */
  #write(use: SchemaUse, prepared: PreparedSchema): ValidatorUnits {
    if (isAsyncSchema(use.schema)) throw new TypeError('only Ajv validates with the keyword "$async"')
    const own = this.#deciders.needsAjv(prepared) ? undefined : this.#deciders.ownOf(prepared)
    if (own === undefined) throw new TypeError('only Ajv validates by this schema')
    return {
      accept: own.mayAccept ? writeAcceptor(own.root, this.#tools.checks) : null,
      refuse: printErrors(prepared, this.#parts.options),
    }
  }

  #check(use: SchemaUse, prepared: PreparedSchema): void {
    const { checker, policy } = this.#parts
    const patterns = () => this.#warnings.contextOf(use)
    if (this.#isChecked(prepared)) checker.checkForValidation(use.schema, prepared, patterns)
    else {
      if (policy.lenient && !this.#deciders.needsAjv(prepared))
        checker.checkForSerialization(use.schema, prepared)
      if (policy.patterns !== undefined) checker.checkPatterns(use.schema, prepared, patterns)
    }
  }

  /** Whether the check of the engine has Ajv's results: not for keywords and formats of the application. */
  #isChecked(prepared: PreparedSchema): boolean {
    const { checked, rules } = this.#parts.policy
    if (rules.keywords.size + rules.formats.size === 0) return checked
    return checked && !this.#deciders.needsAjv(prepared)
  }

  /** @throws {@link SchemaError} `CODE_FORBIDDEN` if only Ajv can validate, and it may not generate its code */
  #refuseCode({ schema }: SchemaUse, prepared: PreparedSchema): void {
    const { tiers, policy } = this.#parts
    const { forbiddance } = tiers
    const isAsync = isAsyncSchema(schema)
    if (forbiddance === undefined || !this.#ajv.isAvailable) return
    if (!isAsync && !this.#deciders.needsAjv(prepared)) return
    if (policy.onlyAjv !== undefined) {
      throw codeForbidden(`the option \`${policy.onlyAjv}\``, forbiddance, 'Leave the option out')
    }
    const found = isAsync
      ? { what: 'the keyword "$async"', location: prepared.root }
      : this.#deciders.onlyAjvIn(prepared)
    if (found !== undefined) throw codeForbidden(found.what, forbiddance, 'Leave it out', found.location)
  }

  #async(use: SchemaUse, { content, root, closure }: PreparedSchema): LazyValidator {
    return createAsyncValidator(() => locating(use, () => this.#ajv.compile(content, root, closure).validate))
  }
}

function codeForbidden(what: string, reason: string, wayOut: string, location?: SchemaLocation): SchemaError {
  return new SchemaError({
    code: 'CODE_FORBIDDEN',
    reason: `only Ajv validates with ${what}, it generates code for that, and ${reason}. ${wayOut}, give the route a validator of its own with validatorCompiler, or let code be generated`,
    pointer: location?.pointer,
    schemaId: location?.document.sharedId,
  })
}
