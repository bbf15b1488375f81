import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { cutResponse, failRequest, progressOf, turnOf } from '@cloister/wire/internal'

import { isFunction } from '../../guards.ts'
import { Progress } from './progress.ts'

/** With this many waiting requests, the connection is paused. */
const MAX_WAITING = 16
/** With this many unread bytes of responses, the next request waits. */
const MAX_UNREAD = 65_536
/** The time for the client to read the last response and to close its side (RFC 9112 section 9.6). */
const LINGER_MS = 1000
/** The time for the rest of a request after its response, if `requestTimeout` is 0. */
const UNREAD_MS = 300_000

/** Node's code for a request that has not arrived in time */
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

interface Waiting {
  readonly response: ServerResponse
  readonly start: () => void
  /** the request's own asynchronous context: the end of another request starts it */
  readonly scope: AsyncResource
}

/** Most connections have no waiting requests: they share one list. */
const NONE: readonly Waiting[] = []

/**
 * One HTTP/1.1 connection.
 *
 * It handles one request at a time; pipelined requests wait. So a client that doesn't read can't make the app produce
 * more responses, and no request is handled after a response that closes the connection. Invalid bytes are rejected
 * after the pending responses, never within one.
 */
export class Connection {
  readonly isCarrier: boolean
  readonly #socket: Socket
  readonly #openedAt = performance.now()
  /** the response that was begun last */
  #current: ServerResponse | null = null
  #waiting: readonly Waiting[] = NONE
  #isPaused = false
  #isRefused = false
  #refusal: (() => void) | null = null
  /** continues after the responses that are due */
  #next: (() => void) | null = null
  #lingersUntil = Infinity
  /** of the response that is being sent; `null` while the connection is idle */
  #progress: Progress | null = null
  #endsInStages = false

  /** @param isCarrier - the connection carries a TLS socket or an HTTP/2 session with the requests */
  constructor(socket: Socket, isCarrier: boolean) {
    this.#socket = socket
    this.isCarrier = isCarrier
    if (isCarrier) {
      // Clients keep their side open after an HTTP/2 session has ended. Nothing reads what they send there.
      socket.once('finish', () => this.#linger(LINGER_MS))
    }
  }

  /**
   * Node closes the connection after its last response. If the client is still sending a body or further requests, the
   * close resets the connection, and the client may lose the response (RFC 9112 section 9.6). Therefore only the
   * server's side is ended. Incoming bytes are discarded until the client ends its side or the time is over. A
   * response that was cut ends in the same stages, so that the client gets what was written.
   */
  #endInStages(): void {
    this.#endsInStages = true
    const socket = this.#socket
    if (this.isCarrier || !isFunction(socket.destroySoon)) return
    const { destroySoon } = socket
    socket.destroySoon = () => {
      const response = this.#current
      const isFinished = response?.writableFinished === true
      if (response === null || socket.destroyed || !(isFinished || response.destroyed)) {
        destroySoon.call(socket)
        return
      }
      if (isFinished) {
        this.#linger(response.req.complete ? LINGER_MS : UNREAD_MS)
        response.req.once('end', () => this.#linger(LINGER_MS))
        socket.end()
      } else this.#endOutput()
    }
  }

  #linger(ms: number): void {
    this.#lingersUntil = performance.now() + ms
  }

