import { cloister, CloisterError, createErrorCodes, definePlugin, LogController } from 'cloister'
import type { CloisterFactory, ErrorCodes } from 'cloister'
import { withErrorCodes } from './with-error-codes.ts'

/** The constructors of every coded error, by the code that Fastify has for it. */
const errorCodes: ErrorCodes<'FST_ERR_'> = createErrorCodes('FST_ERR_')

const factory: CloisterFactory = withErrorCodes(cloister, 'FST_ERR_')

/** Makes an app of Cloister whose error codes begin with `FST_ERR_`; see `cloister`. */
const fastify: typeof factory & {
  readonly fastify: typeof factory
  readonly cloister: typeof factory
  readonly default: typeof factory
  readonly errorCodes: typeof errorCodes
} = Object.assign(factory, { fastify: factory, cloister: factory, default: factory, errorCodes })

export {
  fastify,
  fastify as cloister,
  fastify as default,
  errorCodes,
  CloisterError,
  createErrorCodes,
  definePlugin,
  LogController,
}
export type * from 'cloister'
