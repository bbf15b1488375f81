import type { Ajv, Options } from 'ajv'
import type { SchemaWarning } from './errors.ts'

/** A plugin of the validator, as a function of the instance. */
export type AjvPlugin = (ajv: Ajv, options?: never) => unknown

/** How the application customises Ajv. */
export interface AjvSettings {
  /** Merged over the baseline. */
  readonly customOptions?: Options
  /** Plugins, each alone or with its options: `[plugin, options]`. */
  readonly plugins?: readonly (AjvPlugin | readonly [AjvPlugin, unknown])[]
  /** Called with every instance after its plugins. */
  readonly onCreate?: (ajv: Ajv) => void
  /** `'JTD'`: schemas are JSON Type Definitions. */
  readonly mode?: 'JTD'
}

/** How responses are read: `compat` coerces as the 4.x line does, `strict` makes each lossy conversion an error. */
export type SerializationMode = 'compat' | 'strict'

/** When functions are generated, see `docs/schemas.md`. */
export type SchemaCompilation = 'auto' | 'eager'

/** Which errors a union reports: those of all branches, or those of the branch that its discriminator names. */
export type UnionErrors = 'all' | 'branch'

/** Options of {@link createSchemaEngine}. */
export interface SchemaEngineOptions {
  readonly ajv?: AjvSettings
  /** Serializer settings of the 4.x line: `rounding`, `largeArraySize`, `largeArrayMechanism`, … */
  readonly serializerOpts?: Readonly<Record<string, unknown>>
  /** Default `'compat'`. */
  readonly serialization?: SerializationMode
  /** Default `'auto'`. */
  readonly schemaCompilation?: SchemaCompilation
  /** Default `'all'`. */
  readonly unionErrors?: UnionErrors
  /**
   * The longest text that a request part can hold, in characters, where that is known: an expression that is slow on
   * long texts only is no danger in a short one. Default 1,048,576 for every part.
   */
  readonly longestText?: Readonly<Record<string, number>>
  /** Gets each warning once. By default it becomes a process warning with the code `SCHEMA_PATTERN_SLOW`. */
  readonly onWarning?: (warning: SchemaWarning) => void
}
