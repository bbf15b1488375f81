import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from './context.ts'

/** The handler of requests that match no route, for one prefix. */
export interface NotFoundHandler<Handler = AnyFunction, Options = Readonly<Record<string, unknown>>> {
  readonly handler: Handler
  /** hooks (`preValidation`, `preHandler`) and an `errorHandler`, as the application wrote them */
  readonly options: Options
  readonly context: Context
  readonly callSite: CallSite
}

/**
 * Adds a not-found handler to those of an app: one per prefix.
 *
 * @param given - without a handler, the framework responds itself
 * @throws `CLO_ERR_NOT_FOUND_HANDLER_ALREADY_SET`, with the call site of the first handler
 */
export function addNotFoundHandler(
  handlers: NotFoundHandler[],
  given: NotFoundHandler<unknown, unknown>,
): void {
  const { options, handler, context, callSite } = given
  if (handler !== undefined && !isFunction(handler)) {
    throw createError('ERROR_HANDLER_NOT_FN', { type: typeName(handler) })
  }
  const first = handlers.find((other) => other.context.prefix === context.prefix)
  if (first !== undefined) {
    const prefix = context.prefix || '/'
    throw createError('NOT_FOUND_HANDLER_ALREADY_SET', { prefix, first: first.callSite.toString() })
  }
  if (isFunction(handler)) {
    handlers.push({ handler, options: isRecord(options) ? options : {}, context, callSite })
  }
}
