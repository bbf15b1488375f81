export { otel } from './plugin.ts'
export { OtelError } from './errors.ts'
export type { OtelErrorCode } from './errors.ts'
export type * from './types.ts'
