import type { CloisterReply } from 'cloister'
import { wantsProblem } from 'cloister/inspect'

import type { Settings } from './options.ts'
import { PressureGauge } from './pressure.ts'
import type { Pressure } from './pressure.ts'
import { WaitingRequests } from './waiting.ts'

interface Log {
  warn(line: string): void
  info(line: string): void
}

const CODE = 'CLO_ERR_OPERATE_OVERLOADED'
const REASON = 'Service Unavailable'
const MESSAGE = 'the server has too much to do; try again later'
const FAILURE = JSON.stringify({ statusCode: 503, code: CODE, error: REASON, message: MESSAGE })

/** What the plugin reads of the options of the app. */
interface AppOptions {
  readonly problemDetails?: boolean | 'accepted'
  readonly problemTypeBase?: string
}

/** The refusal as problem details, as the app sends its errors. */
function problemOf({ problemTypeBase = 'about:blank' }: AppOptions): string {
  const type = problemTypeBase === 'about:blank' ? problemTypeBase : problemTypeBase + CODE
  return JSON.stringify({ type, title: REASON, status: 503, detail: MESSAGE, code: CODE })
}

/** The overload is over when nothing was refused for this long. */
const CALM_MS = 1000

/** Refuses requests while the process is overloaded: before their bodies are read, and without a log line for each. */
export class Shedding {
  readonly counts: Record<Pressure, number> = { event_loop_delay: 0, heap_used: 0, open_requests: 0 }
  readonly #gauge: PressureGauge
  readonly #waiting: WaitingRequests
  readonly #retryAfter: string
  readonly #problem: string
  readonly #isNegotiated: boolean
  readonly #log: Log
  readonly #refused: (limit: Pressure) => void
  #calm: NodeJS.Timeout | null = null
  #refusedSince = 0

  /** @param refused - called for each refused request */
  constructor({ shedding }: Settings, app: AppOptions, log: Log, refused: (limit: Pressure) => void) {
    this.#problem = problemOf(app)
    this.#isNegotiated = app.problemDetails === 'accepted'
    this.#gauge = new PressureGauge(shedding)
    this.#waiting = new WaitingRequests(this.#gauge, (reply) => this.#refuse(reply, 'event_loop_delay'))
    this.#retryAfter = String(Math.ceil(shedding.retryAfterS ?? 1))
    this.#log = log
    this.#refused = refused
  }

  static isWanted({ shedding }: Settings): boolean {
    const { eventLoopDelayMs, heapUsedBytes, openRequests } = shedding
    return (eventLoopDelayMs ?? heapUsedBytes ?? openRequests) !== undefined
  }

  /**
   * Takes a request, at once or in a later turn of the event loop, or refuses it.
   *
   * @param open - how many requests are open, including this one
   * @param take - continues with the request
   */
  admit(reply: CloisterReply, open: number, take: () => void): void {
    const admission = this.#gauge.read(open)
    if (admission !== 'take' && admission !== 'wait') this.#refuse(reply, admission)
    else if (admission === 'wait' || this.#waiting.isQueue) this.#waiting.add(reply, take)
    else take()
  }

  accepted(): void {
    this.#waiting.accepted()
  }

  start(): void {
    this.#gauge.start()
  }

  stop(): void {
    this.#gauge.stop()
    if (this.#calm !== null) clearTimeout(this.#calm)
  }

  #refuse(reply: CloisterReply, limit: Pressure): void {
    this.#count(limit)
    const isProblem = wantsProblem(reply.request)
    if (this.#isNegotiated) reply.header('vary', 'Accept')
    void reply
      .code(503)
      .header('retry-after', this.#retryAfter)
      .type(`application/${isProblem ? 'problem+' : ''}json; charset=utf-8`)
      .send(isProblem ? this.#problem : FAILURE)
  }

  #count(limit: Pressure): void {
    this.counts[limit]++
    this.#refusedSince++
    this.#refused(limit)
    if (this.#calm !== null) {
      this.#calm.refresh()
      return
    }
    this.#log.warn(`requests are refused: ${limit} is above its limit`)
    this.#calm = setTimeout(() => {
      this.#log.info(`requests are taken again; ${this.#refusedSince} were refused`)
      this.#refusedSince = 0
      this.#calm = null
    }, CALM_MS).unref()
  }
}
