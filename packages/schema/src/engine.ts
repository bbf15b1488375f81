import type { SchemaLocation } from './document/location.ts'
import { allowsNull, allowsNullByItself } from './document/nullability.ts'
import { findTooDeep } from './document/depth.ts'
import { SchemaChecker } from './check/check-schema.ts'
import { ClosureFinder } from './store/closure.ts'
import { SchemaError, schemaMessage, type RouteRef, type SchemaWarning } from './errors.ts'
import type { SlowPattern } from './check/patterns.ts'
import type { PatternContext } from './check/strict.ts'
import { unwrapFluent } from './guards.ts'
import { ContentTable } from './store/keys.ts'
import { isStackOverflow } from './nesting.ts'
import type { HttpPart } from './normalize/route-schema.ts'
import type { SchemaEngineOptions, SerializationMode } from './options.ts'
import { isAsyncSchema, PreparedSchema } from './store/prepared-schema.ts'
import {
  createSharedParts,
  readSerializer,
  SerializerBuildError,
  type SerializerNode,
  type SerializerOptions,
  type SharedDefinitions,
  type SharedParts,
} from './serializer/index.ts'
import { readSerializerOptions } from './serializer-options.ts'
import { ContextStore, type IdRegistry, type SchemaStore } from './store/context-store.ts'
import { AjvPool } from './validator/ajv/pool.ts'
import { Deciders } from './refusal/deciders.ts'
import { readRefusalSettings, type OwnSettings } from './refusal/settings.ts'
import type { Definition } from './validator/acceptor/ir.ts'
import { readAcceptor } from './validator/acceptor/read/reader.ts'
import { narrowUnionErrors } from './validator/union-errors.ts'
import {
  createAsyncValidator,
  createValidator,
  type ValidateFunction,
  type ValidatorParts,
} from './validator/create-validator.ts'
import { readPolicy, type ValidatorPolicy } from './validator/policy.ts'
import { AcceptorForms, serializerForms } from './forms.ts'
import { Tiers } from './tiers.ts'
import { WorkQueue } from './work-queue.ts'

/** Turns a payload into JSON text. */
export type SerializeFunction = (payload: unknown) => string

/** The argument of {@link SchemaEngine.compileValidator}. */
export interface ValidatorInput {
  /** The schema, in full form. */
  readonly schema: unknown
  /** The request part that it describes, for messages. */
  readonly httpPart: HttpPart | (string & {})
  /** The store of the context, from which references are resolved. */
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
  /** The store of the context, from which references are resolved. */
  readonly store: SchemaStore
  /** The route that it belongs to, for messages. */
  readonly route?: RouteRef
  /** Overrides the engine's mode for this schema. */
  readonly serialization?: SerializationMode
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
   * Returns the schema of a validator after compilation: Ajv lets keywords of the application change the schema that
   * they are in. Without Ajv plugins it is the schema itself.
   * @throws {@link SchemaError} when the schema cannot be used
   */
  readAfterCompilation(input: ValidatorInput): unknown
  /** @throws {@link SchemaError} when the schema cannot be used */
  compileSerializer(input: SerializerInput): SerializeFunction
  /**
   * Whether a schema names `null` as one of its values, itself or by reference.
   * @throws {@link SchemaError} when a reference cannot be resolved
   */
  allowsNull(schema: unknown, store: SchemaStore): boolean
  /** Compiles one deferred function; returns false when none is left. Call it in idle time. */
  compileNext(): boolean
}

/** What the serializers of one mode share. */
interface SerializerTables {
  readonly definitions: SharedDefinitions
  readonly parts: SharedParts
}

