import type { BaseLogger } from './logger.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from './peer.ts'

/** Options of a log controller. */
export interface LogControllerOptions {
  /**
   * Omits the log lines about requests and the errors that they end with; a function decides for each
   * request.
   *
   * @default false
   */
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean)
  /**
   * Sets the key of the request id in log lines.
   *
   * @default 'reqId'
   */
  requestIdLogLabel?: string
}

/** Details that a log line has beside request and reply. */
export type LogMetadata = Record<string, unknown>

/**
 * Writes the log lines about requests; `LogController` implements it. Override a method to change its line.
 */
export interface RequestLogController {
  /** Whether, or for which requests, log lines are omitted. */
  disableRequestLogging: boolean | ((request: FastifyRequest) => boolean)
  /** The key of the request id in log lines. */
  requestIdLogLabel: string
  /** Whether logging is disabled for this request. Called once per log line. */
  isLogDisabled(request: FastifyRequest): boolean
  /** Logs that a request arrived. */
  incomingRequest(request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /**
   * Logs that a response was sent, that it failed, or that the client disconnected
   * (`ERR_STREAM_PREMATURE_CLOSE`).
   */
  requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata?: LogMetadata,
  ): void
  /** Logs an error that no error handler of the application has handled. */
  defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** Logs that a stream failed after the headers were sent. */
  streamError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** Logs that no route matches and the application has no not-found handler. */
  routeNotFound(request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** Logs an error whose response failed; the framework sends a plain one instead. */
  writeHeadError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** Logs that the response schema failed to serialize the error payload. */
  serializerError(
    error: Error,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata: { readonly statusCode: number },
  ): void
  /** Logs that a request was refused because the app closes. */
  serviceUnavailable(logger: BaseLogger, server: FastifyInstance): void
}
