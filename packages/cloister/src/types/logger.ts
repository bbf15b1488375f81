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

/** A level of the log, `silent` included; a logger of your own may know others. */
export type LogLevel = LevelWithSilent | (string & Record<never, never>)

/** What the framework asks of a logger. */
export interface BaseLogger extends Pick<
  PinoBaseLogger,
  'level' | 'info' | 'error' | 'debug' | 'fatal' | 'warn' | 'trace' | 'silent'
> {
  /** A logger with bindings of its own. */
  child(bindings: Bindings, options?: ChildLoggerOptions): BaseLogger
}

/** Where log lines go. */
export interface LogDestination {
  /** Writes one line. */
  write(line: string): void
}

/** The `logger` option: pino's options, and where to write. */
export interface LoggerConfig extends Omit<LoggerOptions, 'level' | 'serializers'> {
  /** The lowest level that is written. */
  level?: LogLevel
  /** A file to write to. */
  file?: string
  /** A stream to write to. */
  stream?: LogDestination
  /** How values are written, by their key. */
  serializers?: { readonly [key: string]: (value: never) => unknown }
}

/** Makes the logger of a request. */
export type ChildLoggerFactory<This = object> = (
  this: This,
  logger: BaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
  rawRequest: RawRequestOf,
) => BaseLogger
