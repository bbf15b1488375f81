import { messageOf } from '../read-error.ts'
import { hush, isThenable, whenSettled, type Dictionary } from '../guards.ts'
import type { Logger } from './logger.ts'
import { warn } from './warnings.ts'

/** The default of `childLoggerFactory`. */
export function createChildLogger(logger: Logger, bindings: Dictionary, options: object): Logger {
  return logger.child(bindings, options)
}

/** The log controller with the types of internal requests and replies. */
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

/** The parts of an app that logging needs: its logger, and whether the logger has thrown before. */
export interface LogOwner {
  readonly logger: Logger
  logHasThrown: boolean
}

/** Writes a log line. Errors of a logger or a log controller don't affect the response. */
export function logSafely(
  app: LogOwner,
  write: () => unknown,
  report: typeof warnOnce = reportLogFailure,
): void {
  try {
    const result = write()
    if (isThenable(result)) whenSettled(result, nothing, (failure) => report(app, failure))
  } catch (failure) {
    report(app, failure)
  }
}

/** Logs an error of a log controller. If the logger throws too, its first error causes a process warning. */
export function reportLogFailure(app: LogOwner, err: unknown): void {
  hush(err)
  logSafely(app, () => app.logger.error({ err }, 'the log controller or the logger failed'), warnOnce)
}

function warnOnce(app: LogOwner, failure: unknown): void {
  hush(failure)
  if (app.logHasThrown) return
  app.logHasThrown = true
  warn('LOG_LOST', { reason: messageOf(failure) })
}

function nothing(): void {}
