import { dependencies } from '../dependencies.ts'
import { createError } from '../errors.ts'
import { isDestination } from './destination.ts'
import type { Dictionary } from '../guards.ts'

/** The most bytes that a log file buffers while writing fails, for example on a full disk. Further lines are lost. */
const MAX_UNWRITTEN = 8_388_608

/**
 * Creates a logger from options of pino, with `stream` or `file`.
 *
 * @throws `CLO_ERR_LOG_INVALID_DESTINATION` if both are given
 */
export function createPino(options: Dictionary): unknown {
  const { stream, file, ...settings } = options
  if (stream !== undefined && file !== undefined) throw createError('LOG_INVALID_DESTINATION', {})
  const { pino, destination: openFile } = dependencies.pino()
  const destination = typeof file === 'string' ? openFile({ dest: file, maxLength: MAX_UNWRITTEN }) : stream
  return isDestination(destination) ? pino(settings, destination) : pino(settings)
}
