/** Schemas as the serializer reads them: what its parts share. */
import { listOf } from '../../guards.ts'
import type { SchemaLocation } from '../../document/location.ts'
import type { SerializationMode } from '../../options.ts'
import { compileExpression, type Expression } from '../../regexp/compile.ts'
import type { SharedDefinitions } from '../nodes/reference.ts'
import type { Rounding } from '../nodes/scalars.ts'

/** A schema object, before its keywords have been read. */
export type SchemaObject = Readonly<Record<string, unknown>>

/** Resolves references, without access to the store. */
export interface RefScope {
  /** Returns the target of a `$ref` at `from`; `undefined` if there is none. */
  resolve(from: SchemaLocation, ref: string): SchemaLocation | undefined
}

/** Returns the strings of a keyword that holds a list of names. */
export function stringsOf(value: unknown): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === 'string')
}

/** The options of a reader. */
export interface ReadOptions {
  readonly mode: SerializationMode
  readonly rounding: Rounding
  /** Arrays of at least this length are written natively; `undefined`: none. */
  readonly nativeArrayFrom: number | undefined
  /** The definitions that serializers share; `undefined` when this one shares none. */
  readonly shared: SharedDefinitions | undefined
}

/** Compiles a pattern: with the `u` flag as JSON Schema requires, without it when it is valid only so. */
export function compilePattern(source: string, pointer: string): Expression {
  for (const flags of ['u', '']) {
    try {
      return compileExpression(source, flags)
    } catch {
      // The next one, or the error below.
    }
  }
  throw new SerializerBuildError(`${JSON.stringify(source)} is not a regular expression`, pointer)
}

/** Thrown by the compilation of a schema that cannot become a serializer. */
export class SerializerBuildError extends Error {
  override readonly name = 'SerializerBuildError'
  /** The problem of the schema. */
  readonly reason: string

  /** JSON pointer into the schema. */
  readonly pointer: string

  constructor(reason: string, pointer: string) {
    super(pointer === '' ? reason : `${reason} (at ${pointer})`)
    this.reason = reason
    this.pointer = pointer
  }
}
