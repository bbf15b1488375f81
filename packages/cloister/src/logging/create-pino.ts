import { dependencies } from '../dependencies.ts'
import { createError } from '../errors.ts'
import { isDestination } from './destination.ts'

/** Bytes that a log file may hold back while its disk is full; further lines are lost. */
const MOST_UNWRITTEN = 8_388_608

/**
 * Makes a logger from options of pino, with `stream` or `file`.
 *
 * @throws `CLO_ERR_LOG_INVALID_DESTINATION` for both
 */
export function createPino(options: Readonly<Record<string, unknown>>): unknown {
  const { stream, file, ...settings } = options
  if (stream !== undefined && file !== undefined) throw createError('LOG_INVALID_DESTINATION', {})
  const { pino, destination: openFile } = dependencies.pino()
  const destination = typeof file === 'string' ? openFile({ dest: file, maxLength: MOST_UNWRITTEN }) : stream
  return isDestination(destination) ? pino(settings, destination) : pino(settings)
}
