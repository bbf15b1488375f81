import type { Turn } from '@cloister/wire/message'
import { WAITING } from '@cloister/wire/message/internal'

import { OPEN } from '../../src/request/state.ts'
import type { ReplyPhase, ReplyState, RequestState } from '../../src/request/state.ts'
import type { RoutePlan } from '../../src/request/route-plan.ts'
import { kExchange, kPlan, kReplyHeaders, kSerializer, kState } from '../../src/symbols.ts'
import type { Outcome } from '../../src/exchange/ends.ts'

/** A line of the log. */
export interface Line {
  readonly level: string
  readonly err: unknown
  readonly message: string | undefined
}

/** What an exchange says of itself, and whom it calls. */
export interface OpenExchange {
  turn: Turn
  node: object | null
  upgrade: string | undefined
  readonly finished: ((outcome: Outcome) => void)[]
  readonly timedOut: (() => void)[]
}

/** A request without a transport, which notes what becomes of it. */
export class OpenRequest {
  readonly failures: unknown[] = []
  readonly sent: unknown[] = []
  readonly lines: Line[] = []
  /** headers that only the raw response has */
  readonly rawHeaders: Record<string, string> = {}
  readonly exchange: OpenExchange = {
    turn: WAITING,
    node: {},
    upgrade: undefined,
    finished: [],
    timedOut: [],
  }
  readonly plan: RoutePlan
  readonly request: RequestState
  readonly reply: ReplyState

  constructor(plan: object = {}) {
    const { exchange, lines } = this
    const fail = (reply: ReplyState, error: unknown): void => {
      reply[kState].epoch++
      this.failures.push(error)
    }
    this.plan = Object({
      fail,
      app: { options: { errorCodePrefix: 'CLO_ERR_' } },
      label: 'GET /',
      callSite: 'app.ts:1:1',
      ...plan,
    })
    const ends = Object.assign(exchange, {
      header: (name: string) => (name === 'upgrade' ? exchange.upgrade : undefined),
      onFinished: (callback: (outcome: Outcome) => void) => void exchange.finished.push(callback),
      onTimeout: (callback: () => void) => void exchange.timedOut.push(callback),
    })
    const error = (details: { err: unknown }, message?: string): void =>
      void lines.push({ level: 'error', err: details.err, message })
    this.request = Object({ [kExchange]: ends, [kState]: { controller: null, observer: null } })
    this.reply = Object({
      [kExchange]: ends,
      [kState]: { awaited: false, epoch: 0, phase: OPEN, payload: undefined },
      [kPlan]: this.plan,
      [kReplyHeaders]: {},
      [kSerializer]: null,
      getHeader: (name: string) => this.rawHeaders[name],
      log: { error },
      request: this.request,
      send: (payload: unknown) => {
        this.reply[kState].epoch++
        this.sent.push(payload)
      },
    })
  }

  /** Moves the reply on, as what the application sends does. */
  enter(phase: ReplyPhase): this {
    this.reply[kState].phase = phase
    this.reply[kState].epoch++
    return this
  }
}
