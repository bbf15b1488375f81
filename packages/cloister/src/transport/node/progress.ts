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
