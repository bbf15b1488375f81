import { cloister as factory } from './app.ts'
import { errorCodes } from './errors.ts'

/** The factory, which also carries the named exports: `cloister.errorCodes`, `cloister.cloister`. */
const cloister: typeof factory & {
  readonly cloister: typeof factory
  readonly fastify: typeof factory
  readonly default: typeof factory
  readonly errorCodes: typeof errorCodes
} = Object.assign(factory, { cloister: factory, fastify: factory, default: factory, errorCodes })

export { cloister, cloister as fastify, cloister as default, errorCodes }
export { definePlugin } from './boot/define-plugin.ts'
export { CloisterError } from './errors.ts'
export type { ErrorCode, ErrorName, Fault } from './errors.ts'
export type * from './types/public.ts'
