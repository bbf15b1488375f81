import { STATUS_CODES } from 'node:http'

/** Status lines by status (RFC 9112 section 4), so that none is put together for a response. */
const LINES: readonly string[] = Array.from({ length: 1000 }, (_, status) => createLine(status))

function createLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
}

/** Returns the status line of a response. */
export function statusLine(status: number): string {
  return LINES[status] ?? createLine(status)
}