class Engine implements SchemaEngine {
  readonly #options: SchemaEngineOptions
  readonly #policy: ValidatorPolicy
  readonly #serializerOptions: SerializerOptions
  readonly #contents: ContentTable
  readonly #registry: IdRegistry = new Map()
  readonly #closures: ClosureFinder = new ClosureFinder()
  readonly #checker: SchemaChecker = new SchemaChecker()
  readonly #ajv: AjvPool
  readonly #deciders: Deciders
  readonly #validators: Map<string, ValidateFunction> = new Map()
  readonly #serializers: Map<string, SerializeFunction> = new Map()
  readonly #serialization: Readonly<Record<SerializationMode, SerializerTables>> = {
    compat: { definitions: new WeakMap(), parts: createSharedParts() },
    strict: { definitions: new WeakMap(), parts: createSharedParts() },
  }
  readonly #acceptorForms: AcceptorForms = new AcceptorForms()
  readonly #tiers: Tiers
  readonly #queue: WorkQueue = new WorkQueue()
  /** Expressions with a warning already. */
  readonly #warned: Set<string> = new Set()

  constructor(options: SchemaEngineOptions) {
    this.#options = options
    this.#policy = readPolicy(options.ajv, options.unionRemoval)
    this.#tiers = new Tiers(options.codeGeneration ?? 'hot')
    this.#serializerOptions = readSerializerOptions(options.serializerOpts)
    this.#contents = new ContentTable(this.#policy.opaque)
    this.#ajv = new AjvPool(options.ajv, this.#policy.checked)
    const { acceptor, checked } = this.#policy
    // With other options Ajv has to compile at once, to check the schema: then it decides as well.
    const isCovered = checked && acceptor !== undefined
    this.#deciders = new Deciders(
      this.#ajv,
      isCovered ? readRefusalSettings(options.ajv?.customOptions, ownSettings(options)) : undefined,
    )
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

  compileValidator({ schema: input, httpPart, store, route }: ValidatorInput): ValidateFunction {
    const schema = unwrapFluent(input)
    return located(schema, httpPart, route, () => {
      const prepared = this.#prepare(schema, ownStore(store))
      const known = this.#validators.get(prepared.key)
      if (known !== undefined) return known
      const validate = this.#buildValidator(schema, prepared, httpPart, route)
      this.#validators.set(prepared.key, validate)
      return validate
    })
  }

  readAfterCompilation({ schema: input, httpPart, store, route }: ValidatorInput): unknown {
    const schema = unwrapFluent(input)
    if (this.#policy.checked) return schema
    return located(schema, httpPart, route, () => {
      const { content, root, closure } = this.#prepare(schema, ownStore(store))
      return this.#ajv.compile(content, root, closure).validate.schema
    })
  }

  compileSerializer({
    schema: input,
    httpStatus,
    store,
    route,
    serialization,
  }: SerializerInput): SerializeFunction {
    const schema = unwrapFluent(input)
    const part = httpStatus === undefined ? 'response' : `response ${httpStatus}`
    return located(schema, part, route, () => {
      const prepared = this.#prepare(schema, ownStore(store))
      const mode = serialization ?? this.#options.serialization ?? 'compat'
      const key = `${mode}|${prepared.key}`
      const known = this.#serializers.get(key)
      if (known !== undefined) return known
      const serialize = this.#buildSerializer(schema, prepared, mode, part, route)
      this.#serializers.set(key, serialize)
      return serialize
    })
  }

  allowsNull(input: unknown, store: SchemaStore): boolean {
    const schema = unwrapFluent(input)
    const alone = allowsNullByItself(schema)
    if (alone !== undefined) return alone
    const prepared = this.#prepare(schema, ownStore(store))
    return allowsNull(prepared.root, prepared.scope)
  }

  compileNext(): boolean {
    return this.#queue.runNext()
  }

  #prepare(schema: unknown, store: ContextStore): PreparedSchema {
    return new PreparedSchema(this.#contents.intern(schema), store, this.#closures, this.#policy.opaque)
  }

  #buildValidator(
    schema: unknown,
    prepared: PreparedSchema,
    part: string,
    route: RouteRef | undefined,
  ): ValidateFunction {
    const { content, closure } = prepared
    const { acceptor: policy, checked } = this.#policy
    const isEager = this.#options.schemaCompilation === 'eager'
    // Compilation right now needs no snapshot.
    const early = isEager && content.plain ? prepared.rootNow(schema) : undefined
    const patterns = (): PatternContext => this.#patternContext(part, route)
    if (checked) this.#checker.checkForValidation(schema, prepared, patterns)
    else if (this.#policy.patterns !== undefined) this.#checker.checkPatterns(schema, prepared, patterns)
    const isAsync = isAsyncSchema(schema)
    const unit = isAsync
      ? createAsyncValidator(() =>
          located(schema, part, route, () => this.#ajv.compile(content, prepared.root, closure).validate),
        )
      : createValidator({
          acceptor:
            policy !== undefined && prepared.isPure
              ? (replace) => {
                  const read = (at: SchemaLocation): Definition | undefined =>
                    readAcceptor(at, prepared.scope, policy)
                  const first = read(early ?? prepared.root)
                  if (first === undefined) return undefined
                  return this.#tiers.start(
                    this.#acceptorForms.of(first, () => read(prepared.root)),
                    replace,
                  )
                }
              : undefined,
          decider: () => located(schema, part, route, () => this.#deciders.deciderOf(prepared)),
          mapErrors: errorMapper(this.#options, prepared),
        })
    if (!checked) unit.prepareRefusal()
    if (isEager) unit.prepare()
    else if (this.#tiers.mode === 'always') this.#queue.add(unit.prepare)
    return unit.validate
  }

  #buildSerializer(
    schema: unknown,
    prepared: PreparedSchema,
    mode: SerializationMode,
    part: string,
    route: RouteRef | undefined,
  ): SerializeFunction {
    const isEager = this.#options.schemaCompilation === 'eager'
    this.#checker.checkForSerialization(schema, prepared)
    if (mode === 'strict' && this.#policy.checked) this.#checker.checkVocabulary(schema, prepared)
    // Compilation right now needs no snapshot, unless part of the schema is read again later.
    const early = isEager && prepared.content.plain ? prepared.rootNow(schema) : undefined
    let compiled: SerializeFunction | undefined
    const prepare = (): SerializeFunction =>
      (compiled ??= located(schema, part, route, () => {
        const { scope } = prepared
        const { definitions, parts } = this.#serialization[mode]
        const options = this.#serializerOptions
        const read = (location: SchemaLocation): SerializerNode =>
          readSerializer({ location, scope, mode, options, definitions })
        const forms = serializerForms(read(early ?? prepared.root), () => read(prepared.root), parts)
        return this.#tiers.start(forms, (next) => {
          compiled = next
        })
      }))
    // Only reading finds a default that is not JSON.
    if (isEager || !prepared.isPure) {
      const first = prepare()
      if (this.#tiers.mode !== 'hot') return first
    } else if (this.#tiers.mode === 'always') this.#queue.add(prepare)
    return (payload) => (compiled ?? prepare())(payload)
  }

  #patternContext(part: string, route: RouteRef | undefined): PatternContext {
    const { longestText = {}, onWarning = warnProcess } = this.#options
    return {
      limits: {
        longest: Object.hasOwn(longestText, part) ? (longestText[part] ?? LONGEST_TEXT) : LONGEST_TEXT,
        maxLengthGuards: this.#policy.patterns?.maxLengthGuards ?? true,
      },
      report: ({ pattern, reason, pointer, schemaId }: SlowPattern) => {
        if (this.#warned.has(pattern)) return
        this.#warned.add(pattern)
        const message = schemaMessage({ reason, pointer, schemaId, part, route })
        onWarning({ code: 'PATTERN_SLOW', message, pattern })
      },
    }
  }
}

/** The options of refusals that Ajv does not have. */
function ownSettings({ errorLimit, unionRemoval }: SchemaEngineOptions): OwnSettings {
  return { removesByBranch: unionRemoval === 'branch', ...(errorLimit === undefined ? {} : { errorLimit }) }
}

/** Narrows the errors of unions in a schema, and keeps as many as are wanted. */
function errorMapper(
  { unionErrors, errorLimit }: SchemaEngineOptions,
  prepared: PreparedSchema,
): ValidatorParts['mapErrors'] {
  // The first error of a union is all that belongs to it.
  const limit = errorLimit === undefined || errorLimit === 1 ? Infinity : errorLimit
  if (unionErrors !== 'branch') return limit === Infinity ? undefined : (errors) => errors.slice(0, limit)
  return (errors, data, decider) =>
    narrowUnionErrors(errors, data, { root: prepared.root, scope: prepared.scope, decider }).slice(0, limit)
}

/** The default length of a request part: a body of 1 MiB. */
const LONGEST_TEXT = 1_048_576

function warnProcess({ message, code }: SchemaWarning): void {
  process.emitWarning(message, { type: 'SchemaWarning', code: `SCHEMA_${code}` })
}

function ownStore(store: SchemaStore): ContextStore {
  if (store instanceof ContextStore) return store
  throw new TypeError('the store was not made by createStore of a schema engine')
}

/** Runs a compiler, and adds the part and the route to its schema errors. */
function located<Result>(
  schema: unknown,
  part: string,
  route: RouteRef | undefined,
  compile: () => Result,
): Result {
  try {
    return compile()
  } catch (error) {
    const problem = isStackOverflow(error) ? (findTooDeep(schema) ?? error) : error
    if (problem instanceof SchemaError) throw problem.at(part, route)
    if (!(problem instanceof SerializerBuildError)) throw problem
    const { reason, pointer } = problem
    throw new SchemaError({ code: 'SCHEMA_INVALID', reason, pointer, part, route, cause: problem })
  }
}

/** Creates the schema engine of one application. */
export function createSchemaEngine(options: SchemaEngineOptions = {}): SchemaEngine {
  return new Engine(options)
}