  /** Starts a request. Returns false if it has to wait. */
  begin(response: ServerResponse): boolean {
    const before = this.#current
    if (before !== null && !before.writableFinished) return false
    // Inlined `keepsAlive`.
    if (before !== null && (!before.shouldKeepAlive || Reflect.get(before, '_last') === true)) return false
    if (this.#waiting.length > 0 || this.#isRefused) return false
    if (!this.#endsInStages) this.#endInStages()
    this.#current = response
    return true
  }

  /** Starts a request after the responses to earlier requests. */
  wait(response: ServerResponse, start: () => void): void {
    if (this.#isRefused) return
    // On Node 20, `AsyncResource.bind` costs half as much as a request.
    const scope = new AsyncResource('CLOISTERREQUEST')
    this.#waiting = [...this.#waiting, { response, start, scope }]
    if (this.#waiting.length === 1) this.#goOn()
    else if (this.#waiting.length === MAX_WAITING) {
      this.#isPaused = true
      this.#socket.pause()
    }
  }

  #goOn(): void {
    if (this.#socket.destroyed) return
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const before = this.#current
      if (before !== null && !this.#isGiven(before)) {
        before.once('close', () => this.#goOn())
        return
      }
      if (before !== null && !keepsAlive(before)) this.#waiting = NONE
      else {
        this.#waiting = this.#waiting.slice(1)
        this.#current = next.response
        next.scope.runInAsyncScope(next.start)
      }
    }
    if (this.#isPaused) this.#socket.resume()
    this.#isPaused = false
    if (this.#refusal !== null) this.#afterResponse(this.#refusal)
    if (this.#next !== null) this.#continue(this.#next)
  }

  /**
   * Calls back after the responses to all requests that have arrived, or within this method if there are none. After a
   * response that closes the connection, nothing follows.
   */
  afterResponses(next: () => void): void {
    this.#next = next
    this.#goOn()
  }

  #continue(next: () => void): void {
    const response = this.#current
    // A finished response may still have the socket.
    if (response !== null && (!response.writableFinished || response.socket !== null))
      response.once('close', () => this.#goOn())
    else {
      this.#next = null
      if (response === null || keepsAlive(response)) next()
    }
  }

  /** Returns whether the app has ended the response and the client reads fast enough. */
  #isGiven(response: ServerResponse): boolean {
    return response.writableFinished || (response.writableEnded && this.#socket.writableLength < MAX_UNREAD)
  }

  /**
   * Rejects the rest of the connection, after the pending responses. If the client has ended its side, or the request
   * has not arrived in time, nothing waits for the end of the response that is being written.
   *
   * @param error - the problem, for a body that ends with it
   * @param refusal - writes the response, if the connection is still writable
   */
  refuse(error: Error, refusal: () => void): void {
    if (this.#isRefused) return
    this.#isRefused = true
    if (this.#waiting.at(-1)?.response.req.complete === false) this.#waiting = this.#waiting.slice(0, -1)
    const response = this.#current
    const socket = this.#socket
    if (response !== null && response.req.complete && socket.readableEnded) this.#leave(response)
    else if (response === null || response.req.complete) {
      this.#refusal = refusal
      this.#goOn()
    } else if (!response.headersSent && response.socket !== null) {
      // The request with the invalid body has no response yet, so the rejection is its response.
      this.#refuseNow(refusal)
    } else {
      this.#refusal = () => this.#socket.end()
      failRequest(response.req, error)
      if (socket.readableEnded || Reflect.get(error, 'code') === TIMED_OUT) this.#leave(response)
      else this.#goOn()
    }
  }

  /** Ends the output within the response that is being written. */
  #leave(response: ServerResponse): void {
    const { hasBegun, mayCut } = turnOf(response)
    this.#refusal = null
    if (hasBegun && mayCut) cutResponse(response, this.#socket)
    else this.#endOutput()
  }

  /** The client may take its time to read what was written before. */
  #endOutput(): void {
    const socket = this.#socket
    if (socket.writableFinished) this.#linger(LINGER_MS)
    else socket.once('finish', () => this.#linger(LINGER_MS)).end()
  }

  #afterResponse(refusal: () => void): void {
    const response = this.#current
    if (response !== null && !response.writableFinished) response.once('close', () => this.#goOn())
    // After a response that closes the connection, no request gets a response (RFC 9112 section 9.6).
    else this.#refuseNow(response !== null && !keepsAlive(response) ? () => this.#socket.end() : refusal)
  }

  #refuseNow(refusal: () => void): void {
    this.#refusal = null
    this.#linger(LINGER_MS)
    if (this.#socket.writable) refusal()
  }

  endAfterResponses(): void {
    const last = this.#waiting.at(-1)?.response ?? this.#current
    if (last !== null && !last.headersSent) last.shouldKeepAlive = false
  }

  /** Releases the last request while the connection is idle. */
  release(): void {
    const response = this.#current
    if (response?.writableFinished === true && keepsAlive(response) && response.req.complete)
      this.#current = null
  }

  /** Whether a request is being handled or its response is being sent. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || (this.#current !== null && !this.#current.writableFinished)
  }

  /** Returns whether nothing has arrived on a connection that is older than `forMs` milliseconds. */
  isSilent(forMs: number): boolean {
    return this.#socket.bytesRead === 0 && performance.now() - this.#openedAt > forMs
  }

  /** Returns whether the client has not closed its side in time after the last response. */
  hasLingered(now: number): boolean {
    return now > this.#lingersUntil
  }

  /**
   * Returns the milliseconds for which the client has read nothing of a pending response, or the application nothing of
   * a body whose response is sent. Such a body holds back the next request.
   */
  stalledFor(now: number): number {
    const seen = this.isBusy ? progressOf(this.#socket) : this.#heldBody()
    if (seen === '') {
      this.#progress = null
      return 0
    }
    this.#progress ??= new Progress()
    return this.#progress.stalledFor(now, seen)
  }

  #heldBody(): string {
    const response = this.#current
    if (response?.writableFinished !== true || response.req.complete) return ''
    const { readableLength } = response.req
    return readableLength === 0 ? '' : `${this.#socket.bytesRead} ${readableLength}`
  }

  /** Prevents the socket from being destroyed, until the returned function is called. */
  shield(): () => void {
    const socket = this.#socket
    socket.destroy = () => socket
    return () => Reflect.deleteProperty(socket, 'destroy')
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /**
   * Cleans up after the socket has closed. A response that waited for another one never had the socket, so Node emits
   * no `close` for it.
   */
  closed(): void {
    this.#waiting = NONE
    this.#next = null
    const response = this.#current
    // Node forgets a request with its response, so what still reads the body would wait for ever.
    if (response?.writableFinished === true && !response.req.complete) failRequest(response.req)
    if (response === null || response.socket !== null || response.writableFinished) return
    response.destroy()
    response.emit('close')
  }
}

/**
 * Returns whether the connection stays open after a response. An application may set `Connection` on the raw response
 * itself.
 */
function keepsAlive(response: ServerResponse): boolean {
  return response.shouldKeepAlive && Reflect.get(response, '_last') !== true
}
