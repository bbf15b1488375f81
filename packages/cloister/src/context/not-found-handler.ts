import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from './context.ts'

/** The handler of requests that match no route, below one prefix. */
export interface NotFoundHandler {
  readonly handler: AnyFunction
  readonly preValidation: readonly AnyFunction[]
  readonly preHandler: readonly AnyFunction[]
  readonly errorHandler: AnyFunction | null
  readonly context: Context
  readonly callSite: CallSite
}

/** A not-found handler as the application gave it. */
export interface GivenNotFoundHandler {
  readonly options: unknown
  /** without one the framework responds itself */
  readonly handler: unknown
  readonly context: Context
  readonly callSite: CallSite
}

/**
 * Adds a not-found handler to those of an app: one for each prefix.
 *
 * @throws `CLO_ERR_NOT_FOUND_HANDLER_ALREADY_SET`, naming where the first one was set
 */
export function addNotFoundHandler(handlers: NotFoundHandler[], given: GivenNotFoundHandler): void {
  const { options, handler, context, callSite } = given
  if (handler !== undefined && !isFunction(handler)) {
    throw createError('ERROR_HANDLER_NOT_FN', { type: typeName(handler) })
  }
  const first = handlers.find((other) => other.context.prefix === context.prefix)
  if (first !== undefined) {
    const prefix = context.prefix || '/'
    throw createError('NOT_FOUND_HANDLER_ALREADY_SET', { prefix, first: first.callSite.toString() })
  }
  if (!isFunction(handler)) return
  const { preValidation, preHandler, errorHandler } = isRecord(options) ? options : {}
  handlers.push({
    handler,
    preValidation: hooksOf(preValidation),
    preHandler: hooksOf(preHandler),
    errorHandler: isFunction(errorHandler) ? errorHandler : null,
    context,
    callSite,
  })
}

function hooksOf(given: unknown): readonly AnyFunction[] {
  return [given ?? []].flat().filter(isFunction)
}
