import type { BaseLogger, LogControllerOptions, LogMetadata, RequestLogController } from '../types/logger.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from '../types/fastify/interfaces.ts'
import { atOnce, createError } from '../errors.ts'
import { endOf } from '../exchange/ends.ts'
import { hush, isFunction, typeName } from '../guards.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { messageOf } from '../read-error.ts'

/**
 * Writes the log lines of the framework about requests. Extend it and pass an instance as the option `logController`.
 * An overriding method replaces the line, and has to call `isLogDisabled` itself. Each method returns the logger's
 * result, so that the rejection of an asynchronous logger is reported.
 *
 * @example
 * ```ts
 * import { cloister, LogController } from 'cloister'
 * import type { FastifyReply, FastifyRequest } from 'cloister'
 *
 * class QuietStart extends LogController {
 *   override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
 *     if (!this.isLogDisabled(request)) request.log.debug({ req: request }, 'incoming request')
 *   }
 * }
 * const logController = new QuietStart({ disableRequestLogging: ({ url }) => url === '/health' })
 * const app = cloister({ logger: true, logController })
 * ```
 */
export class LogController implements RequestLogController {
  /** Disables the logs of all requests, or of those that a function selects. */
  disableRequestLogging: boolean | ((request: FastifyRequest) => boolean)
  /** The property with the id of the request in its log lines. */
  requestIdLogLabel: string

  constructor(options: LogControllerOptions = {}) {
    this.disableRequestLogging = options.disableRequestLogging ?? false
    this.requestIdLogLabel = options.requestIdLogLabel ?? 'reqId'
  }

  /** Returns whether logging is disabled for this request. Called once per log line. */
  isLogDisabled(request: FastifyRequest): boolean {
    const { disableRequestLogging: disabled } = this
    return typeof disabled === 'function' ? disabled(request) : disabled
  }

  /** Logs a new request. */
  incomingRequest(request: FastifyRequest, _reply: FastifyReply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return
    return hush(request.log.info({ req: request }, 'incoming request'))
  }

  /**
   * Logs the end of a request: the response was sent, failed, or the client disconnected
   * (`ERR_STREAM_PREMATURE_CLOSE`).
   */
  requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    _metadata?: LogMetadata,
  ): void {
    if (this.isLogDisabled(request)) return
    const { log, elapsedTime: responseTime } = reply
    const { name } = endOf(error)
    if (name === 'complete') return hush(log.info({ res: reply, responseTime }, 'request completed'))
    if (name === 'left') return hush(log.info({ res: reply, responseTime }, 'request aborted'))
    return hush(log.error({ res: reply, err: error, responseTime }, 'request errored'))
  }

  /** Logs an error that no error handler of the application has handled: at `info` below status 500. */
  defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return
    const message = messageOf(error)
    if (reply.statusCode < 500) return hush(reply.log.info({ res: reply, err: error }, message))
    return hush(reply.log.error({ req: request, res: reply, err: error }, message))
  }

  /** Logs a stream that failed after the headers were sent. */
  streamError(error: Error, request: FastifyRequest, reply: FastifyReply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return
    if (endOf(error).name === 'left') return hush(reply.log.info({ res: reply }, 'stream closed prematurely'))
    const message = 'response terminated with an error with headers already sent'
    return hush(reply.log.warn({ err: error, res: reply }, message))
  }

  /** Logs a request that matches no route, if the application has no not-found handler. */
  routeNotFound(request: FastifyRequest, _reply: FastifyReply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return
    return hush(request.log.info(`Route ${request.method}:${request.url} not found`))
  }

  /** Logs an error response that failed; the framework sends a plain one instead. */
  writeHeadError(error: Error, request: FastifyRequest, reply: FastifyReply, _metadata?: LogMetadata): void {
    if (this.isLogDisabled(request)) return
    return hush(reply.log.warn({ req: request, res: reply, err: error }, messageOf(error)))
  }

  /** Logs an error payload that its response schema failed to serialize. */
  serializerError(
    error: Error,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata: { readonly statusCode: number },
  ): void {
    if (this.isLogDisabled(request)) return
    const { statusCode } = metadata
    return hush(reply.log.error({ err: error, statusCode }, 'the error could not be serialized'))
  }

  /** Logs a request that was rejected because the app is closing. */
  serviceUnavailable(logger: BaseLogger, _server: FastifyInstance): void {
    const message = 'request aborted: the app is closing and takes no new requests'
    return hush(logger.info({ res: { statusCode: 503 } }, message))
  }
}

type LogOptions = Pick<AppOptions, 'logController' | 'disableRequestLogging' | 'requestIdLogLabel'>

/**
 * Returns the log controller of the application, or creates one from the options of the app.
 *
 * @throws `CLO_ERR_LOG_INVALID_LOG_CONTROLLER`
 */
export function createLogController(options: LogOptions): LogController {
  const { logController, disableRequestLogging: disabled, requestIdLogLabel } = options
  if (logController instanceof LogController) return logController
  if (logController !== null)
    throw createError('LOG_INVALID_LOG_CONTROLLER', { type: typeName(logController) })
  const disableRequestLogging = isFunction(disabled)
    ? (request: FastifyRequest): boolean => Boolean(atOnce(disabled(request), 'disableRequestLogging'))
    : disabled
  return new LogController({ disableRequestLogging, requestIdLogLabel })
}
