import type { ValidateFunction as AjvFunction } from 'ajv'
import { keyOf, serializerSettings, textOf, validatorSettings, type KeyKind } from '../ahead/key.ts'
import type { SerializeFunction } from '../build/serializers.ts'
import { allowsNullByItself } from '../document/nullability.ts'
import type { SchemaEngine, SerializerInput, ValidatorInput } from '../engine.ts'
import { SchemaError, type RouteRef } from '../errors.ts'
import { unwrapFluent } from '../guards.ts'
import type { SchemaEngineOptions } from '../options.ts'
import { remember } from '../remember.ts'
import { assembleSealed } from '../serializer/assemble.ts'
import type { SchemaStore } from '../store/context-store.ts'
import { AjvDecider } from '../validator/ajv/decider.ts'
import { AheadParts, type Refusal } from '../validator/ahead-parts.ts'
import { createValidator, type ValidateFunction } from '../validator/create-validator.ts'
import type { Reader } from './reader.ts'
import { SealedStore } from './store.ts'
import { SEALED, type SealedTable } from './table.ts'

/*
 * A sealed build has this engine in place of `engine.ts`: it has the functions of all schemas that the app had when it
 * was built, and none of what reads, checks or compiles a schema. A schema that it does not have is an error.
 */

/** Creates the engine of a sealed build. */
export function createSchemaEngine(options: SchemaEngineOptions = {}): SchemaEngine {
  return createSealedEngine(options, SEALED)
}

/** Creates an engine with the functions of a table. */
export function createSealedEngine(options: SchemaEngineOptions, table: SealedTable): SchemaEngine {
  return new SealedEngine(options, table)
}

/** A function of the table, with its key. */
interface Found<Made> {
  readonly key: string
  readonly made: Made
}

class SealedEngine implements SchemaEngine {
  readonly #options: SchemaEngineOptions
  readonly #table: SealedTable
  readonly #settings: string | undefined
  readonly #reader: Reader | null
  readonly #validators: Map<string, ValidateFunction> = new Map()
  readonly #serializers: Map<string, SerializeFunction> = new Map()

  constructor(options: SchemaEngineOptions, table: SealedTable) {
    this.#options = options
    this.#table = table
    this.#settings = validatorSettings(options)
    this.#reader = table.createReader?.(options) ?? null
  }

  createStore(parent?: SchemaStore, name: string = parent?.name ?? 'root'): SchemaStore {
    return new SealedStore(name, parent === undefined ? undefined : ownStore(parent))
  }

  compileValidator({
    schema: given,
    httpPart: part,
    store: givenStore,
    route,
  }: ValidatorInput): ValidateFunction {
    const use = { schema: unwrapFluent(given), part, route }
    const store = ownStore(givenStore)
    const found = this.#find(this.#table.validators, 'validator', this.#settings, use.schema, store)
    if (found === undefined) throw this.#unseen(part, route)
    const { accept, refuse } = found.made
    return remember(this.#validators, found.key, () => {
      const refusal = refuse === null ? this.#reader?.refusalOf(use, store) : refusalBy(refuse)
      if (refusal === undefined) throw this.#unseen(part, route)
      return createValidator(new AheadParts(accept, refusal)).validate
    })
  }

  readAfterCompilation({ schema }: ValidatorInput): unknown {
    return unwrapFluent(schema)
  }

  compileSerializer(input: SerializerInput): SerializeFunction {
    const { httpStatus, route, serialization } = input
    const [schema, store] = [unwrapFluent(input.schema), ownStore(input.store)]
    const mode = serialization ?? this.#options.serialization ?? 'compat'
    const settings = serializerSettings(mode, this.#options)
    const found = this.#find(this.#table.serializers, 'serializer', settings, schema, store)
    if (found === undefined)
      throw this.#unseen(httpStatus === undefined ? 'response' : `response ${httpStatus}`, route)
    return remember(this.#serializers, found.key, () => {
      let assembled: SerializeFunction | undefined
      const deepText = (): SerializeFunction | undefined => this.#reader?.deepText(schema, store, mode)
      return (payload) => (assembled ??= assembleSealed(found.made, deepText))(payload)
    })
  }

  describeValidator(): ReturnType<SchemaEngine['describeValidator']> {
    return { tier: 'code', ajv: 'never' }
  }

  describeSerializer(): ReturnType<SchemaEngine['describeSerializer']> {
    return { tier: 'code' }
  }

  allowsNull(given: unknown, store: SchemaStore): boolean {
    const schema = unwrapFluent(given)
    const alone = allowsNullByItself(schema)
    if (alone !== undefined) return alone
    const found = this.#find(this.#table.nullable, 'nullable', '', schema, ownStore(store))
    if (found === undefined) throw this.#unseen(undefined, undefined)
    return found.made
  }

  hintsOf(): ReturnType<SchemaEngine['hintsOf']> {
    // The build has warned of values and names. With `strict: 'report'`, requests are counted that defaults refuse.
    return { defaults: true, values: false, undeclared: false, idle: false }
  }

  compileNext(): boolean {
    return false
  }

  /** Finds the function of a schema, with the shared schemas that it referred to when the app was built. */
  #find<Made>(
    functions: Readonly<Record<string, Made>>,
    kind: KeyKind,
    settings: string | undefined,
    schema: unknown,
    store: SealedStore,
  ): Found<Made> | undefined {
    const text = textOf(schema)
    const own = settings === undefined ? undefined : keyOf(kind, settings, text)
    if (settings === undefined || own === undefined) return undefined
    for (const ids of this.#table.shared[own] ?? [[]]) {
      const shared = ids.map((id) => ({ id, text: store.textOf(id) }))
      const key = shared.length === 0 ? own : keyOf(kind, settings, text, shared)
      const made = key === undefined ? undefined : functions[key]
      if (key !== undefined && made !== undefined) return { key, made }
    }
    return undefined
  }

  #unseen(part: string | undefined, route: RouteRef | undefined): SchemaError {
    const place = this.#table.routes[`${route?.method ?? ''} ${route?.url ?? ''}`]
    const where = place === undefined ? '' : `, whose route is in ${place}`
    const reason = `this build is sealed, and was made without this schema${where}: build again, or with --no-seal`
    return new SchemaError({ code: 'SEALED', part, route, reason })
  }
}

function refusalBy(refuse: () => AjvFunction): Refusal {
  return {
    decider: () => new AjvDecider({ validate: refuse(), part: () => undefined }),
    mapErrors: (errors) => errors,
  }
}

function ownStore(store: SchemaStore): SealedStore {
  if (store instanceof SealedStore) return store
  throw new TypeError('the store was not made by createStore of a schema engine')
}
