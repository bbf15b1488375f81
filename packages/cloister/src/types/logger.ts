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

/** A level of the log, including `silent`; other loggers can have other levels. */
export type LogLevel = LevelWithSilent | (string & Record<never, never>)

/** The methods that the framework needs of a logger; pino has them. */
export interface BaseLogger extends Pick<
  PinoBaseLogger,
  'level' | 'info' | 'error' | 'debug' | 'fatal' | 'warn' | 'trace' | 'silent'
> {
  /** Creates a logger that adds bindings to each line. */
  child(bindings: Bindings, options?: ChildLoggerOptions): BaseLogger
}

/** A stream that log lines are written to. */
export interface LogDestination {
  /** Writes one line, with its line break. */
  write(line: string): void
}

/** The option `logger` as an object: options of pino, and where to write. */
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
   * @throws `CLO_ERR_LOG_INVALID_DESTINATION` together with `stream`
   */
  file?: string
  /**
   * Sets a stream to write to.
   *
   * @default the standard output
   */
  stream?: LogDestination
  /** Sets functions that convert values for the log, by their key. */
  serializers?: { readonly [key: string]: (value: never) => unknown }
}

/** Creates the logger of a request from the parent logger, bindings, options and the request of Node. */
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
   * Omits the log lines about requests and about the errors that end them. A function decides for each
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

/** The details of a log line beside request and reply. */
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
