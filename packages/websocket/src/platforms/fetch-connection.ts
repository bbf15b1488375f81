import { Listeners, type OpenOptions, type SocketConnection, type SocketMessage } from '../connection.ts'

const TOO_LARGE = 1009
const TOO_MUCH = 1008
const HAS_FAILED = 1011
/** The connection has ended without a close frame (RFC 6455 section 7.1.5). */
export const IS_GONE = 1006

/** How long a client may take to close its end. */
const CLOSE_MS = 3000
/** While more bytes than this wait for the client, what was sent is not written. */
const FEW_BYTES = 65_536
const POLL_MS = 10

const encoder = new TextEncoder()

interface Waiting {
  readonly message: SocketMessage
  readonly isBinary: boolean
}

/**
 * A WebSocket of the web platform, with the interface of those of Node. It has no way to let a client wait: messages
 * that the handler has not asked for are kept, and a client that sends too many bytes of them is closed.
 */
export abstract class FetchConnection extends Listeners implements SocketConnection {
  readonly protocol: string
  isPaused = false
  readonly #maxPayload: number
  readonly #maxBuffered: number
  #waiting: Waiting[] = []
  #waitingBytes = 0
  /** messages that come while the client closes its end are dropped */
  #isClosing = false
  #hasEnded = false

  constructor({ protocol, maxPayload, maxBuffered }: OpenOptions) {
    super()
    this.protocol = protocol
    this.#maxPayload = maxPayload
    this.#maxBuffered = maxBuffered
  }

  abstract get bufferedAmount(): number
  /** @throws if the socket is not open */
  protected abstract write(data: string): void
  protected abstract startClosing(code: number | undefined, reason: string | undefined): void

  send(data: string, written: (error?: Error | null) => void): void {
    try {
      this.write(data)
    } catch (cause) {
      const error = new Error('the WebSocket is not open', { cause })
      queueMicrotask(() => written(error))
      return
    }
    setTimeout(() => this.#whenFew(written), 0)
  }

  #whenFew(written: (error?: Error | null) => void): void {
    if (this.#hasEnded) written(new Error('the WebSocket is closed'))
    else if (this.bufferedAmount <= FEW_BYTES) written()
    else setTimeout(() => this.#whenFew(written), POLL_MS)
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
    while (!this.isPaused) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#waitingBytes -= next.message.length
      this.emit('message', next.message, next.isBinary)
    }
  }

  close(code?: number, reason?: string): void {
    if (this.#isClosing || this.#hasEnded) return
    this.#isClosing = true
    this.startClosing(code, reason)
    setTimeout(() => this.ended(IS_GONE, ''), CLOSE_MS)
  }

  terminate(): void {
    if (this.#hasEnded) return
    this.startClosing(HAS_FAILED, '')
    this.ended(IS_GONE, '')
  }

  /** Takes a message of the client: a text, or bytes. */
  protected received(data: unknown): void {
    if (this.#isClosing || this.#hasEnded) return
    const isBinary = typeof data !== 'string'
    const text = isBinary ? '' : data
    const length = isBinary ? lengthOf(data) : encoder.encode(text).length
    if (length > this.#maxPayload) {
      this.close(TOO_LARGE, '')
      return
    }
    const message = { length, toString: () => text }
    if (!this.isPaused) {
      this.emit('message', message, isBinary)
      return
    }
    this.#waiting.push({ message, isBinary })
    this.#waitingBytes += length
    if (this.#waitingBytes > this.#maxBuffered)
      this.close(TOO_MUCH, 'too much waits for the handler (maxBuffered)')
  }

  /** Ends the connection, once. What has come before is read. */
  protected ended(code: number, reason: string): void {
    if (this.#hasEnded) return
    for (const { message, isBinary } of this.#waiting) this.emit('message', message, isBinary)
    this.#hasEnded = true
    this.#waiting = []
    this.emit('close', code, reason)
  }
}

function lengthOf(data: unknown): number {
  if (data instanceof Blob) return data.size
  return data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? data.byteLength : 0
}

/** The headers of the response that opens a WebSocket. */
export function headersOf({ headers, protocol }: OpenOptions): Headers {
  const lines = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value].flat()) if (line !== undefined) lines.append(name, String(line))
  }
  if (protocol !== '') lines.set('sec-websocket-protocol', protocol)
  return lines
}
