/** Serializers: a schema in, a function from value to JSON text out. */
import type { SchemaPlace } from '../resolve-ref.ts'
import { compileConcat } from './emit/compile.ts'
import { publicError } from './errors.ts'
import type { Rounding } from './ir.ts'
import { Parser } from './read/parse.ts'
import type { SerializerMode } from './read/reader.ts'
import type { RefScope } from './read/source.ts'
import { isPrototypePolluted } from './runtime/containers.ts'

export { SerializeError, SerializerBuildError } from './errors.ts'
export type { Rounding } from './ir.ts'
export type { SerializerMode } from './read/reader.ts'
export type { RefScope } from './read/source.ts'

/** A compiled serializer. */
export type Serializer = (payload: unknown) => string

/** Options of the 4.x line that change what is written. */
export interface SerializerOptions {
  /** How fractions become integers in the compat reading; default `'trunc'`. */
  readonly rounding?: Rounding
  /** From this length on, {@link SerializerOptions.largeArrayMechanism} applies; default 20,000. */
  readonly largeArraySize?: number | string | bigint
  /** `'json-stringify'` writes large arrays natively, without their schema. */
  readonly largeArrayMechanism?: 'default' | 'json-stringify'
}

/** What {@link compileSerializer} is given. */
export interface SerializerInput {
  /** The schema, as a place from which its references are resolved. */
  readonly place: SchemaPlace
  /** Where references lead. */
  readonly scope: RefScope
  /** `compat` converts as the 4.x line does, `strict` makes each lossy conversion an error. */
  readonly mode: SerializerMode
  readonly options?: SerializerOptions
  /** Default `'auto'`: chosen by engine version and shape. */
  readonly backEnd?: 'auto' | 'concat' | 'project'
}

/** Compiles a schema to a function from value to JSON text. */
export function compileSerializer(input: SerializerInput): Serializer {
  const reader = new Parser(input.scope, {
    mode: input.mode,
    rounding: input.options?.rounding ?? 'trunc',
    nativeArrayFrom: undefined,
  })
  const root = reader.read([input.place])
  const fast = compileConcat(root, input.scope, { ownReads: false })
  let guarded: Serializer | undefined
  return (payload) => {
    try {
      if (!isPrototypePolluted()) return fast(payload)
      guarded ??= compileConcat(root, input.scope, { ownReads: true })
      return guarded(payload)
    } catch (error) {
      throw publicError(error)
    }
  }
}
