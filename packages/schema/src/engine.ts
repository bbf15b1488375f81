import type { Ahead } from './ahead/ahead.ts'
import { createAhead } from './ahead/built.ts'
import { Serializers, type SerializeFunction } from './build/serializers.ts'
import { located, locating, type SchemaUse } from './build/parts.ts'
import { Validators, type ValidatorDescription } from './build/validators.ts'
import { SchemaChecker } from './check/check-schema.ts'
import { allowsNull, allowsNullByItself } from './document/nullability.ts'
import type { RouteRef } from './errors.ts'
import { unwrapFluent } from './guards.ts'
import type { HttpPart } from './normalize/route-schema.ts'
import type { SchemaEngineOptions, SerializationMode } from './options.ts'
import { ClosureFinder } from './store/closure.ts'
import { ContextStore, type IdRegistry, type SchemaStore } from './store/context-store.ts'
import { ContentTable, type SchemaHints } from './store/keys.ts'
import { PreparedSchema } from './store/prepared-schema.ts'
import { Tiers, type Tier } from './tiers.ts'
import type { ValidateFunction } from './validator/create-validator.ts'
import { readPolicy, type ValidatorPolicy } from './validator/policy.ts'
import { WorkQueue } from './queues.ts'

/** The argument of {@link SchemaEngine.compileValidator}. */
export interface ValidatorInput {
  /** The schema, in full form. */
  readonly schema: unknown
  /** The request part that it describes, for messages. */
  readonly httpPart: HttpPart | (string & {})
  /** The store of the context, for references. */
  readonly store: SchemaStore
  /** The route that it belongs to, for messages. */
  readonly route?: RouteRef
}

/** The argument of {@link SchemaEngine.compileSerializer}. */
export interface SerializerInput {
  /** The schema, in full form. */
  readonly schema: unknown
  /** The status that it describes, for messages. */
  readonly httpStatus?: string
  /** The media type that it describes. */
  readonly contentType?: string
  /** The store of the context, for references. */
  readonly store: SchemaStore
  /** The route that it belongs to, for messages. */
  readonly route?: RouteRef
  /** Overrides the engine's mode for this schema. */
  readonly serialization?: SerializationMode
}

/** Describes the functions that a serializer runs. */
export interface SerializerDescription {
  /** Closures or generated code. With `codeGeneration: 'hot'` closures become code after many calls. */
  readonly tier: Tier
}

/** Compiles the schemas of one application. */
export interface SchemaEngine {
  /**
   * Creates the store of one context.
   * @param parent - the store of the parent context, whose schemas are visible in the new one
   * @param name - the context's name, for messages
   */
  createStore(parent?: SchemaStore, name?: string): SchemaStore
  /** @throws {@link SchemaError} when the schema cannot be used */
  compileValidator(input: ValidatorInput): ValidateFunction
  /**
   * Returns the schema of a validator after compilation: in Ajv, keywords of the application may change the schema
   * that contains them. Without Ajv plugins it is the schema itself.
   * @throws {@link SchemaError} when the schema cannot be used
   */
  readAfterCompilation(input: ValidatorInput): unknown
  /** @throws {@link SchemaError} when the schema cannot be used */
  compileSerializer(input: SerializerInput): SerializeFunction
  /**
   * Describes what runs when the validator of this input is called. Compiles nothing.
   * @throws {@link SchemaError} when the schema cannot be used
   */
  describeValidator(input: ValidatorInput): ValidatorDescription
  /**
   * Describes what runs when the serializer of this input is called. Compiles nothing.
   * @throws {@link SchemaError} when the schema cannot be used
   */
  describeSerializer(input: SerializerInput): SerializerDescription
  /**
   * Whether a schema names `null` as one of its values, itself or by reference.
   * @throws {@link SchemaError} when a reference cannot be resolved
   */
  allowsNull(schema: unknown, store: SchemaStore): boolean
  /** What a schema may contain: less than anything only if it was compiled, and has not changed since. */
  hintsOf(schema: unknown): SchemaHints
  /** Compiles one deferred function; returns false if none is left. Call it in idle time. */
  compileNext(): boolean
}

