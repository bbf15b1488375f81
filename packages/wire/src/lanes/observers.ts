import { channel } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'

import type { HandOverReason } from '../head/verdicts.ts'

/** Channels on which Node publishes the objects of every request. */
const CHANNELS = ['http.server.request.start', 'http.server.response.finish', 'http.server.response.created']

/**
 * Those who expect the objects of Node for every request of a server. While there are any, requests are left to Node's
 * own parser: listeners of `request` beside those that the server had at first, an `emit` that was replaced (as tracers
 * do), and subscribers of the diagnostics channels of `node:http`.
 */
export class Observers {
  readonly #server: Server
  readonly #ownRequestListeners: number
  readonly #ownContinueListeners: number
  readonly #channels = CHANNELS.map((name) => channel(name))
  readonly #emit: unknown

  constructor(server: Server) {
    this.#server = server
    this.#emit = EventEmitter.prototype.emit
    this.#ownRequestListeners = server.listenerCount('request')
    this.#ownContinueListeners = server.listenerCount('checkContinue')
  }

  /** Why Node's parser reads the requests now; `null` where nothing observes them. */
  get reason(): HandOverReason | null {
    const server = this.#server
    if (server.emit !== this.#emit) return 'a replaced emit'
    if (server.listenerCount('request') > this.#ownRequestListeners) return 'another listener of request'
    for (const one of this.#channels) if (one.hasSubscribers) return 'a subscriber of http.server channels'
    return null
  }

  /** The application decides itself whether a client may send a body. */
  get takeContinue(): boolean {
    return this.#server.listenerCount('checkContinue') > this.#ownContinueListeners
  }
}
