import { createError } from '../errors.ts'
import { isRecord, recordOf, type Dictionary } from '../guards.ts'
import { assertLogger, missingFunctions, REQUIRED } from './assert-logger.ts'
import { createPino } from './create-pino.ts'
import { guardStream } from './destination.ts'
import type { AppLogger, Logger } from './logger.ts'
import { guardSerializers, serializers } from './serializers.ts'

/** Makes the logger of an app that has an option for it. */
export function makeLogger(option: unknown, instance: unknown): AppLogger {
  if (option && instance) throw createError('LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED', {})
  if (instance && isNoLogger(instance)) {
    throw createError('LOG_INVALID_LOGGER_INSTANCE', { missing: REQUIRED.join(',') })
  }
  const given = (instance || undefined) ?? (isRecord(option) && !isNoLogger(option) ? option : undefined)
  if (given !== undefined) {
    assertLogger(given)
    const own: unknown = Reflect.get(given, Symbol.for('pino.serializers'))
    const merged = { ...serializers(), ...recordOf(own) }
    const logger = given.child({}, { serializers: merged })
    if (logger !== given) guardStream(logger)
    return { logger, hasLogger: true, isPino: isRecord(own) && isPino(given) }
  }
  return { logger: createOwnLogger(recordOf(option)), hasLogger: true, isPino: true }
}

/** Returns whether a logger is a pino instance with its original `child` method. */
function isPino(given: object): boolean {
  return Symbol.for('pino.formatters') in given && !Object.hasOwn(given, 'child')
}

/** Returns whether a value has none of the log functions, so that it is not an incomplete logger but something else. */
function isNoLogger(value: unknown): boolean {
  return missingFunctions(value).length === REQUIRED.length
}

function createOwnLogger(options: Dictionary): Logger {
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
