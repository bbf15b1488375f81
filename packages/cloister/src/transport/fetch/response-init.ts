import { isStatus, problemOfField, StatusError } from '@cloister/wire/message'

import { JSON_CONTENT } from '../../body/media-type.ts'
import { createError } from '../../errors.ts'
import type { ResponseHeaders } from '../../exchange/exchange.ts'
import { explainHead } from '../../exchange/explain-head.ts'

/** Status and fields in the form that `Response` takes. */
export interface HeadInit {
  readonly status: number
  readonly headers: Record<string, string> | [string, string][]
}

/** Fields of the connection, which is the platform's (RFC 9110 section 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Makes the head of a `Response`.
 *
 * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_BAD_STATUS_CODE`; `CLO_ERR_TRANSPORT_UNSUPPORTED` for a status that no
 * `Response` has
 */
export function responseInit(status: number, headers: ResponseHeaders): HeadInit {
  if (!isStatus(status)) throw explainHead(headers, new StatusError(status))
  if (status < 200 || status > 599) {
    throw createError('TRANSPORT_UNSUPPORTED', {
      what: `the status ${status}`,
      instead: 'one from 200 to 599',
    })
  }
  return { status, headers: toHeaders(headers) }
}

/** Whether the framework itself has written a field, as it does in most responses. */
function isOwn(name: string, value: unknown): boolean {
  return value === JSON_CONTENT && name === 'content-type'
}

/** Returns the fields of a response as the platform takes them: an object where each has one line. */
function toHeaders(given: ResponseHeaders): Record<string, string> | [string, string][] {
  const fields: Record<string, string> = {}
  let hasLines = false
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (value === undefined || OF_CONNECTION.has(name)) continue
    // `Headers` takes control characters that no field may have (RFC 9110 section 5.5).
    if (!isOwn(name, value) && problemOfField(name, value) !== null) throw explainHead(given, null)
    if (Array.isArray(value)) hasLines = true
    else fields[name] = String(value)
  }
  return hasLines ? toLines(given) : fields
}

function toLines(given: ResponseHeaders): [string, string][] {
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined || OF_CONNECTION.has(name)
      ? []
      : [value].flat().map((line): [string, string] => [name, String(line)]),
  )
}
