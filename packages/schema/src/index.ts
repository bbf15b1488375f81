export { createSchemaEngine, type SchemaEngine, type SerializerInput, type ValidatorInput } from './engine.ts'
export type { SerializeFunction } from './build/serializers.ts'
export {
  SchemaError,
  type RouteRef,
  type SchemaErrorCode,
  type SchemaErrorDetails,
  type SchemaWarning,
} from './errors.ts'
export { isStandardSchema, type StandardSchema } from './guards.ts'
export {
  childLocation,
  SchemaScope,
  type DocumentCache,
  type SchemaDocument,
  type SchemaLocation,
  type SharedLookup,
} from './document/location.ts'
export { schemasInPlace, type PlacedSchema } from './document/in-place.ts'
export type { HttpPart, NormalizedResponse, NormalizedRouteSchema } from './normalize/route-schema.ts'
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
export type { ErrorObject } from 'ajv'
export type { Expression } from './regexp/compile.ts'
export { SerializeError } from './runtime/errors.ts'
export type { ValueHolder } from './validator/decider.ts'
export type { ValidateFunction } from './validator/create-validator.ts'
