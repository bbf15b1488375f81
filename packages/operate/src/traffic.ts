import { tracingChannel } from 'node:diagnostics_channel'

import { headerOf } from 'cloister/inspect'

import { DurationSeries } from './series.ts'
import type { Series } from './series.ts'

/** The published members of a request that are read here. */
interface RequestTrace {
  readonly request: {
    readonly method: string
    readonly server: object
  }
  readonly reply: { readonly statusCode: number; readonly elapsedTime: number }
  /** `null` if no route matches */
  readonly route: { readonly url: string } | null
  readonly error?: unknown
  /** a WebSocket has taken the connection */
  readonly upgraded?: boolean
}

const channels = tracingChannel('cloister.request')
const PREMATURE_CLOSE = 'ERR_STREAM_PREMATURE_CLOSE'

/** Counts the requests of one app, on the channels that publish every request of the process. */
export class Traffic {
  readonly durations: DurationSeries = new DurationSeries()
  #open = 0
  /** requests that ask for a WebSocket, until it is known whether they get one */
  readonly #handshakes = new Set<RequestTrace>()
  readonly #isOwn: (server: object) => boolean
  readonly #ended: (series: Series, seconds: number) => void
  readonly #started = (message: unknown): void => {
    if (!isTrace(message) || !this.#isOwn(message.request.server)) return
    this.#open++
    if (headerOf(message.request, 'upgrade') !== undefined) this.#handshakes.add(message)
  }
  readonly #over = (message: unknown): void => {
    if (!isTrace(message) || !this.#isOwn(message.request.server)) return
    const { request, reply, route, error } = message
    if (this.#handshakes.delete(message) || message.upgraded !== true) this.#open--
    const seconds = reply.elapsedTime / 1000
    const isAborted = error instanceof Error && Reflect.get(error, 'code') === PREMATURE_CLOSE
    const series = this.durations.record(request.method, route?.url, reply.statusCode, isAborted, seconds)
    this.#ended(series, seconds)
  }

  /**
   * @param isOwn - whether a context belongs to the app
   * @param ended - called at the end of each request
   */
  constructor(isOwn: (server: object) => boolean, ended: (series: Series, seconds: number) => void) {
    this.#isOwn = isOwn
    this.#ended = ended
  }

  /** How many requests are open. A WebSocket is none after its handshake. */
  get open(): number {
    for (const handshake of this.#handshakes) {
      if (handshake.upgraded !== true) continue
      this.#handshakes.delete(handshake)
      this.#open--
    }
    return this.#open
  }

  start(): void {
    channels.start.subscribe(this.#started)
    channels.asyncEnd.subscribe(this.#over)
  }

  stop(): void {
    channels.start.unsubscribe(this.#started)
    channels.asyncEnd.unsubscribe(this.#over)
  }
}

/** Only the framework publishes on these channels, and nothing else. */
function isTrace(message: unknown): message is RequestTrace {
  return typeof message === 'object' && message !== null && 'request' in message && 'reply' in message
}
