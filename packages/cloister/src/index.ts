import { cloister as factory } from './app.ts'
import { withNamespace, type Namespace } from './app/namespace.ts'
import { definePlugin } from './boot/plugins/plugin.ts'
import { CloisterError, createErrorCodes, errorCodes } from './errors.ts'
import { LogController } from './logging/log-controller.ts'
import { sse } from './request/items/item-formats.ts'

/** The factory with the named exports as properties: `cloister.errorCodes`, `cloister.cloister`. */
const cloister: typeof factory &
  Namespace & {
    readonly cloister: typeof factory
    /** Same as `cloister`, for apps of Fastify 4.x. */
    readonly fastify: typeof factory
    readonly default: typeof factory
  } = withNamespace(Object.assign(factory, { cloister: factory, fastify: factory, default: factory }))

export {
  cloister,
  cloister as fastify,
  cloister as default,
  definePlugin,
  CloisterError,
  createErrorCodes,
  errorCodes,
  LogController,
  sse,
}
export type * from './types/written.ts'
