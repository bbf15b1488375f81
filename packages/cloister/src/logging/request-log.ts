import { createError } from '../errors.ts'
import { isLate } from '../functions.ts'
import type { AppState } from '../app-state.ts'
import { rawRequestOrView } from '../exchange/request-view.ts'
import { kExchange, kPlan } from '../symbols.ts'
import type { RequestImpl } from '../request/request.ts'
import { assertLogger } from './logger.ts'
import type { Logger } from './logger.ts'

/** The logger of one request: a child with its id, and the level and serializers of its route. */
export function createRequestLogger(request: RequestImpl): Logger {
  const { app, context, logLevel, logSerializers, childLoggerFactory } = request[kPlan]
  if (!app.hasLogger && childLoggerFactory === null) return app.logger
  const bindings = { [app.logController.requestIdLogLabel]: request.id }
  // Options, even empty ones, make pino set its child up anew.
  if (app.isPino && childLoggerFactory === null && logLevel === '' && logSerializers === null) {
    return app.logger.child(bindings)
  }
  const options: Record<string, unknown> = {}
  if (logLevel !== '') options['level'] = logLevel
  if (logSerializers !== null) options['serializers'] = logSerializers
  if (childLoggerFactory === null) return createChildLogger(app.logger, bindings, options)
  const child: unknown = childLoggerFactory.call(
    context.instance,
    app.logger,
    bindings,
    options,
    rawRequestOrView(request[kExchange]),
  )
  if (isLate(child)) throw createError('CALLBACK_NOT_SYNC', { name: 'childLoggerFactory' })
  assertLogger(child)
  return child
}

/** `app.childLoggerFactory` where the application has set none. */
export function createChildLogger(
  logger: Logger,
  bindings: Record<string, unknown>,
  options: Record<string, unknown>,
): Logger {
  return logger.child(bindings, options)
}

/** The log controller as the framework calls it: with requests and replies of its own making. */
export interface LogControl {
  readonly requestIdLogLabel: string
  isLogDisabled(request: object): boolean
  incomingRequest(request: object, reply: object): void
  requestCompleted(error: Error | null, request: object, reply: object): void
  defaultErrorLog(error: Error, request: object, reply: object): void
  streamError(error: Error, request: object, reply: object): void
  routeNotFound(request: object, reply: object): void
  writeHeadError(error: Error, request: object, reply: object): void
  serializerError(error: Error, request: object, reply: object, metadata: { statusCode: number }): void
  serviceUnavailable(logger: Logger, server: object): void
}

/** Writes a line where nobody is left to answer: what a log controller throws is only logged. */
export function logSafely(app: AppState, write: () => void): void {
  try {
    write()
  } catch (failure) {
    reportLogFailure(app, failure)
  }
}

/** Logs what a log controller has thrown. */
export function reportLogFailure(app: AppState, err: unknown): void {
  app.logger.error({ err }, 'the logController failed')
}
