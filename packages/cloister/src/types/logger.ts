import type {
  BaseLogger as PinoBaseLogger,
  Bindings,
  ChildLoggerOptions,
  LevelWithSilent,
  LogFn,
  LoggerOptions,
} from 'pino'

import type { RawRequestOf } from './raw.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from './fastify/interfaces.ts'

export type { Bindings, ChildLoggerOptions, LogFn, LoggerOptions as PinoLoggerOptions }

/** A log level, including `silent`. Other loggers may have other levels. */
export type LogLevel = LevelWithSilent | (string & Record<never, never>)

/** The methods that the framework needs in a logger. pino has them. */
export interface BaseLogger extends Pick<
  PinoBaseLogger,
  'level' | 'info' | 'error' | 'debug' | 'fatal' | 'warn' | 'trace' | 'silent'
> {
  /** Creates a logger that adds bindings to each line. */
  child(bindings: Bindings, options?: ChildLoggerOptions): BaseLogger
}

/** A stream that log lines are written to. */
export interface LogDestination {
  /** Writes one line, including its line break. */
  write(line: string): void
}

/** The option `logger` as an object: options of pino, and the destination. */
export interface LoggerConfig extends Omit<LoggerOptions, 'level' | 'serializers'> {
  /**
   * Sets the lowest level that is written.
   *
   * @default 'info'
   */
  level?: LogLevel
  /**
   * Sets a file to write to.
   *
   * @throws `CLO_ERR_LOG_INVALID_DESTINATION` if `stream` is also given
   */
  file?: string
  /**
   * Sets a stream to write to.
   *
   * @default the standard output
   */
  stream?: LogDestination
  /** Sets functions that convert values for the log, by property name. */
  serializers?: { readonly [key: string]: (value: never) => unknown }
}

/** Creates the logger of a request from the parent logger, bindings, options and Node's request. */
export type ChildLoggerFactory<This = object> = (
  this: This,
  logger: BaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
  rawRequest: RawRequestOf,
) => BaseLogger

/** Options of a log controller. */
export interface LogControllerOptions {
  /**
   * Omits the log lines about requests and their errors. A function decides for each request.
   *
   * @default false
   */
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean)
  /**
   * Sets the property name of the request id in log lines.
   *
   * @default 'reqId'
   */
  requestIdLogLabel?: string
}

/** Further details of a log line, in addition to request and reply. */
export type LogMetadata = Record<string, unknown>

/**
 * Writes the log lines about requests; `LogController` implements it. Override a method to change its line.
 */
export interface RequestLogController {
  /** Disables the logs of all requests, or of those that a function selects. */
  disableRequestLogging: boolean | ((request: FastifyRequest) => boolean)
  /** The property name of the request id in log lines. */
  requestIdLogLabel: string
  /** Returns whether logging is disabled for this request. Called once per log line. */
  isLogDisabled(request: FastifyRequest): boolean
  /** Logs a new request. */
  incomingRequest(request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /**
   * Logs the end of a request: the response was sent, failed, or the client disconnected
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
  /** Logs a stream that failed after the headers were sent. */
  streamError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** Logs a request that matches no route, if the application has no not-found handler. */
  routeNotFound(request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** Logs an error response that failed; the framework sends a plain one instead. */
  writeHeadError(error: Error, request: FastifyRequest, reply: FastifyReply, metadata?: LogMetadata): void
  /** Logs an error payload that its response schema failed to serialize. */
  serializerError(
    error: Error,
    request: FastifyRequest,
    reply: FastifyReply,
    metadata: { readonly statusCode: number },
  ): void
  /** Logs a request that was rejected because the app is closing. */
  serviceUnavailable(logger: BaseLogger, server: FastifyInstance): void
}
