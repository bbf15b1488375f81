import type { BaseLogger } from './logger.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from './peer.ts'

/** Options of a log controller. */
export interface LogControllerOptions {
  /** No lines about requests and the errors that they end with, or not about those that the function names. */
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean)
  /** The key of a request's id in its lines. */
  requestIdLogLabel?: string
}

/** Details of a log line beside the request and its reply. */
export type LogMetadata = Record<string, unknown>

/** The members of `LogController`. */
export interface RequestLogController {
  /** Which requests are not logged. */
  disableRequestLogging: boolean | ((request: FastifyRequest) => boolean)
  /** The key of a request's id in its lines. */
  requestIdLogLabel: string
  /** Whether logging is disabled for this request. Called once per log line. */
  isLogDisabled(request: FastifyRequest): boolean
  /** A request came. */
  incomingRequest(request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** A request was answered, failed on its way out, or its client went away (`ERR_STREAM_PREMATURE_CLOSE`). */
  requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata?: LogMetadata,
  ): void
  /** An error that no handler of the application answered. */
  defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** A stream broke off after the headers were sent. */
  streamError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** No route matches, and no handler of the application answers that. */
  routeNotFound(request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** An error could not be answered as usual; a plain response is sent. */
  writeHeadError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** The response schema failed to serialize the error payload. */
  serializerError(
    error: Error,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata: { readonly statusCode: number },
  ): void
  /** A request came while the app closes, and was refused. */
  serviceUnavailable(logger: BaseLogger, server: FastifyInstance): void
}
