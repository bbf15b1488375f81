import type { Owner } from './world.ts'

/** What a client asks for. */
export interface Asked {
  readonly route: string
  readonly caller: string
  readonly key: string
  readonly amount: number
  /** of route, caller and key, which may have one effect */
  readonly name: string
  /** the key in the store */
  readonly storeKey: string
}

/** A call of the handler, and what excuses another one with the same key. */
export class Run {
  static readonly HOLD_MS = 1000
  readonly number: number
  readonly owner: Owner
  readonly asked: Asked
  readonly text: string
  readonly #beganAt: number
  hasEffect = false
  /** the process that ran it has responded */
  hasResponded = false
  /** its response, or a replay, has left a process; a response is stored before */
  isSent = false
  sentAt = Number.POSITIVE_INFINITY
  /** its client got 503 before it was done */
  isLate = false
  /** the store lost a change of its key */
  isLost = false
  #hasFailed = false
  #againFrom = Number.POSITIVE_INFINITY

  constructor(number: number, owner: Owner, asked: Asked, now: number) {
    this.number = number
    this.owner = owner
    this.asked = asked
    this.text = JSON.stringify({ run: number, caller: asked.caller, amount: asked.amount })
    this.#beganAt = now
  }

  /** It began, and is neither done nor failed. */
  get isBegun(): boolean {
    return !this.isSent && !this.#hasFailed
  }

  /** The handler threw before its effect. */
  fail(): void {
    this.#hasFailed = true
  }

  /** A death before the response is stored frees the key, but not before its time is over. */
  ownerDied(now: number): void {
    if (!this.isSent) this.#excuse(now)
  }

  stateFailed(now: number): void {
    this.#excuse(now)
  }

  /** Its response may have been sent without being stored. */
  get isExcused(): boolean {
    return this.isLost || this.#againFrom < Number.POSITIVE_INFINITY
  }

  mayRunAgain(now: number, ttlMs: number): boolean {
    return this.#hasFailed || this.isLost || now >= this.#againFrom || now >= this.#beganAt + ttlMs
  }

  /** The last prolongation is at most half of the time and a deadline ago. */
  #excuse(now: number): void {
    this.#againFrom = Math.min(this.#againFrom, now + Run.HOLD_MS / 2 - 200)
  }
}
