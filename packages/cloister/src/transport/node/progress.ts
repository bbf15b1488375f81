import type { ServerHttp2Session } from 'node:http2'

/** Measures for how long a client has read nothing. */
export class Progress {
  #seen = ''
  #since = 0

  /**
   * The time since the client has last read anything.
   *
   * @param seen - changes whenever the client reads; empty while there is nothing for it to read
   */
  stalledFor(now: number, seen: string): number {
    if (seen === '' || seen !== this.#seen) {
      this.#seen = seen
      this.#since = now
    }
    return now - this.#since
  }
}

/**
 * Asks the client of a session for signs of life. While a head is under way no other frame may come (RFC 9113 section
 * 4.3), so a client that has sent half a head cannot acknowledge a PING; Node shows nothing else of such a head.
 */
export class Pings {
  #heardAt: number = performance.now()
  #askedAt: number | null = null

  /** The client has sent something. */
  heard(): void {
    this.#heardAt = performance.now()
    this.#askedAt = null
  }

  /**
   * Sends a PING when nothing was heard for a time.
   *
   * @returns true when the client has not acknowledged the last one within that time
   */
  isOverdue(session: ServerHttp2Session, now: number, timeoutMs: number): boolean {
    if (this.#askedAt !== null) return now - this.#askedAt >= timeoutMs
    if (now - this.#heardAt < timeoutMs || session.destroyed) return false
    this.#askedAt = now
    session.ping((error) => {
      if (error === null) this.heard()
    })
    return false
  }
}
