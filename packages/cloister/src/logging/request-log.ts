import type { Logger } from './logger.ts'

/** `app.childLoggerFactory` where the application has set none. */
export function createChildLogger(
  logger: Logger,
  bindings: Record<string, unknown>,
  options: object,
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

/** Writes a line when no response can be written any more: what a log controller throws is only logged. */
export function logSafely(app: { readonly logger: Logger }, write: () => void): void {
  try {
    write()
  } catch (failure) {
    reportLogFailure(app, failure)
  }
}

/** Logs what a log controller has thrown. */
export function reportLogFailure(app: { readonly logger: Logger }, err: unknown): void {
  app.logger.error({ err }, 'the logController failed')
}
