import { createError } from '../errors.ts'
import { isFunction, isRecord } from '../guards.ts'
import type { Logger } from './logger.ts'

/** The log functions of pino that the framework calls. */
export const REQUIRED: readonly string[] = ['info', 'error', 'debug', 'fatal', 'warn', 'trace', 'child']

/** Returns the names of the log functions that a value has not. */
export function missingFunctions(value: unknown): readonly string[] {
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
