import { FieldError, problemOfField, StatusError } from '@cloister/wire/message'

import { createError } from '../errors.ts'
import type { ResponseHeaders } from './exchange.ts'

/**
 * Explains why a transport could not write a head.
 *
 * @returns `CLO_ERR_REP_INVALID_HEADER` with the header at fault, `CLO_ERR_BAD_STATUS_CODE`; `cause` itself when it is
 * neither
 */
export function explainHead(headers: ResponseHeaders, cause: unknown): unknown {
  if (cause instanceof StatusError) return createError('BAD_STATUS_CODE', { status: cause.given }, { cause })
  if (cause instanceof FieldError)
    return createError('REP_INVALID_HEADER', { name: cause.field, reason: cause.reason }, { cause })
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    const reason = value === undefined ? null : problemOfField(name, value)
    if (reason !== null) return createError('REP_INVALID_HEADER', { name, reason }, { cause })
  }
  return cause
}
