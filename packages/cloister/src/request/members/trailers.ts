import { isFieldName } from '@cloister/wire/message'

import { createError } from '../../errors.ts'
import { isFunction } from '../../functions.ts'

/** Fields that may not be sent as trailers (RFC 9110 section 6.5.1). */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'authorization',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'host',
  'max-forwards',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
])

/**
 * Checks a trailer when it is added; returns its name in lower case.
 *
 * @throws `CLO_ERR_BAD_TRAILER_NAME`, `CLO_ERR_BAD_TRAILER_VALUE`
 */
export function checkTrailer(name: string, fn: unknown): string {
  const key = name.toLowerCase()
  if (FORBIDDEN.has(key) || !isFieldName(key)) throw createError('BAD_TRAILER_NAME', { name: key })
  if (!isFunction(fn)) throw createError('BAD_TRAILER_VALUE', { name: key, type: typeof fn })
  return key
}
