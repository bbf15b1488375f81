import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'

import { prematureClose } from '../message/turn.ts'

/** Called with `null` when the socket has taken what was written, or with the reason why it never will. */
export type Taken = (error: Error | null) => void

/** Longer contents are encoded once, instead of being joined with their head as text. */
const LONG_CONTENT = 1024
const SMALL_BYTES = 8192
/** The room before an encoded content for its head, whose length depends on that of the content. */
const HEADROOM = 4096
const MAX_SHARED_LENGTH = 65_536

const NOT_ASCII = /[^\0-\x7f]/

/** The buffer in which one server encodes long contents. It is replaced when a socket keeps it. */
export class Scratch {
  buffer: Buffer = create()
}

function create(): Buffer {
  return Buffer.allocUnsafeSlow(HEADROOM + 3 * MAX_SHARED_LENGTH)
}

/**
 * The output of one connection, in order. Responses to pipelined requests are written together, with one write for a
 * batch.
 */
export class Outbox {
  readonly #socket: Socket
  /** `null` if the socket keeps written bytes for long */
  readonly #scratch: Scratch | null
  /** the text that waits, with one character for each byte; only the outbox changes it */
  text = ''
  #taken: Taken[] | null = null

  constructor(socket: Socket, scratch: Scratch | null) {
    this.#socket = socket
    this.#scratch = scratch
  }

  /** Adds text with one character for each byte; it waits for `flush`. */
  add(text: string): void {
    this.text += text
  }

  /**
   * Adds a response.
   *
   * @param length - the length of the content in bytes
   */
  addText(head: string, content: string, length: number): void {
    const isAscii = length === content.length
    if (isAscii && length <= LONG_CONTENT) this.text += head + content
    else if (length <= LONG_CONTENT && !NOT_ASCII.test(head)) {
      this.flush()
      this.#socket.write(head + content, 'utf8')
    } else this.#writeLong(head, content, length)
  }

  /** Encodes a content after the room for its head, so that both are written in one piece. */
  #writeLong(head: string, content: string, length: number): void {
    this.flush()
    const scratch = length <= MAX_SHARED_LENGTH && head.length <= HEADROOM ? this.#scratch : null
    const room = scratch === null ? head.length : HEADROOM
    const buffer = scratch === null ? Buffer.allocUnsafeSlow(room + length) : scratch.buffer
    buffer.write(content, room, length === content.length ? 'latin1' : 'utf8')
    const start = room - head.length
    buffer.write(head, start, 'latin1')
    this.#socket.write(buffer.subarray(start, room + length))
    // The socket owns what the system has not taken yet.
    if (scratch !== null && this.#socket.writableLength !== 0) scratch.buffer = create()
  }

  addBytes(head: string, content: Uint8Array): void {
    if (content.byteLength > SMALL_BYTES) {
      this.#socket.cork()
      this.text += head
      this.flush()
      this.#socket.write(content)
      this.#socket.uncork()
      return
    }
    this.flush()
    const whole = Buffer.allocUnsafe(head.length + content.byteLength)
    whole.write(head, 0, 'latin1')
    whole.set(content, head.length)
    this.#socket.write(whole)
  }

  /** Calls back when the socket has taken everything added so far, and never before this method returns. */
  whenTaken(taken: Taken): void {
    const socket = this.#socket
    if (this.text === '' && this.#taken === null && socket.writableLength === 0) {
      process.nextTick(taken, socket.destroyed ? prematureClose() : null)
      return
    }
    // The socket calls back in the context of another request, which flushes or has written before. `AsyncResource.bind`
    // costs as much as the request.
    const resource = new AsyncResource('CloisterResponse')
    const bound: Taken = (error) => resource.runInAsyncScope(taken, null, error)
    if (socket.writableEnded)
      socket.once('close', () => bound(socket.writableFinished ? null : prematureClose()))
    else {
      ;(this.#taken ??= []).push(bound)
      // Everything added has been written already: nothing else would flush.
      if (this.text === '') this.flush()
    }
  }

  flush(): void {
    if (this.text === '' && this.#taken === null) return
    const text = this.text
    const taken = this.#taken
    this.text = ''
    this.#taken = null
    if (!this.#socket.writable) {
      if (taken !== null) process.nextTick(tell, taken, prematureClose())
    } else if (taken === null) this.#socket.write(text, 'latin1')
    else this.#socket.write(text, 'latin1', (error) => tell(taken, error == null ? null : prematureClose()))
  }

  /** Drops what waits, because the connection has gone. */
  close(): void {
    const taken = this.#taken
    this.text = ''
    this.#taken = null
    if (taken !== null) tell(taken, prematureClose())
  }
}

/** Calls back all that wait. */
export function tell(taken: readonly Taken[], error: Error | null): void {
  for (const one of taken) one(error)
}
