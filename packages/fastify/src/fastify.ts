import { cloister, CloisterError, createErrorCodes, definePlugin, LogController } from 'cloister'
import type { CloisterOptions, ErrorCodes, ErrorName, RootContext } from 'cloister'
import type { LoadingCloister } from 'cloister/types'
import { withDefaults } from './with-defaults.ts'

/** The code of an error of the framework, under the prefix that it has here. */
export type ErrorCode = `FST_ERR_${ErrorName}`

/** The constructors of coded errors, by code. */
export type FastifyErrorCodes = ErrorCodes<'FST_ERR_'>

/** The type of the factory. Apps for Fastify pass options of their own to plugins, so unknown names compile here. */
export type FastifyFactory = <const O extends CloisterOptions = CloisterOptions>(
  options?: O,
) => LoadingCloister<RootContext<O>>

/** The constructors of every coded error, by the code that Fastify has for it. */
const errorCodes: FastifyErrorCodes = createErrorCodes('FST_ERR_')

const factory: FastifyFactory = withDefaults(cloister, {
  errorCodePrefix: 'FST_ERR_',
  cookieSchemas: 'document',
  documentedTrailingSlash: 'slash',
  rootPluginName: 'fastify',
})

/** Makes an app of Cloister whose error codes begin with `FST_ERR_` and whose root is called `fastify`; see `cloister`. */
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
