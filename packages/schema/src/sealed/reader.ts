import { PreparedRefusal, type ValidatorTools } from '../build/validator-parts.ts'
import type { SchemaUse } from '../build/parts.ts'
import type { SchemaEngineOptions, SerializationMode } from '../options.ts'
import { readSerializer } from '../serializer/read/parse.ts'
import { readSerializerOptions } from '../serializer/read/settings.ts'
import { createSharedParts, type Serializer } from '../serializer/assemble.ts'
import { writeText } from '../serializer/nodes/closures.ts'
import { ClosureFinder } from '../store/closure.ts'
import { ContextStore } from '../store/context-store.ts'
import { ContentTable } from '../store/keys.ts'
import { PreparedSchema } from '../store/prepared-schema.ts'
import { Tiers } from '../tiers.ts'
import { AjvPool } from '../validator/ajv/pool.ts'
import type { Refusal } from '../validator/ahead-parts.ts'
import { Deciders } from '../validator/deciders.ts'
import { readPolicy } from '../validator/policy.ts'
import type { SealedStore } from './store.ts'

/** Reads schemas, which were checked before, for what is too large or too rare to be code. */
export interface Reader {
  /** The errors of a validator, which a walk writes. */
  refusalOf(use: SchemaUse, store: SealedStore): Refusal
  /** The serializer of values that are nested too deeply for code. */
  deepText(schema: unknown, store: SealedStore, mode: SerializationMode): Serializer
}

/** Creates the reader of an engine. */
export function createReader(options: SchemaEngineOptions): Reader {
  return new SchemaReader(options)
}

class SchemaReader implements Reader {
  readonly #options: SchemaEngineOptions
  readonly #contents: ContentTable = new ContentTable()
  readonly #closures: ClosureFinder
  readonly #tools: ValidatorTools
  readonly #stores: WeakMap<SealedStore, ContextStore> = new WeakMap()

  constructor(options: SchemaEngineOptions) {
    const policy = readPolicy(options.ajv, options)
    this.#options = options
    this.#closures = new ClosureFinder(options.jsonSchemaDialect ?? 'draft-07')
    this.#tools = {
      options,
      tiers: new Tiers('never'),
      deciders: new Deciders(new AjvPool(options.ajv), policy),
      checks: new WeakMap(),
      hot: new Set(),
    }
  }

  refusalOf(use: SchemaUse, store: SealedStore): Refusal {
    let known: PreparedRefusal | undefined
    const refusal = (): PreparedRefusal =>
      (known ??= new PreparedRefusal(this.#tools, use, this.#prepare(use.schema, store)))
    return {
      decider: () => refusal().decider(),
      mapErrors: (errors, data, decider) => refusal().mapErrors(errors, data, decider),
    }
  }

  deepText(schema: unknown, store: SealedStore, mode: SerializationMode): Serializer {
    const { root: location, scope } = this.#prepare(schema, store)
    const options = readSerializerOptions(this.#options.serializerOpts)
    const node = readSerializer({ location, scope, mode, options, definitions: new WeakMap() })
    return writeText(node, true, createSharedParts().ownTexts)
  }

  #prepare(schema: unknown, store: SealedStore): PreparedSchema {
    return new PreparedSchema(this.#contents.intern(schema), this.#storeOf(store), this.#closures, false)
  }

  /** All schemas of a store have been added when the first value is refused. */
  #storeOf(store: SealedStore): ContextStore {
    const known = this.#stores.get(store)
    if (known !== undefined) return known
    const read = new ContextStore(store.name, undefined, this.#contents, new Map())
    for (const schema of Object.values(store.all())) read.add(schema)
    this.#stores.set(store, read)
    return read
  }
}
