import { AsyncResource } from 'node:async_hooks'

import type { CloisterReply } from 'cloister'

import type { PressureGauge } from './pressure.ts'

interface Waiting {
  readonly reply: CloisterReply
  readonly take: () => void
  /** the request's own asynchronous context */
  readonly scope: AsyncResource
  readonly since: number
}

/**
 * Requests that wait for a later turn, oldest first. New connections take precedence: a turn that accepts one takes
 * no request, so that a burst of connections is accepted at once and not one by one between requests. Requests wait
 * for connections for at most half of the limit.
 */
export class WaitingRequests {
  readonly #gauge: PressureGauge
  readonly #refuse: (reply: CloisterReply) => void
  readonly #requests: Waiting[] = []
  #hasAccepted = false
  #isScheduled = false

  /** @param refuse - called for each request that has waited too long */
  constructor(gauge: PressureGauge, refuse: (reply: CloisterReply) => void) {
    this.#gauge = gauge
    this.#refuse = refuse
  }

  /** Whether a request waits, or must wait for connections: the last turn was long and more may come. */
  get isQueue(): boolean {
    return this.#requests.length > 0 || (this.#hasAccepted && this.#gauge.wasLong)
  }

  accepted(): void {
    this.#hasAccepted = true
  }

  /** Makes a request wait. @param take - continues with it, in the current asynchronous context */
  add(reply: CloisterReply, take: () => void): void {
    // On Node 20, `AsyncResource.bind` costs half as much as a request.
    const scope = new AsyncResource('CLOISTERREQUEST')
    this.#requests.push({ reply, take, scope, since: performance.now() })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    const late = this.#requests.findIndex(({ since }) => !this.#gauge.isLate(since, 1))
    for (const { reply } of this.#requests.splice(0, late < 0 ? Infinity : late)) this.#refuse(reply)
    const [oldest] = this.#requests
    if (oldest !== undefined && (!this.#hasAccepted || this.#gauge.isLate(oldest.since, 0.5))) {
      do {
        const next = this.#requests.shift()
        next?.scope.runInAsyncScope(next.take)
      } while (this.#requests.length > 0 && this.#gauge.hasTime())
    }
    this.#hasAccepted = false
    if (this.#requests.length > 0) this.#schedule()
  }
}
