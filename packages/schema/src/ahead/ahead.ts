import type { SchemaEngineOptions, SerializationMode } from '../options.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import type { Accept } from '../validator/decider.ts'
import type { BuiltFunctions, BuiltSerializer, Recorded, SerializerUnits, ValidatorUnits } from './built.ts'
import { keyOf, serializerSettings, validatorSettings, type KeyKind } from './key.ts'

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
    const key = keyOfPrepared('validator', this.#validatorSettings, prepared)
    return key === undefined ? undefined : this.#built.validators[key]
  }

  serializer(prepared: PreparedSchema, mode: SerializationMode): BuiltSerializer | undefined {
    const key = keyOfPrepared('serializer', serializerSettings(mode, this.#options), prepared)
    return key === undefined ? undefined : this.#built.serializers[key]
  }

  /** Records a validator while the app is built. */
  noteValidator(use: Use, prepared: PreparedSchema, write: () => ValidatorUnits): void {
    this.#built.recorder?.validator(recorded('validator', this.#validatorSettings, use, prepared), write)
  }

  /** Records a serializer while the app is built. */
  noteSerializer(
    use: Use,
    prepared: PreparedSchema,
    mode: SerializationMode,
    write: () => SerializerUnits,
  ): void {
    const settings = serializerSettings(mode, this.#options)
    this.#built.recorder?.serializer(recorded('serializer', settings, use, prepared), write)
  }

  /** Records whether a schema allows `null`. */
  noteNullable(prepared: PreparedSchema, isNullable: boolean): void {
    const use = { part: '', route: undefined }
    this.#built.recorder?.nullable(recorded('nullable', '', use, prepared), isNullable)
  }
}

function recorded(
  kind: KeyKind,
  settings: string | undefined,
  { part, route }: Use,
  prepared: PreparedSchema,
): Recorded {
  const { content, closure } = prepared
  return {
    key: keyOfPrepared(kind, settings, prepared),
    ownKey: settings === undefined ? undefined : keyOf(kind, settings, content.text),
    shared: closure.entries.map(({ id }) => id),
    part,
    route,
  }
}

function keyOfPrepared(
  kind: KeyKind,
  settings: string | undefined,
  { content, closure }: PreparedSchema,
): string | undefined {
  if (settings === undefined) return undefined
  const shared = closure.entries.map(({ id, content: { text } }) => ({ id, text }))
  return keyOf(kind, settings, content.text, shared)
}
