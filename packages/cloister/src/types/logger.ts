import type {
  BaseLogger as PinoBaseLogger,
  Bindings,
  ChildLoggerOptions,
  LevelWithSilent,
  LogFn,
  LoggerOptions,
} from 'pino'

import type { RawRequestOf } from './raw.ts'

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
