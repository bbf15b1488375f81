import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'

import type { HandOverReason } from '../head/verdicts.ts'

/**
 * Detects code that expects Node's objects for every request of a server. While there is any, requests are handed
 * over to Node's parser. It looks for `request` listeners that the server did not have at first (tracers add one,
 * Socket.IO replaces the listener), and a replaced `emit`. Subscribers to the diagnostics channels of `node:http` get
 * their messages from this engine.
 */
export class Observers {
  readonly #server: Server
  readonly #ownListeners: readonly unknown[]
  readonly #ownContinueListeners: number
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
    return isOwn ? null : 'another listener of request'
  }

  /** Whether the application decides itself if a client may send a body. */
  get takeContinue(): boolean {
    return this.#server.listenerCount('checkContinue') > this.#ownContinueListeners
  }
}
