import type { CompilationUnit } from '../codegen/reference.ts'
import type { SchemaEngineOptions, SerializationMode } from '../options.ts'
import type { SerializerOptions } from '../serializer/read/parse.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import type { Accept } from '../validator/decider.ts'
import type { BuiltFunctions, BuiltSerializer, Recorded, SerializerUnits } from './built.ts'
import { keyOf, serializerSettings, validatorSettings } from './key.ts'

type Use = Pick<Recorded, 'part' | 'route'>

/** The functions that were made ahead for one engine. */
export class Ahead {
  readonly #built: BuiltFunctions
  readonly #options: SchemaEngineOptions
  readonly #validatorSettings: string | undefined

  constructor(built: BuiltFunctions, options: SchemaEngineOptions) {
    this.#built = built
    this.#options = options
    this.#validatorSettings = validatorSettings(options)
  }

  /** The acceptor of a schema; `null` if it has none, undefined if it was not made ahead. */
  validator(prepared: PreparedSchema): (() => Accept) | null | undefined {
    const key = this.#validatorKey(prepared)
    return key === undefined ? undefined : this.#built.validators[key]
  }

  serializer(
    prepared: PreparedSchema,
    mode: SerializationMode,
    own: SerializerOptions,
  ): BuiltSerializer | undefined {
    const key = this.#serializerKey(prepared, mode, own)
    return key === undefined ? undefined : this.#built.serializers[key]
  }

  /** Records a validator while the app is built. */
  noteValidator({ part, route }: Use, prepared: PreparedSchema, write: () => CompilationUnit | null): void {
    this.#built.recorder?.validator({ key: this.#validatorKey(prepared), part, route }, write)
  }

  /** Records a serializer while the app is built. */
  noteSerializer(
    { part, route }: Use,
    prepared: PreparedSchema,
    mode: SerializationMode,
    own: SerializerOptions,
    write: () => SerializerUnits,
  ): void {
    this.#built.recorder?.serializer({ key: this.#serializerKey(prepared, mode, own), part, route }, write)
  }

  #validatorKey(prepared: PreparedSchema): string | undefined {
    const settings = this.#validatorSettings
    return settings === undefined ? undefined : keyOf('validator', settings, prepared)
  }

  #serializerKey(
    prepared: PreparedSchema,
    mode: SerializationMode,
    own: SerializerOptions,
  ): string | undefined {
    return keyOf('serializer', serializerSettings(own, mode, this.#options), prepared)
  }
}
