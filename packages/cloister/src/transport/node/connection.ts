import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { progressOf } from '@cloister/wire'

import { isFunction } from '../../guards.ts'
import { Progress } from './progress.ts'

/** From so many waiting requests on nothing more is read. */
const MOST_WAITING = 16
/** From so many unread bytes of responses on the next request waits. */
const MOST_UNREAD = 65_536
/** Time for the client to read the last response and to close its side (RFC 9112 section 9.6). */
const LINGER_MS = 1000
/** Time for the rest of a request whose response is out, where `requestTimeout` sets none. */
const UNREAD_MS = 300_000

/** A request that came before the response to the previous one was complete. */
interface Waiting {
  readonly response: ServerResponse
  readonly start: () => void
}

/**
 * One connection of HTTP/1.1.
 *
 * One request is handled at a time: those that are pipelined behind it wait, so that a client that does not read
 * cannot make the app produce more, and no request is handled behind a response that closes the connection. Bytes
 * that are no request are refused after the responses that are due, never within one.
 */
export class Connection {
  readonly isCarrier: boolean
  readonly #socket: Socket
  readonly #openedAt = performance.now()
  /** the response that was begun last */
  #current: ServerResponse | null = null
  #waiting: Waiting[] = []
  #isPaused = false
  #isRefused = false
  #refusal: (() => void) | null = null
  #lingersUntil = Infinity
  readonly #progress = new Progress()

  /** @param isCarrier - carries the socket of TLS, or the session of HTTP/2, on which the requests come */
  constructor(socket: Socket, isCarrier: boolean) {
    this.#socket = socket
    this.isCarrier = isCarrier
    if (isCarrier) {
      // Clients keep their side open after a session of HTTP/2 has ended; nothing reads what they send there.
      socket.once('finish', () => this.#linger(LINGER_MS))
    } else if (isFunction(socket.destroySoon)) this.#endInStages(socket)
  }

  /**
   * Node closes the connection behind its last response. Where the client still sends, be it a body or further requests,
   * that would be a reset, and take the response with it (RFC 9112 section 9.6): so our side alone ends, and what comes
   * is thrown away, until the client ends its side or the time is over.
   */
  #endInStages(socket: Socket): void {
    const { destroySoon } = socket
    socket.destroySoon = () => {
      const response = this.#current
      if (response === null || !response.writableFinished || socket.destroyed) {
        destroySoon.call(socket)
        return
      }
      this.#linger(response.req.complete ? LINGER_MS : UNREAD_MS)
      response.req.once('end', () => this.#linger(LINGER_MS))
      socket.end()
    }
  }

  #linger(ms: number): void {
    this.#lingersUntil = performance.now() + ms
  }

  /** A request can start now; else it has to wait. */
  begin(response: ServerResponse): boolean {
    const before = this.#current
    if (before !== null && !before.writableFinished) return false
    // As `keepsAlive`, without its call.
    if (before !== null && (!before.shouldKeepAlive || Reflect.get(before, '_last') === true)) return false
    if (this.#waiting.length > 0 || this.#isRefused) return false
    this.#current = response
    return true
  }

  /** Starts a request behind the responses to those before it. */
  wait(response: ServerResponse, start: () => void): void {
    if (this.#isRefused) return
    // The end of another request lets it start, and it must not run in the asynchronous context of that one.
    this.#waiting.push({ response, start: AsyncResource.bind(start) })
    if (this.#waiting.length === 1) this.#goOn()
    else if (this.#waiting.length === MOST_WAITING) {
      this.#isPaused = true
      this.#socket.pause()
    }
  }

  readonly #goOn = (): void => {
    if (this.#socket.destroyed) return
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const before = this.#current
      if (before !== null && !this.#isGiven(before)) {
        before.once('close', this.#goOn)
        return
      }
      if (before !== null && !keepsAlive(before)) this.#waiting = []
      else {
        this.#waiting.shift()
        this.#current = next.response
        next.start()
      }
    }
    if (this.#isPaused) this.#socket.resume()
    this.#isPaused = false
    if (this.#refusal !== null) this.#afterResponse(this.#refusal)
  }

  /** The app has ended the response, and the client reads fast enough. */
  #isGiven(response: ServerResponse): boolean {
    return response.writableFinished || (response.writableEnded && this.#socket.writableLength < MOST_UNREAD)
  }

  /**
   * Refuses what is left on the connection: after the responses that are due, or at once when there is none.
   *
   * @param error - what is wrong, for a body that breaks off with it
   * @param refusal - writes the refusal, if the connection can still be written to
   */
  refuse(error: Error, refusal: () => void): void {
    if (this.#isRefused) return
    this.#isRefused = true
    if (this.#waiting.at(-1)?.response.req.complete === false) this.#waiting.pop()
    const response = this.#current
    if (response === null || response.req.complete) {
      this.#refusal = refusal
      this.#goOn()
    } else if (!response.headersSent && response.socket !== null) {
      // The request whose body is broken has no response yet: this is the one.
      this.#refuseNow(refusal)
    } else {
      this.#refusal = () => this.#socket.end()
      if (response.req.listenerCount('error') > 0) response.req.emit('error', error)
      this.#goOn()
    }
  }

  #afterResponse(refusal: () => void): void {
    const response = this.#current
    if (response !== null && !response.writableFinished) response.once('close', this.#goOn)
    // Behind a response that closes the connection no request gets one (RFC 9112 section 9.6).
    else this.#refuseNow(response !== null && !keepsAlive(response) ? () => this.#socket.end() : refusal)
  }

  #refuseNow(refusal: () => void): void {
    this.#refusal = null
    this.#linger(LINGER_MS)
    if (this.#socket.writable) refusal()
  }

  /** The connection ends with the last of the responses that are due. */
  endAfterResponses(): void {
    const last = this.#waiting.at(-1)?.response ?? this.#current
    if (last !== null && !last.headersSent) last.shouldKeepAlive = false
  }

  /** Keeps nothing of the last request while it waits for the next one. */
  release(): void {
    const response = this.#current
    if (response?.writableFinished === true && keepsAlive(response) && response.req.complete)
      this.#current = null
  }

  /** A handler is at work, or its response is on its way to the client. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || (this.#current !== null && !this.#current.writableFinished)
  }

  /** Nothing has come within this time of its opening. */
  isSilent(forMs: number): boolean {
    return this.#socket.bytesRead === 0 && performance.now() - this.#openedAt > forMs
  }

  /** Its last response is complete, and its client has not closed its side in time. */
  hasLingered(now: number): boolean {
    return now > this.#lingersUntil
  }

  /** For how long the client has read nothing of a response that waits for it. */
  stalledFor(now: number): number {
    return this.#progress.stalledFor(now, this.isBusy ? progressOf(this.#socket) : '')
  }

  /** Runs something during which the socket cannot be destroyed. */
  shield(): () => void {
    const socket = this.#socket
    socket.destroy = () => socket
    return () => Reflect.deleteProperty(socket, 'destroy')
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /**
   * The socket has closed. A response that waited behind another one never had the socket, so Node emits no `close` for
   * it.
   */
  closed(): void {
    this.#waiting = []
    const response = this.#current
    if (response === null || response.socket !== null || response.writableFinished) return
    response.destroy()
    response.emit('close')
  }
}

/** The connection stays open behind a response; an application may have said so itself, past the framework. */
function keepsAlive(response: ServerResponse): boolean {
  return response.shouldKeepAlive && Reflect.get(response, '_last') !== true
}
