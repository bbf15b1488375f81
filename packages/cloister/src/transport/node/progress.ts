import type { ServerHttp2Session } from 'node:http2'

import { logSafely, type LogOwner } from '../../logging/request-log.ts'

/** Measures how long nothing has been read. */
export class Progress {
  #seen = ''
  #since = 0

  /**
   * Returns the time since anything was read.
   *
   * @param seen - changes with each read; empty if there is nothing to read
   */
  stalledFor(now: number, seen: string): number {
    if (seen === '' || seen !== this.#seen) {
      this.#seen = seen
      this.#since = now
    }
    return now - this.#since
  }
}

const STALLS = {
  response: 'a client has read nothing of its response',
  body: 'the application has read nothing of a body, whose response is sent,',
}

/**
 * Logs that a client reads nothing of its response, or the application nothing of a body after its response.
 *
 * @param what - what is closed by force
 */
export function logStall(
  logs: LogOwner,
  writeTimeout: number,
  unread: keyof typeof STALLS,
  what: 'connection' | 'stream',
): void {
  const line = `${STALLS[unread]} for ${writeTimeout} ms (writeTimeout); its ${what} is cut`
  logSafely(logs, () => logs.logger.info(line))
}

/**
 * Sends PINGs to the client of a session. While a head is incomplete no other frame may be sent (RFC 9113 section 4.3),
 * so a client that has sent half a head can't acknowledge a PING. Node gives no other sign of such a head.
 */
export class Pings {
  #heardAt: number = performance.now()
  #askedAt: number | null = null

  heard(): void {
    this.#heardAt = performance.now()
    this.#askedAt = null
  }

  /**
   * Sends a PING if nothing was received for a time.
   *
   * @returns true if the client has not acknowledged the last one within that time
   */
  isOverdue(session: ServerHttp2Session, now: number, timeoutMs: number): boolean {
    // Node sends no PING on a session that closes after its last response.
    if (session.closed) return false
    if (this.#askedAt !== null) return now - this.#askedAt >= timeoutMs
    if (now - this.#heardAt < timeoutMs || session.destroyed) return false
    this.#askedAt = now
    session.ping((error) => {
      if (error === null) this.heard()
    })
    return false
  }
}