class Engine implements SchemaEngine {
  readonly #policy: ValidatorPolicy
  readonly #contents: ContentTable
  readonly #registry: IdRegistry = new Map()
  readonly #closures: ClosureFinder
  readonly #queue: WorkQueue = new WorkQueue()
  readonly #validators: Validators
  readonly #serializers: Serializers
  readonly #ahead: Ahead | null

  constructor(options: SchemaEngineOptions, ahead: Ahead | null) {
    this.#ahead = ahead
    this.#policy = readPolicy(options.ajv, options)
    this.#contents = new ContentTable(this.#policy.opaque)
    this.#closures = new ClosureFinder(options.jsonSchemaDialect ?? 'draft-07')
    const parts = {
      options,
      policy: this.#policy,
      checker: new SchemaChecker(this.#policy.rules),
      tiers: new Tiers(options.codeGeneration ?? 'hot'),
      ahead,
      queue: this.#queue,
    }
    this.#validators = new Validators(parts)
    this.#serializers = new Serializers(parts)
  }

  createStore(
    parent?: SchemaStore,
    name: string = parent === undefined ? 'root' : `${parent.name} > child`,
  ): SchemaStore {
    return new ContextStore(
      name,
      parent === undefined ? undefined : ownStore(parent),
      this.#contents,
      this.#registry,
    )
  }

  compileValidator(input: ValidatorInput): ValidateFunction {
    const use = useOf(input, input.httpPart)
    // No closure: the stack of a boot stays short.
    try {
      return this.#validators.get(use, this.#prepare(use.schema, input.store))
    } catch (error) {
      throw located(use, error)
    }
  }

  readAfterCompilation(input: ValidatorInput): unknown {
    const use = useOf(input, input.httpPart)
    if (this.#policy.checked) return use.schema
    return locating(use, () => this.#validators.readAfterCompilation(this.#prepare(use.schema, input.store)))
  }

  compileSerializer(input: SerializerInput): SerializeFunction {
    const { httpStatus, store, serialization } = input
    const use = useOf(input, httpStatus === undefined ? 'response' : `response ${httpStatus}`)
    try {
      return this.#serializers.get(use, this.#prepare(use.schema, store), serialization)
    } catch (error) {
      throw located(use, error)
    }
  }

  describeValidator(input: ValidatorInput): ValidatorDescription {
    const use = useOf(input, input.httpPart)
    return locating(use, () => this.#validators.describe(use, this.#prepare(use.schema, input.store)))
  }

  describeSerializer({ schema, store, serialization }: SerializerInput): SerializerDescription {
    const prepared = this.#prepare(unwrapFluent(schema), store)
    return { tier: this.#serializers.tierOf(prepared, serialization) }
  }

  allowsNull(input: unknown, store: SchemaStore): boolean {
    const schema = unwrapFluent(input)
    const alone = allowsNullByItself(schema)
    if (alone !== undefined) return alone
    const prepared = this.#prepare(schema, store)
    const allowed = allowsNull(prepared.root, prepared.scope)
    this.#ahead?.noteNullable(prepared, allowed)
    return allowed
  }

  hintsOf(schema: unknown): SchemaHints {
    return this.#contents.hintsOf(unwrapFluent(schema))
  }

  compileNext(): boolean {
    return this.#queue.runNext()
  }

  #prepare(schema: unknown, store: SchemaStore): PreparedSchema {
    const content = this.#contents.intern(schema)
    return new PreparedSchema(content, ownStore(store), this.#closures, this.#policy.opaque)
  }
}

function useOf({ schema, route }: ValidatorInput | SerializerInput, part: string): SchemaUse {
  return { schema: unwrapFluent(schema), part, route }
}

function ownStore(store: SchemaStore): ContextStore {
  if (store instanceof ContextStore) return store
  throw new TypeError('the store was not made by createStore of a schema engine')
}

/** Creates the schema engine of one application. */
export function createSchemaEngine(options: SchemaEngineOptions = {}): SchemaEngine {
  return createBuiltEngine(options, createAhead(options))
}

/** Creates a schema engine with functions that were made ahead. */
export function createBuiltEngine(options: SchemaEngineOptions, ahead: Ahead | null): SchemaEngine {
  return new Engine(options, ahead)
}
