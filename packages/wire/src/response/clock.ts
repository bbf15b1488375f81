/** The lines that end most heads: their texts are the same for all responses of a second. */
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

  /** Date and persistence of a response after which the connection stays open, with the end of the head. */
  keptTail(keepAliveTimeout: number): string {
    if (this.#tail === '' || this.#tailFor !== keepAliveTimeout) {
      this.#tailFor = keepAliveTimeout
      this.#tail = `${this.dateLine}${keepAliveLines(keepAliveTimeout, 0, '')}\r\n`
    }
    return this.#tail
  }
}

/**
 * Says that the connection stays open, and for how long.
 *
 * @param maxRequests - the requests that one connection may carry; 0 for any number
 * @param rest - other options of the connection, each after a comma
 */
export function keepAliveLines(keepAliveTimeout: number, maxRequests: number, rest: string): string {
  if (keepAliveTimeout === 0) return `Connection: keep-alive${rest}\r\n`
  const max = maxRequests > 0 ? `, max=${maxRequests}` : ''
  return `Connection: keep-alive${rest}\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}${max}\r\n`
}
