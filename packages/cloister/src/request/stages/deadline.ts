import { startAlarm } from '../../platform.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { HIJACKED, isHandedOver, SENT, type ReplyState } from '../state.ts'
import { requestSignal } from '../watch.ts'
import type { Stage } from '../route-plan.ts'

/**
 * Stage: starts the `handlerTimeout`. If the head of the response was not sent by then, `request.signal` aborts and the
 * client gets 503.
 */
export const startDeadline: Stage = (plan, _request, reply) =>
  armDeadline(reply, plan.handlerTimeout, expireReply)

/** @param expire - called if the response has not begun after `ms` milliseconds; it is that of the plan's deadlines */
export function armDeadline(reply: ReplyState, ms: number, expire: (reply: ReplyState) => void): void {
  const { [kExchange]: exchange, [kPlan]: plan } = reply
  // On platforms without Node a timer belongs to the request in which it was set.
  if (plan.deadlines === null || exchange.node === null) {
    const timer = startAlarm(() => expire(reply), ms)
    exchange.onFinished((outcome) => {
      if (outcome === null || isDone(reply)) clearTimeout(timer)
    })
  } else plan.deadlines.start(reply, reply[kState].startTime)
}

/**
 * Whether no deadline is left: the response has begun, the connection has switched protocols, or what was sent to a
 * client that has gone was discarded.
 */
export function isDone(reply: ReplyState): boolean {
  const { hasBegun, isGone } = reply[kExchange].turn
  return hasBegun || isHandedOver(reply) || (isGone && reply[kState].phase === SENT)
}

/** Ends a request whose deadline has passed; one whose client has gone too, so that its hooks run. */
export function expireReply(reply: ReplyState): void {
  if (isDone(reply)) return
  const plan = reply[kPlan]
  const timeout = createError('HANDLER_TIMEOUT', { ms: plan.handlerTimeout, route: plan.label })
  const error = prefixCode(timeout, plan.app.options)
  requestSignal(reply.request).abort(error)
  if (reply[kState].phase !== HIJACKED) plan.fail(reply, error)
}

/*
 * The deadlines of open requests. A timer for each request, and a listener that stops it, would take more than a
 * twentieth of the time of a small request. So one timer checks all open requests with the same `handlerTimeout`,
 * several times within it: a deadline is never early, and at most two of these intervals late, unless the process is
 * busy. The deadline ends with the head of the response; streams have their own deadlines.
 */

/** The longest interval between two checks, in milliseconds. */
const MAX_STEP_MS = 250
/** The number of checks within a shorter timeout. */
const STEPS = 32

/** The open requests with one `handlerTimeout`. */
export class Deadlines {
  readonly #step: number
  readonly #ms: number
  readonly #expire: (reply: ReplyState) => void
  /** when each deadline passes, in milliseconds */
  readonly #ends = new Map<ReplyState, number>()
  #isRunning: boolean = false

  /** @param expire - gets a reply that is not complete after `ms` milliseconds */
  constructor(ms: number, expire: (reply: ReplyState) => void) {
    this.#step = Math.min(MAX_STEP_MS, Math.ceil(ms / STEPS))
    this.#ms = ms
    this.#expire = expire
  }

  /**
   * Starts the deadline of a request.
   *
   * @param now - the time, in milliseconds
   */
  start(reply: ReplyState, now: number): void {
    this.#ends.set(reply, now + this.#ms)
    if (!this.#isRunning) this.#wait()
  }

  /** Removes a request whose response is complete. */
  meet(reply: ReplyState): void {
    this.#ends.delete(reply)
  }

  #wait(): void {
    this.#isRunning = true
    startAlarm(() => this.#look(), this.#step)
  }

  /** Finds responses that began after they were written, such as streams. */
  #look(): void {
    const now = performance.now()
    const passed: ReplyState[] = []
    for (const [reply, end] of this.#ends) {
      const isMet = reply[kExchange].turn.hasBegun
      if (isMet || end <= now) this.#ends.delete(reply)
      if (!isMet && end <= now) passed.push(reply)
    }
    if (this.#ends.size === 0) this.#isRunning = false
    else this.#wait()
    for (const reply of passed) this.#expire(reply)
  }
}
