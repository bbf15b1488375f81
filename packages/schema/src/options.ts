import type { Ajv, Options } from 'ajv'
import type { Dialect } from './document/dialect.ts'
import type { SchemaWarning } from './errors.ts'

/** An Ajv plugin: a function that gets the instance. */
export type AjvPlugin = (ajv: Ajv, options?: never) => unknown

/** The application's settings for Ajv. */
export interface AjvSettings {
  /** Override the baseline. */
  readonly customOptions?: Options
  /** Plugins, each alone or with its options: `[plugin, options]`. */
  readonly plugins?: readonly (AjvPlugin | readonly [AjvPlugin, unknown])[]
  /** Called with every instance after its plugins. */
  readonly onCreate?: (ajv: Ajv) => void
  /** `'JTD'`: schemas are JSON Type Definitions. */
  readonly mode?: 'JTD'
}

/**
 * How a serializer treats values that do not match: `compat` converts them as Fastify 4.x does, `strict` throws on
 * each lossy conversion.
 */
export type SerializationMode = 'compat' | 'strict'

/** When functions are compiled, see `docs/validator.md`. */
export type SchemaCompilation = 'auto' | 'eager'

/**
 * The form of the functions for schemas. `hot`: closures at first, generated code once they are called often.
 * `always`: generated code. `never`: closures, without any code generation from strings. If the process forbids such
 * code, all three mean `never`.
 */
export type CodeGeneration = 'hot' | 'always' | 'never'

/** The errors that a union reports: those of all branches, or those of the branch that its discriminator names. */
export type UnionErrors = 'all' | 'branch'

/**
 * Where undeclared properties are removed in a union: in each branch that is tried, or only if no matching branch
 * declares them.
 */
export type UnionRemoval = 'each' | 'branch'

/** The version of JSON Schema for schemas without `$schema`. */
export type JsonSchemaDialect = Dialect

/** Options of {@link createSchemaEngine}. */
export interface SchemaEngineOptions {
  /** The application's settings for Ajv. */
  readonly ajv?: AjvSettings
  /** Serializer settings of Fastify 4.x: `rounding`, `largeArraySize`, `largeArrayMechanism`, … */
  readonly serializerOpts?: Readonly<Record<string, unknown>>
  /**
   * How serializers treat values that do not match.
   * @default 'compat'
   */
  readonly serialization?: SerializationMode
  /**
   * The dialect of schemas without `$schema`; a `$schema` overrides it.
   * @default 'draft-07'
   */
  readonly jsonSchemaDialect?: JsonSchemaDialect
  /**
   * When validators and serializers are compiled.
   * @default 'auto'
   */
  readonly schemaCompilation?: SchemaCompilation
  /**
   * Whether the functions for schemas are generated code.
   * @default 'hot'
   */
  readonly codeGeneration?: CodeGeneration
  /**
   * The errors that a union reports.
   * @default 'all'
   */
  readonly unionErrors?: UnionErrors
  /**
   * Where undeclared properties are removed in a union. `branch` has an effect with Ajv's `removeAdditional: true`,
   * on schemas whose errors the engine creates itself.
   * @default 'each'
   */
  readonly unionRemoval?: UnionRemoval
  /**
   * Which numbers are integers. With `exact`, only those from -(2^53 - 1) to 2^53 - 1, without -0: every integer that a
   * number cannot represent is read as one beyond them. `bigint` is the same, but integers with `format: 'int64'` may
   * be any: the caller reads them itself.
   * @default 'number'
   */
  readonly integers?: 'number' | 'exact' | 'bigint'
  /**
   * The maximum number of errors that a validation reports. Without it, the first error ends the validation, as in
   * Ajv without `allErrors`. It has an effect on schemas whose errors the engine creates itself.
   */
  readonly errorLimit?: number
  /**
   * The longest text that a request part can contain, in characters. An expression that is slow only on longer texts
   * is then harmless.
   * @default 1_048_576 for every part
   */
  readonly longestText?: Readonly<Record<string, number>>
  /**
   * Called once with each warning.
   * @default emits a process warning with the code `SCHEMA_PATTERN_SLOW`
   */
  readonly onWarning?: (warning: SchemaWarning) => void
}
