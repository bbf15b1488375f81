import { checkDynamicAnchors } from '../check/dynamic-anchors.ts'
import type { SchemaLocation } from '../document/location.ts'
import type { SerializationMode } from '../options.ts'
import type { BuiltSerializer } from '../ahead/built.ts'
import {
  assembleBuilt,
  createSharedParts,
  interpretSerializer,
  type SharedParts,
} from '../serializer/assemble.ts'
import { compileSerializer, writeSerializer } from '../serializer/compile.ts'
import type { Node as SerializerNode } from '../serializer/nodes/node.ts'
import type { SharedDefinitions } from '../serializer/nodes/reference.ts'
import { FORMS_PER_SCHEMA, readSerializer, type SerializerOptions } from '../serializer/read/parse.ts'
import { readSerializerOptions } from '../serializer/read/settings.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import type { Tier } from '../tiers.ts'
import { locating, type BuildParts, type SchemaUse } from './parts.ts'
import { remember } from '../remember.ts'

/** Serializes a payload to JSON text. */
export type SerializeFunction = (payload: unknown) => string

interface SerializerTables {
  readonly definitions: SharedDefinitions
  readonly parts: SharedParts
}

/** The serializers of an engine, each compiled once. */
export class Serializers {
  readonly #parts: BuildParts
  readonly #options: SerializerOptions
  readonly #known: Map<string, SerializeFunction> = new Map()
  /** The keys of serializers that have become generated code. */
  readonly #hot: Set<string> = new Set()
  readonly #tables: Readonly<Record<SerializationMode, SerializerTables>> = {
    compat: { definitions: new WeakMap(), parts: createSharedParts() },
    strict: { definitions: new WeakMap(), parts: createSharedParts() },
  }

  constructor(parts: BuildParts) {
    this.#parts = parts
    this.#options = readSerializerOptions(parts.options.serializerOpts)
  }

  /** Compiles the serializer of a schema, or returns the existing one. */
  get(use: SchemaUse, prepared: PreparedSchema, wanted: SerializationMode | undefined): SerializeFunction {
    const mode = this.#modeOf(wanted)
    const key = keyOf(prepared, mode)
    return remember(this.#known, key, () => this.#build(use, prepared, mode))
  }

  tierOf(prepared: PreparedSchema, wanted: SerializationMode | undefined): Tier {
    return this.#parts.tiers.tierOf(this.#hot.has(keyOf(prepared, this.#modeOf(wanted))))
  }

  #modeOf(wanted: SerializationMode | undefined): SerializationMode {
    return wanted ?? this.#parts.options.serialization ?? 'compat'
  }

  #build(use: SchemaUse, prepared: PreparedSchema, mode: SerializationMode): SerializeFunction {
    const { checker, policy, tiers, queue, options, ahead } = this.#parts
    const built = ahead?.serializer(prepared, mode)
    if (built !== undefined) return this.#ofBuilt(use, prepared, mode, built)
    checker.checkForSerialization(use.schema, prepared)
    const isLater = prepared.uses('2020-12')
    if (isLater) checkDynamicAnchors(prepared)
    if (mode === 'strict' && policy.checked) checker.checkVocabulary(use.schema, prepared)
    const isEager = options.schemaCompilation === 'eager'
    const { parts } = this.#tables[mode]
    const again = this.#readerOf(prepared, mode)
    let compiled: SerializeFunction | undefined
    let callsLeft = 0
    const make = (): SerializeFunction => {
      // Compilation right now needs no snapshot, unless part of the schema is read again later.
      const isNow = isEager && prepared.content.plain
      const first = isNow ? this.#read(prepared.rootNow(use.schema), prepared, mode) : again()
      callsLeft = tiers.patience
      return (tiers.mode === 'always' ? compileSerializer : interpretSerializer)(first, parts, { again })
    }
    const prepare = (): SerializeFunction => (compiled ??= locating(use, make))
    // The nodes are not kept, since most functions never get a second form: the schema is read again.
    const replace = (): void => {
      compiled = compileSerializer(again(), parts, { again })
      this.#hot.add(keyOf(prepared, mode))
    }
    // Only reading the schema finds a default that is not JSON, and unions and conditions with too many outcomes.
    if (isEager || isLater || !prepared.isPure || prepared.combinations > Math.log2(FORMS_PER_SCHEMA)) {
      const first = prepare()
      if (tiers.mode !== 'hot') return first
    } else if (tiers.mode === 'always') queue.add(prepare)
    ahead?.noteSerializer(use, prepared, mode, () => writeSerializer(again(), parts))
    return (payload) => {
      const serialize = compiled ?? prepare()
      if (callsLeft > 0 && --callsLeft === 0) tiers.later(replace)
      return serialize(payload)
    }
  }

  #ofBuilt(
    use: SchemaUse,
    prepared: PreparedSchema,
    mode: SerializationMode,
    built: BuiltSerializer,
  ): SerializeFunction {
    this.#hot.add(keyOf(prepared, mode))
    let assembled: SerializeFunction | undefined
    const again = (): SerializerNode => locating(use, this.#readerOf(prepared, mode))
    return (payload) => (assembled ??= assembleBuilt(built, again, this.#tables[mode].parts))(payload)
  }

  /** Reads a schema anew. Serializers keep this function, and so no more than it needs. */
  #readerOf(prepared: PreparedSchema, mode: SerializationMode): () => SerializerNode {
    return () => this.#read(prepared.root, prepared, mode)
  }

  #read(location: SchemaLocation, { scope }: PreparedSchema, mode: SerializationMode): SerializerNode {
    const { definitions } = this.#tables[mode]
    return readSerializer({ location, scope, mode, options: this.#options, definitions })
  }
}

function keyOf({ key }: PreparedSchema, mode: SerializationMode): string {
  return `${mode}|${key}`
}
