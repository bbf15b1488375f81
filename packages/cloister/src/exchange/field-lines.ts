import { createError } from '../errors.ts'
import type { ResponseHeaders } from './exchange.ts'

/** A field name is a token (RFC 9110 section 5.1). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** A character that no field value may have; each of the others is one byte (RFC 9110 section 5.5). */
const NOT_ALLOWED = /[^\t\x20-\x7e\x80-\xff]/u

/** Whether a text may be the name of a header. */
export function isFieldName(name: string): boolean {
  return TOKEN.test(name)
}

/**
 * Explains why a transport could not write a head.
 *
 * @returns `CLO_ERR_REP_INVALID_HEADER` with the header at fault; `cause` itself when no header is
 */
export function explainHeaders(headers: ResponseHeaders, cause: unknown): unknown {
  for (const [name, value] of Object.entries(headers)) {
    const reason = problemOfField(name, value)
    if (reason !== null) return createError('REP_INVALID_HEADER', { name, reason }, { cause })
  }
  return cause
}

/** Returns why a field cannot be written, or `null`. */
export function problemOfField(name: string, value: ResponseHeaders[string]): string | null {
  if (!isFieldName(name)) return 'its name must be a token of letters, digits and hyphens'
  if (value === undefined) return 'its value is undefined'
  if (!Array.isArray(value)) return problemOfLine(value)
  for (const line of value) {
    const problem = problemOfLine(line)
    if (problem !== null) return problem
  }
  return null
}

function problemOfLine(line: string | number): string | null {
  const found = typeof line === 'number' ? null : NOT_ALLOWED.exec(line)
  if (found === null) return null
  const character = JSON.stringify(found[0])
  return `the character ${character} cannot stand in its value; encode it (in a URL with encodeURI)`
}
