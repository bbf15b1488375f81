import { STATUS_CODES } from 'node:http'

import { checkStatus } from '../message/status.ts'

/** Status lines by status (RFC 9112 section 4), so that none is put together for a response. */
const LINES: readonly string[] = Array.from(
  { length: 1000 },
  (_, status) => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`,
)

/**
 * Returns the status line of a final response.
 *
 * @throws StatusError for what is no status
 */
export function statusLine(status: number): string {
  // A status of the application may be anything: a list with one number finds a line too.
  checkStatus(status)
  return LINES[status] ?? ''
}

/** Returns the status line of an interim response, 100 or 103. */
export function interimLine(status: 100 | 103): string {
  return LINES[status] ?? ''
}
