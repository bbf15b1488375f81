import type { CompilationUnit } from '../codegen/reference.ts'
import type { RouteRef } from '../errors.ts'
import type { SchemaEngineOptions } from '../options.ts'
import type { PrintedErrors } from '../validator/ajv/print.ts'
import type { Accept } from '../validator/decider.ts'
import type { Ahead } from './ahead.ts'

type Serializer = (payload: unknown) => string

/** A serializer as code. */
export interface BuiltSerializer {
  /** Whether `copy` is faster than `text`: on V8 13, and on other versions from 12 on. */
  readonly copies: readonly [boolean, boolean]
  text(): Serializer
  copy?(): Serializer
}

/** A serializer of a sealed build. */
export interface SealedSerializer extends BuiltSerializer {
  /** Reads own properties only, where `Object.prototype` is polluted; undefined if the reader does that. */
  own?(): Serializer
}

/** Functions for schemas that `cloister build` has made ahead, by the keys of `key.ts`. */
export interface BuiltFunctions {
  /** Makes acceptors; `null` for a schema without one. */
  readonly validators: Readonly<Record<string, (() => Accept) | null>>
  readonly serializers: Readonly<Record<string, BuiltSerializer>>
  /** Only while an app is built. */
  readonly recorder?: Recorder
}

/** The units of a validator. */
export interface ValidatorUnits {
  /** `null` if it has no acceptor. */
  readonly accept: CompilationUnit | null
  /** Its errors; `null` if only a walk has them. */
  readonly refuse: PrintedErrors | null
}

/** The units of a serializer. */
export interface SerializerUnits {
  readonly copies: readonly [boolean, boolean]
  readonly text: CompilationUnit
  /** The text of own properties. */
  readonly own: CompilationUnit
  readonly copy: CompilationUnit | null
  /** Whether its values can be nested too deeply for code. */
  readonly isRecursive: boolean
}

/** What an app has asked for while it is built. */
export interface Recorded {
  /** Undefined for a schema that JSON cannot represent. */
  readonly key: string | undefined
  /** The key of the schema alone. */
  readonly ownKey: string | undefined
  /** The `$id`s of the shared schemas that it refers to. */
  readonly shared: readonly string[]
  readonly part: string
  readonly route: RouteRef | undefined
}

/** Collects what an app asks for while it is built. */
export interface Recorder {
  validator(asked: Recorded, write: () => ValidatorUnits): void
  serializer(asked: Recorded, write: () => SerializerUnits): void
  nullable(asked: Recorded, isNullable: boolean): void
}

/** Returns the functions made ahead for an engine: none. `cloister build` replaces this module by one with a table. */
export const createAhead: (options: SchemaEngineOptions) => Ahead | null = () => null
