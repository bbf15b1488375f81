import { makeLogger } from './make-logger.ts'

/** A log function. It takes an object and a message, or only a message. */
export type LogFunction = (objectOrMessage: unknown, ...rest: unknown[]) => void

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** The part of pino's interface that the framework and its plugins use. */
export interface Logger extends Record<Level, LogFunction> {
  level?: string
  child(bindings: Record<string, unknown>, options?: object): Logger
}

/** Creates a logger that does nothing; its child loggers are itself. */
export function createNullLogger(): Logger {
  const log = (): void => {}
  const levels = { fatal: log, error: log, warn: log, info: log, debug: log, trace: log, silent: log }
  const logger: Logger = { ...levels, child: () => logger }
  return logger
}

export interface AppLogger {
  readonly logger: Logger
  /** false for the logger that does nothing */
  readonly hasLogger: boolean
  /** a pino logger, whose child loggers need no options */
  readonly isPino: boolean
}

/**
 * Creates the logger of an app from its `logger` and `loggerInstance` options: off, pino with options, or an instance.
 * pino is loaded only when it is used.
 *
 * @throws `CLO_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED`, `CLO_ERR_LOG_INVALID_LOGGER`,
 * `CLO_ERR_LOG_INVALID_LOGGER_INSTANCE`, `CLO_ERR_LOG_INVALID_DESTINATION`
 */
export function createLogger(option: unknown, instance: unknown): AppLogger {
  if (option || instance) return makeLogger(option, instance)
  return { logger: createNullLogger(), hasLogger: false, isPino: false }
}
