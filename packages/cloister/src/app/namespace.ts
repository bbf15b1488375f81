import { definePlugin } from '../boot/plugins/plugin.ts'
import { CloisterError, createErrorCodes, errorCodes } from '../errors.ts'
import { LogController } from '../logging/log-controller.ts'
import { sse } from '../request/items/item-formats.ts'

/** The exports of the package beside the factory, which has them as properties too. */
export interface Namespace {
  readonly definePlugin: typeof definePlugin
  readonly CloisterError: typeof CloisterError
  readonly createErrorCodes: typeof createErrorCodes
  readonly errorCodes: typeof errorCodes
  readonly LogController: typeof LogController
  readonly sse: typeof sse
}

/** Returns the exports of the package beside the factory. */
export function namespace(): Namespace {
  return { definePlugin, CloisterError, createErrorCodes, errorCodes, LogController, sse }
}

/** Gives the factory the other exports as properties. */
export function withNamespace<F extends object>(factory: F): F & Namespace {
  return Object.assign(factory, namespace())
}
