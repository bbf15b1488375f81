export { createSchemaEngine, type SchemaEngine, type SerializerInput, type ValidatorInput } from './engine.ts'
export type { SerializeFunction } from './build/serializers.ts'
export {
  SchemaError,
  type RouteRef,
  type SchemaErrorCode,
  type SchemaErrorDetails,
  type SchemaWarning,
} from './errors.ts'
export {
  isForeignSchema,
  isPlainObject,
  isSchemaObject,
  isStandardSchema,
  unwrapFluent,
  type StandardSchema,
} from './guards.ts'
export {
  childLocation,
  SchemaScope,
  type DocumentCache,
  type SchemaDocument,
  type SchemaLocation,
  type SharedLookup,
} from './document/location.ts'
export { lowerHeaderNames } from './normalize/header-names.ts'
export { findCapitalPatterns } from './normalize/header-names.ts'
export { findUnmatchedValues } from './normalize/unmatched-values.ts'
export { canonicalMediaType } from './normalize/route-schema.ts'
export { isExactInteger, isInt64, typesOf } from './document/json-types.ts'
export { exactInteger, isExactText } from './runtime/exact-text.ts'
export { compileExpression, type Expression } from './regexp/compile.ts'
export { isKnownFormat } from './document/known-keywords.ts'
export { nearestNames } from './suggest.ts'
export { isNestingError } from './nesting.ts'
export { jsonText } from './runtime/json-text.ts'
export {
  BodyContent,
  normalizeRouteSchema,
  type HttpPart,
  type NormalizedResponse,
  type NormalizedRouteSchema,
  type NormalizeOptions,
} from './normalize/route-schema.ts'
export type {
  AjvPlugin,
  AjvSettings,
  JsonSchemaDialect,
  SchemaCompilation,
  SchemaEngineOptions,
  SerializationMode,
  UnionErrors,
  UnionRemoval,
} from './options.ts'

export type { SchemaStore } from './store/context-store.ts'
export { baselineAjvOptions } from './validator/policy.ts'
export type { ErrorObject } from 'ajv'
export { SerializeError } from './serializer/index.ts'
export type { ValueHolder } from './validator/decider.ts'
export type { ValidateFunction } from './validator/create-validator.ts'
