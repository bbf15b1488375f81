const SECOND_MS = 1000

/** Counts what comes in a second, with room for as much at once. */
export class Rate {
  readonly #perSecond: number
  #room: number
  #at = -Infinity

  /** @param perSecond - how much may come; 0 for any amount */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#room = perSecond
  }

  /**
   * Takes an amount, if there is room for it.
   *
   * @param now - the time, in milliseconds
   */
  admits(amount: number, now: number): boolean {
    const perSecond = this.#perSecond
    if (perSecond === 0) return true
    this.#room = Math.min(perSecond, this.#room + ((now - this.#at) * perSecond) / SECOND_MS)
    this.#at = now
    if (amount > this.#room) return false
    this.#room -= amount
    return true
  }
}
