import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { progressOf } from '@cloister/wire'

import { isFunction } from '../../functions.ts'
import { Progress } from './progress.ts'

/** From so many waiting requests on nothing more is read. */
const MOST_WAITING = 16
/** From so many unread bytes of answers on the next request waits. */
const MOST_UNREAD = 65_536
/** Time for the client to read the last answer and to close its side (RFC 9112 section 9.6). */
const LINGER_MS = 1000
/** Time for the rest of a request whose response is out, where `requestTimeout` sets none. */
const UNREAD_MS = 300_000

/** A request that came while the one before it was being answered. */
interface Waiting {
  readonly response: ServerResponse
  readonly start: () => void
}

/**
 * One connection of HTTP/1.1.
 *
 * One request is handled at a time: those that are pipelined behind it wait, so that a client that does not read
 * cannot make the app produce more, and no request is handled behind an answer that closes the connection. Bytes
 * that are no request are refused after the answers that are due, never within one.
 */
export class Connection {
  readonly isCarrier: boolean
  readonly #socket: Socket
  readonly #openedAt = performance.now()
  /** the answer that was begun last */
  #answer: ServerResponse | null = null
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
    if (!isCarrier && isFunction(socket.destroySoon)) this.#endInStages(socket)
  }

  /**
   * Node closes the connection behind its last response. Where the client still sends, be it a body or further requests,
   * that would be a reset, and take the response with it (RFC 9112 section 9.6): so our side alone ends, and what comes
   * is thrown away, until the client ends its side or the time is over.
   */
  #endInStages(socket: Socket): void {
    const { destroySoon } = socket
    socket.destroySoon = () => {
      const answer = this.#answer
      if (answer === null || !answer.writableFinished || socket.destroyed) {
        destroySoon.call(socket)
        return
      }
      this.#linger(answer.req.complete ? LINGER_MS : UNREAD_MS)
      answer.req.once('end', () => this.#linger(LINGER_MS))
      socket.end()
    }
  }

  #linger(ms: number): void {
    this.#lingersUntil = performance.now() + ms
  }

  /** A request can start now; else it has to wait. */
  begin(response: ServerResponse): boolean {
    const before = this.#answer
    if (before !== null && !before.writableFinished) return false
    // As `keepsAlive`, without its call.
    if (before !== null && (!before.shouldKeepAlive || Reflect.get(before, '_last') === true)) return false
    if (this.#waiting.length > 0 || this.#isRefused) return false
    this.#answer = response
    return true
  }

  /** Starts a request when those before it have been answered. */
  wait(response: ServerResponse, start: () => void): void {
    if (this.#isRefused) return
    this.#waiting.push({ response, start })
    if (this.#waiting.length === 1) this.#goOn()
    else if (this.#waiting.length === MOST_WAITING) {
      this.#isPaused = true
      this.#socket.pause()
    }
  }

  readonly #goOn = (): void => {
    if (this.#socket.destroyed) return
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const before = this.#answer
      if (before !== null && !this.#isGiven(before)) {
        before.once('close', this.#goOn)
        return
      }
      if (before !== null && !keepsAlive(before)) this.#waiting = []
      else {
        this.#waiting.shift()
        this.#answer = next.response
        next.start()
      }
    }
    if (this.#isPaused) this.#socket.resume()
    this.#isPaused = false
    if (this.#refusal !== null) this.#afterAnswer(this.#refusal)
  }

  /** The app has given the answer, and the client reads fast enough. */
  #isGiven(answer: ServerResponse): boolean {
    return answer.writableFinished || (answer.writableEnded && this.#socket.writableLength < MOST_UNREAD)
  }

  /**
   * Refuses what is left on the connection: after the answers that are due, or at once when there is none.
   *
   * @param error - what is wrong, for a body that breaks off with it
   * @param refusal - writes the refusal, if the connection can still be written to
   */
  refuse(error: Error, refusal: () => void): void {
    if (this.#isRefused) return
    this.#isRefused = true
    if (this.#waiting.at(-1)?.response.req.complete === false) this.#waiting.pop()
    const answer = this.#answer
    if (answer === null || answer.req.complete) {
      this.#refusal = refusal
      this.#goOn()
    } else if (!answer.headersSent && answer.socket !== null) {
      // The request whose body is broken has no answer yet: this is it.
      this.#refuseNow(refusal)
    } else {
      this.#refusal = () => this.#socket.end()
      if (answer.req.listenerCount('error') > 0) answer.req.emit('error', error)
      this.#goOn()
    }
  }

  #afterAnswer(refusal: () => void): void {
    const answer = this.#answer
    if (answer !== null && !answer.writableFinished) answer.once('close', this.#goOn)
    // Behind an answer that closes the connection nothing is answered (RFC 9112 section 9.6).
    else this.#refuseNow(answer !== null && !keepsAlive(answer) ? () => this.#socket.end() : refusal)
  }

  #refuseNow(refusal: () => void): void {
    this.#refusal = null
    this.#linger(LINGER_MS)
    if (this.#socket.writable) refusal()
  }

  /** The connection ends with the last of the answers that are due. */
  endAfterAnswers(): void {
    const last = this.#waiting.at(-1)?.response ?? this.#answer
    if (last !== null && !last.headersSent) last.shouldKeepAlive = false
  }

  /** Keeps nothing of the last request while it waits for the next one. */
  release(): void {
    const answer = this.#answer
    if (answer?.writableFinished === true && keepsAlive(answer) && answer.req.complete) this.#answer = null
  }

  /** A request is being answered, or its answer is on its way to the client. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || (this.#answer !== null && !this.#answer.writableFinished)
  }

  /** Nothing has come within this time of its opening. */
  isSilent(forMs: number): boolean {
    return this.#socket.bytesRead === 0 && performance.now() - this.#openedAt > forMs
  }

  /** Its last answer has been given, and its client neither reads nor leaves. */
  hasLingered(now: number): boolean {
    return now > this.#lingersUntil
  }

  /** For how long the client has read nothing of an answer that waits for it. */
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

  /** The socket has closed. An answer that waited behind another one never gets it, and hears nothing of its end. */
  closed(): void {
    this.#waiting = []
    const answer = this.#answer
    if (answer === null || answer.socket !== null || answer.writableFinished) return
    answer.destroy()
    answer.emit('close')
  }
}

/** The connection stays open behind an answer; an application may have said so itself, past the framework. */
function keepsAlive(answer: ServerResponse): boolean {
  return answer.shouldKeepAlive && Reflect.get(answer, '_last') !== true
}
