/** The date of responses (RFC 9110 section 6.6.1), made once in a second. */
export class Clock {
  #second = -1
  #text = ''

  /** The present time as `Date` has it. */
  get date(): string {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#text = new Date(now).toUTCString()
    }
    return this.#text
  }
}
