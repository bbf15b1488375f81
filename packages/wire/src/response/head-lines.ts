import { STATUS_CODES } from 'node:http'

import { StatusError } from '../message/status.ts'

/** Status lines of final responses by status (RFC 9112 section 4), composed once. */
const LINES: readonly (string | undefined)[] = Array.from({ length: 1000 }, (_, status) =>
  status < 200 ? undefined : `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`,
)

/**
 * Returns the status line of a final response.
 *
 * @throws StatusError for an invalid status
 */
export function statusLine(status: unknown): string {
  // An application's status may be anything; even a list with one number would find a line.
  const line = typeof status === 'number' ? LINES[status] : undefined
  if (line === undefined) throw new StatusError(status)
  return line
}

/** Caches the lines that end most heads: they are the same for all responses of a second. */
export class Clock {
  #date = ''
  #tail = ''
  #tailFor = -1

  /** The Date field (RFC 9110 section 6.6.1), renewed each second. */
  get dateLine(): string {
    if (this.#date === '') {
      const now = new Date()
      this.#date = `Date: ${now.toUTCString()}\r\n`
      setTimeout(this.#clear, 1000 - now.getMilliseconds()).unref()
    }
    return this.#date
  }

  readonly #clear = (): void => {
    this.#date = ''
    this.#tail = ''
  }

  /** Returns Date and keep-alive lines for a connection that stays open, with the end of the head. */
  keptTail(keepAliveTimeout: number): string {
    if (this.#tail === '' || this.#tailFor !== keepAliveTimeout) {
      this.#tailFor = keepAliveTimeout
      this.#tail = `${this.dateLine}${keepAliveLines(keepAliveTimeout, 0, '')}\r\n`
    }
    return this.#tail
  }
}

/**
 * Returns the lines that say that the connection stays open, and for how long.
 *
 * @param maxRequests - the maximum number of requests on one connection; 0 for no limit
 * @param rest - other options of the connection, each after a comma
 */
export function keepAliveLines(keepAliveTimeout: number, maxRequests: number, rest: string): string {
  if (keepAliveTimeout === 0) return `Connection: keep-alive${rest}\r\n`
  const max = maxRequests > 0 ? `, max=${maxRequests}` : ''
  return `Connection: keep-alive${rest}\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}${max}\r\n`
}
