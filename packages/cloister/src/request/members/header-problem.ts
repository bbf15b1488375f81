import { validateHeaderName, validateHeaderValue } from 'node:http'

import { createError } from '../../errors.ts'
import type { ReplyHeaders } from '../exchange.ts'

/** Characters that may stand in a field value, each as one byte (RFC 9110 section 5.5). */
const NOT_ALLOWED = /[^\t\x20-\x7e\x80-\xff]/u

/** What a transport has thrown about headers, with the name of the one that it cannot write. */
export function explainHeaders(headers: ReplyHeaders, cause: unknown): unknown {
  for (const [name, value] of Object.entries(headers)) {
    const reason = problemOf(name, value)
    if (reason !== null) return createError('REP_INVALID_HEADER', { name, reason }, { cause })
  }
  return cause
}

function problemOf(name: string, value: ReplyHeaders[string]): string | null {
  try {
    validateHeaderName(name)
  } catch {
    return 'its name must be a token of letters, digits and hyphens'
  }
  for (const line of [value].flat()) {
    try {
      validateHeaderValue(name, String(line))
    } catch {
      const character = JSON.stringify(NOT_ALLOWED.exec(String(line))?.[0] ?? '')
      return `the character ${character} cannot stand in its value; encode it (in a URL with encodeURI)`
    }
  }
  return null
}

const BEYOND_ASCII = /[^\p{ASCII}]+/gu
const LONE_SURROGATE = /\p{Surrogate}/gu

/**
 * A URL as the `Location` header may carry it: what is not ASCII is percent-encoded, as browsers do it (RFC 3986
 * section 2.5). Everything else stays as it was written, what is encoded already too.
 *
 * @throws `CLO_ERR_REP_INVALID_HEADER` when there is none
 */
export function encodeLocation(url: unknown): string {
  if (url === undefined || url === null) {
    const reason = 'reply.redirect was given no url; call it as redirect(url) or redirect(url, status)'
    throw createError('REP_INVALID_HEADER', { name: 'location', reason })
  }
  return String(url).replace(LONE_SURROGATE, '\ufffd').replace(BEYOND_ASCII, encodeURI)
}
