import { createError } from '../errors.ts'
import { isFunction, isRecord } from '../guards.ts'
import { createPino } from './create-pino.ts'
import { guardStream } from './destination.ts'
import { guardSerializers, serializers } from './serializers.ts'

/** A log function. It takes an object and a message, or only a message. */
export type LogFunction = (objectOrMessage: unknown, ...rest: unknown[]) => void

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** The part of pino's interface that the framework and its plugins use. */
export interface Logger extends Record<Level, LogFunction> {
  level?: string
  child(bindings: Record<string, unknown>, options?: object): Logger
}

const REQUIRED: readonly string[] = ['info', 'error', 'debug', 'fatal', 'warn', 'trace', 'child']

function missingFunctions(value: unknown): readonly string[] {
  if (!isRecord(value) && !isFunction(value)) return REQUIRED
  return REQUIRED.filter((name) => !isFunction(Reflect.get(value, name)))
}

/**
 * Checks that a value has the log functions of pino.
 *
 * @throws `CLO_ERR_LOG_INVALID_LOGGER` with the missing functions
 */
export function assertLogger(value: unknown): asserts value is Logger {
  const missing = missingFunctions(value)
  if (missing.length > 0) throw createError('LOG_INVALID_LOGGER', { missing: missing.join(',') })
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
  if (option && instance) throw createError('LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED', {})
  if (instance && isNoLogger(instance)) {
    throw createError('LOG_INVALID_LOGGER_INSTANCE', { missing: REQUIRED.join(',') })
  }
  const given = (instance || undefined) ?? (isRecord(option) && !isNoLogger(option) ? option : undefined)
  if (given !== undefined) {
    assertLogger(given)
    const own: unknown = Reflect.get(given, Symbol.for('pino.serializers'))
    const merged = { ...serializers(), ...(isRecord(own) ? own : {}) }
    const logger = given.child({}, { serializers: merged })
    if (logger !== given) guardStream(logger)
    return { logger, hasLogger: true, isPino: isRecord(own) && isPino(given) }
  }
  if (!option) return { logger: createNullLogger(), hasLogger: false, isPino: false }
  return { logger: createOwnLogger(isRecord(option) ? option : {}), hasLogger: true, isPino: true }
}

/** Returns whether a logger is a pino instance with its original `child` method. */
function isPino(given: object): boolean {
  return Symbol.for('pino.formatters') in given && !Object.hasOwn(given, 'child')
}

/** Returns whether a value has none of the log functions, so that it is not an incomplete logger but something else. */
function isNoLogger(value: unknown): boolean {
  return missingFunctions(value).length === REQUIRED.length
}

function createOwnLogger(options: Readonly<Record<string, unknown>>): Logger {
  const own = options['serializers']
  const logger = createPino({
    level: 'info',
    ...options,
    serializers: { ...serializers(), ...(isRecord(own) ? guardSerializers(own) : {}) },
  })
  assertLogger(logger)
  guardStream(logger)
  return logger
}
