import { channel } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'

import type { HandOverReason } from '../head/verdicts.ts'

/** Channels on which Node publishes the objects of every request. */
const CHANNELS = ['http.server.request.start', 'http.server.response.finish', 'http.server.response.created']

/**
 * Detects code that expects Node's objects for every request of a server. While there is any, requests are handed
 * over to Node's parser. It looks for `request` listeners that the server did not have at first (tracers add one,
 * Socket.IO replaces the listener), a replaced `emit`, and subscribers to the diagnostics channels of `node:http`.
 */
export class Observers {
  readonly #server: Server
  readonly #ownListeners: readonly unknown[]
  readonly #ownContinueListeners: number
  readonly #channels = CHANNELS.map((name) => channel(name))
  readonly #emit: unknown

  constructor(server: Server) {
    this.#server = server
    this.#emit = EventEmitter.prototype.emit
    this.#ownListeners = server.listeners('request')
    this.#ownContinueListeners = server.listenerCount('checkContinue')
  }

  /** Why requests go to Node's parser now; `null` when nothing observes them. */
  get reason(): HandOverReason | null {
    const server = this.#server
    if (server.emit !== this.#emit) return 'a replaced emit'
    const listeners: readonly unknown[] = server.listeners('request')
    const own = this.#ownListeners
    let isOwn = listeners.length === own.length
    for (let at = 0; isOwn && at < own.length; at++) isOwn = listeners[at] === own[at]
    if (!isOwn) return 'another listener of request'
    for (const one of this.#channels) if (one.hasSubscribers) return 'a subscriber of http.server channels'
    return null
  }

  /** Whether the application decides itself if a client may send a body. */
  get takeContinue(): boolean {
    return this.#server.listenerCount('checkContinue') > this.#ownContinueListeners
  }
}
