// Sockets and responses as a server of Node has them, with nothing behind them.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** A socket whose state a test sets, and which notes what is done to it. */
export class FakeSocket extends EventEmitter {
  readonly calls: string[] = []
  destroyed = false
  writable = true
  writableLength = 0
  bytesRead = 0
  bytesWritten = 0
  alpnProtocol: string | false = false

  /** The socket, for what takes one of Node. */
  get asSocket(): Socket {
    return Object(this)
  }

  pause(): void {
    this.calls.push('pause')
  }

  resume(): void {
    this.calls.push('resume')
  }

  end(text = ''): void {
    this.writable = false
    this.calls.push(`end ${text}`.trim())
  }

  destroy(): this {
    this.destroyed = true
    this.calls.push('destroy')
    this.emit('close')
    return this
  }
}

/** A response whose state a test sets. */
export class FakeResponse extends EventEmitter {
  readonly req = Object.assign(new Readable({ read: () => {} }), { complete: true })
  socket: object | null = {}
  headersSent = false
  writableEnded = false
  writableFinished = false
  shouldKeepAlive = true

  /** The response, for what takes one of Node. */
  get asResponse(): ServerResponse {
    return Object(this)
  }

  /** The app has given all of it; the client has yet to read it. */
  end(): void {
    this.headersSent = true
    this.writableEnded = true
  }

  /** The client has read all of it. */
  finish(): void {
    this.end()
    this.writableFinished = true
    this.emit('close')
  }
}

/** A stream of HTTP/2 whose state a test sets, and which notes the codes that it is closed with. */
export class FakeStream extends EventEmitter {
  writableLength = 0
  writableFinished = false
  readableEnded = false
  endAfterHeaders = false
  headersSent = false
  closed = false
  readonly codes: number[] = []

  close(code: number): void {
    this.codes.push(code)
  }

  /** The stream is over. */
  end(): void {
    this.closed = true
    this.emit('close')
  }
}

/** A session of HTTP/2 whose state a test sets, and which notes what is done to it. */
export class FakeSession extends EventEmitter {
  readonly calls: string[] = []
  readonly pings: ((error: Error | null) => void)[] = []
  state: object = { remoteWindowSize: 9, outboundQueueSize: 9 }
  socket: object = { _handle: { bytesWritten: 9 } }
  closed = false
  destroyed = false

  close(): void {
    this.closed = true
    this.calls.push('close')
  }

  destroy(): void {
    this.destroyed = true
    this.calls.push('destroy')
    this.emit('close')
  }

  ping(ponged: (error: Error | null) => void): boolean {
    this.pings.push(ponged)
    return true
  }

  /** The client opens a stream. */
  open(parts: Partial<FakeStream> = {}): FakeStream {
    const stream = Object.assign(new FakeStream(), parts)
    this.emit('stream', stream)
    return stream
  }
}
