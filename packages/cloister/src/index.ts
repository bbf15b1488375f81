import { cloister as factory } from './app.ts'
import { definePlugin } from './boot/define-plugin.ts'
import { CloisterError, errorCodes } from './errors.ts'

/** The factory, which also carries the named exports: `cloister.errorCodes`, `cloister.cloister`. */
const cloister: typeof factory & {
  readonly cloister: typeof factory
  readonly fastify: typeof factory
  readonly default: typeof factory
  readonly definePlugin: typeof definePlugin
  readonly CloisterError: typeof CloisterError
  readonly errorCodes: typeof errorCodes
} = Object.assign(factory, {
  cloister: factory,
  fastify: factory,
  default: factory,
  definePlugin,
  CloisterError,
  errorCodes,
})

export { cloister, cloister as fastify, cloister as default, definePlugin, CloisterError, errorCodes }
// What `require('cloister')` gives: the factory itself, callable at once.
export { cloister as 'module.exports' }
export type { ErrorCode, ErrorName, Fault } from './errors.ts'
export type * from './types/public.ts'
