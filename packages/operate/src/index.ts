export { operate } from './plugin.ts'
export { OperateError } from './errors.ts'
export type { OperateErrorCode } from './errors.ts'
export type * from './types.ts'
