import type { ErrorObject, ValidateFunction as AjvFunction } from 'ajv'
import { ClosureFinder, closureOf, type SchemaClosure } from './closure.ts'
import { SchemaError, type CompileSite } from './errors.ts'
import { unwrapFluent } from './guards.ts'
import { ContentTable, type SchemaContent } from './keys.ts'
import type { HttpPart } from './normalize.ts'
import type { SchemaEngineOptions, SerializationMode } from './options.ts'
import type { SchemaPlace, SchemaScope } from './resolve-ref.ts'
import { compileWithFjs, type SerializeFunction } from './serializer-fjs.ts'
import { ContextStore, type IdRegistry, type SchemaStore } from './store.ts'
import { AjvPool } from './validator/ajv.ts'

/** A compiled validator. */
export interface ValidateFunction {
  /**
   * Validates in place (coercions, defaults and removals change `data`). Returns true or false; with
   * `async`, a promise of the data that rejects with an error that has `errors`.
   */
  (data: unknown): unknown
  /** What is wrong with the data of the last call; null when nothing is. */
  errors?: ErrorObject[] | null
  /** True for a schema with `$async: true`. */
  readonly async?: boolean
}

/** What {@link SchemaEngine.compileValidator} takes. */
export interface ValidatorInput {
  readonly schema: unknown
  readonly httpPart: HttpPart | (string & {})
  readonly store: SchemaStore
  readonly site?: CompileSite
}

/** What {@link SchemaEngine.compileSerializer} takes. */
export interface SerializerInput {
  readonly schema: unknown
  readonly httpStatus?: string
  readonly contentType?: string
  readonly store: SchemaStore
  readonly site?: CompileSite
  /** Overrides the engine's reading for this schema. */
  readonly serialization?: SerializationMode
}

/** Compiles the schemas of one application. */
export interface SchemaEngine {
  /**
   * A store for one context.
   * @param parent store of the parent context; its schemas are visible in the new one
   * @param name the context's name, for messages
   */
  createStore(parent?: SchemaStore, name?: string): SchemaStore
  /** @throws {@link SchemaError} when the schema cannot be used */
  compileValidator(input: ValidatorInput): ValidateFunction
  /** @throws {@link SchemaError} when the schema cannot be used */
  compileSerializer(input: SerializerInput): SerializeFunction
  /** Compiles one function that was put off; false when there is none left. Call it in idle time. */
  compileNext(): boolean
}

/** A schema made ready for a compiler. */
interface Prepared {
  readonly content: SchemaContent
  readonly root: SchemaPlace
  readonly scope: SchemaScope
  readonly closure: SchemaClosure
}

class Engine implements SchemaEngine {
  readonly #options: SchemaEngineOptions
  readonly #contents: ContentTable
  readonly #registry: IdRegistry = new Map()
  readonly #closures: ClosureFinder = new ClosureFinder()
  readonly #ajv: AjvPool
  readonly #customised: boolean
  readonly #validators: Map<string, ValidateFunction> = new Map()
  readonly #serializers: Map<string, SerializeFunction> = new Map()

  constructor(options: SchemaEngineOptions) {
    this.#options = options
    this.#customised = options.ajv !== undefined
    this.#contents = new ContentTable(this.#customised)
    this.#ajv = new AjvPool(options.ajv)
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

  compileValidator({ schema, httpPart, store, site }: ValidatorInput): ValidateFunction {
    try {
      const prepared = this.#prepare(schema, ownStore(store))
      const key = `${prepared.content.key}|${prepared.closure.key}`
      const known = this.#validators.get(key)
      if (known !== undefined) return known
      const validate = asValidator(this.#ajv.compile(prepared.content, prepared.root, prepared.closure))
      this.#validators.set(key, validate)
      return validate
    } catch (error) {
      throw located(error, httpPart, site)
    }
  }

  compileSerializer({ schema, httpStatus, store, site, serialization }: SerializerInput): SerializeFunction {
    try {
      const prepared = this.#prepare(schema, ownStore(store))
      const mode = serialization ?? this.#options.serialization ?? 'compat'
      const key = `${mode}|${prepared.content.key}|${prepared.closure.key}`
      const known = this.#serializers.get(key)
      if (known !== undefined) return known
      const serialize = compileWithFjs(
        prepared.content.schema,
        prepared.closure,
        this.#options.serializerOpts ?? {},
      )
      this.#serializers.set(key, serialize)
      return serialize
    } catch (error) {
      throw located(error, httpStatus === undefined ? 'response' : `response ${httpStatus}`, site)
    }
  }

  compileNext(): boolean {
    return false
  }

  #prepare(schema: unknown, store: ContextStore): Prepared {
    const content = this.#contents.intern(unwrapFluent(schema))
    const scope = this.#closures.scope(store)
    const root = scope.open(content.schema)
    // Own keywords may refer to any schema in ways that only they know.
    const closure = this.#customised
      ? closureOf([...new Set(store.ids())].flatMap((id) => store.entry(id) ?? []))
      : this.#closures.find(root, scope, store)
    return { content, root, scope, closure }
  }
}

function ownStore(store: SchemaStore): ContextStore {
  if (store instanceof ContextStore) return store
  throw new TypeError('the store was not made by createStore of a schema engine')
}

function located(error: unknown, part: string, site: CompileSite | undefined): unknown {
  return error instanceof SchemaError ? error.at(part, site) : error
}

function asValidator(validate: AjvFunction): ValidateFunction {
  if ('$async' in validate) return Object.assign((data: unknown) => validate(data), { async: true })
  const sync: ValidateFunction = (data) => {
    const valid = validate(data)
    sync.errors = validate.errors ?? null
    return valid
  }
  return sync
}

/** Creates the schema engine of one application. */
export function createSchemaEngine(options: SchemaEngineOptions = {}): SchemaEngine {
  return new Engine(options)
}
