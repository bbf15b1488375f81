export { openApiDocument } from './openapi-document.ts'
export { asyncApiDocument } from './asyncapi/asyncapi-document.ts'
export { openapi } from './serve/plugin.ts'
export { implement } from './implement/implement.ts'
export { operationsOf } from './implement/operations-of.ts'
export type { ImplementedOperation } from './implement/operations-of.ts'
export type {
  Handlers,
  ImplementArguments,
  ImplementedPlugin,
  ImplementOptions,
  Typed,
  TypedDocument,
} from './implement/types.ts'
export type { SecurityHandler } from './implement/security-hook.ts'
export { registeredOptions } from './document/create-document.ts'
export { secures } from './document/security.ts'
export { OpenApiError } from './errors.ts'
export type { OpenApiErrorCode } from './errors.ts'
export type { DocumentOptions, OpenApiOptions, PageName, SchemaPurpose } from './options.ts'
export type { DocumentedApp } from './document/create-document.ts'
export type * from './types.ts'
