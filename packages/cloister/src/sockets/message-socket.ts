import type { WebSocketConnection } from '../dependencies.ts'
import { createError, type CloisterError } from '../errors.ts'
import { hush } from '../guards.ts'
import { clearInterval, setInterval } from '../platform.ts'
import { messageOf } from '../read-error.ts'
import type { PlanMessages } from '../request/route-plan.ts'
import type { MessageSocket, SocketEnd } from '../types/sockets.ts'
import { checkMessage, type Checked, type Parse, type Violation } from './check-message.ts'
import type { Limits } from './socket-limits.ts'

/** What a socket needs of its route. */
export interface SocketHost {
  /** `GET /chat`, for messages */
  readonly label: string
  readonly limits: Limits
  readonly messages: PlanMessages
  readonly parse: Parse
  /** gives errors the prefix of the app */
  readonly prefixed: (error: CloisterError) => CloisterError
  readonly log: (level: 'info' | 'error', fields: object, line: string) => void
}

/** While less than this waits for the client, it reads fast enough. */
const FAST_BYTES = 65_536
/** The longest reason of a close frame, in bytes (RFC 6455 section 5.5). */
const LONGEST_REASON = 123

const NORMAL = 1000
const IS_CLOSING = 1001
const HAS_FAILED = 1011

/** A WebSocket that speaks JSON; its limits are those of its route. */
export class MessageSocketImpl implements MessageSocket {
  readonly closed: Promise<SocketEnd>
  /** how many messages have come */
  received: number = 0
  readonly #connection: WebSocketConnection
  readonly #host: SocketHost
  /** messages that wait for the handler */
  readonly #queue: (Checked | Promise<Checked>)[] = []
  #wakes: (() => void)[] = []
  #controller: AbortController | null = null
  #end: SocketEnd | null = null
  /** nothing is sent or read any more */
  #isClosing = false
  #isAlive = true
  #closedError: CloisterError | null = null

  constructor(connection: WebSocketConnection, host: SocketHost) {
    this.#connection = connection
    this.#host = host
    const { pingInterval } = host.limits
    const timer = pingInterval === 0 ? undefined : setInterval(() => this.#ping(), pingInterval).unref()
    connection.on('message', (data, isBinary) => this.#receive(data, isBinary))
    connection.on('pong', () => {
      this.#isAlive = true
    })
    connection.on('error', (err) => {
      // What a client does against the protocol; `ws` closes the socket with the code for it.
      host.log('info', { err, route: host.label }, `${host.label}: the WebSocket failed: ${err.message}`)
    })
    this.closed = new Promise((resolve) => {
      connection.on('close', (code, reason) => {
        clearInterval(timer)
        this.#isClosing = true
        this.#end = { code, reason: reason.toString() }
        this.#controller?.abort()
        resolve(this.#end)
        this.#wake()
      })
    })
  }

  get bufferedAmount(): number {
    return this.#connection.bufferedAmount
  }

  get protocol(): string {
    return this.#connection.protocol
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#end !== null) this.#controller.abort()
    return this.#controller.signal
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    while (true) {
      const next = this.#queue.shift()
      if (next === undefined) {
        if (this.#isClosing) return
        await new Promise<void>((resolve) => {
          this.#wakes.push(resolve)
        })
        continue
      }
      if (this.#connection.isPaused && this.#queue.length < this.#host.limits.maxQueued) {
        this.#connection.resume()
      }
      const checked = await next
      if ('violation' in checked) return
      yield checked.value
    }
  }

  /** A rejection that no handler awaits does not end the process: the log has the reason. */
  send(message: unknown): Promise<void> {
    return hush(this.#send(message))
  }

  async #send(message: unknown): Promise<void> {
    if (this.#isClosing) throw this.#closedFailure()
    const text = this.#write(message)
    const connection = this.#connection
    const { maxBuffered } = this.#host.limits
    if (connection.bufferedAmount > maxBuffered) {
      const line = `${this.#host.label}: ${connection.bufferedAmount} bytes wait for a client that reads too slowly (maxBuffered); its WebSocket is cut`
      this.#host.log('info', { route: this.#host.label }, line)
      this.#isClosing = true
      connection.terminate()
      throw this.#closedFailure()
    }
    await new Promise<void>((resolve, reject) => {
      connection.send(text, (error) => {
        if (error == null) resolve()
        else reject(this.#closedFailure())
      })
      if (connection.bufferedAmount < Math.min(FAST_BYTES, maxBuffered)) resolve()
    })
  }

  #write(message: unknown): string {
    const serialize = this.#host.messages.outgoing ?? JSON.stringify
    try {
      const text: unknown = serialize(message)
      if (typeof text === 'string') return text
      throw new TypeError('it has no JSON')
    } catch (cause) {
      const { label, log, prefixed } = this.#host
      const details = { route: label, reason: messageOf(cause) }
      const err = prefixed(createError('SOCKET_MESSAGE_INVALID', details, { cause }))
      log('error', { err, route: label }, err.message)
      throw err
    }
  }

  #closedFailure(): CloisterError {
    const { label, prefixed } = this.#host
    this.#closedError ??= prefixed(
      createError('SOCKET_CLOSED', { route: label, code: this.#end?.code ?? 'closing' }),
    )
    return this.#closedError
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#isClosing) return
    this.#isAlive = true
    const number = ++this.received
    const { limits, messages, parse } = this.#host
    const checked = checkMessage(data, isBinary, parse, messages.incoming)
    if (checked instanceof Promise) void checked.then((late) => this.#refuse(number, late))
    else if (this.#refuse(number, checked)) return
    this.#queue.push(checked)
    if (this.#queue.length >= limits.maxQueued) this.#connection.pause()
    this.#wake()
  }

  /** Closes the socket, where a message is not what the route takes. */
  #refuse(number: number, checked: Checked): boolean {
    if (!('violation' in checked)) return false
    const { code, path, reason }: Violation = checked.violation
    const { label, log } = this.#host
    const problem = `message ${number}: ${path === '' ? reason : `${path} ${reason}`}`
    log(
      'info',
      { route: label, message: number, path, code },
      `${label}: ${problem}; its WebSocket is closed`,
    )
    this.#close(code, problem)
    return true
  }

  close(code: number = NORMAL, reason: string = ''): void {
    if (code !== NORMAL && !(Number.isInteger(code) && code >= 3000 && code <= 4999)) {
      throw this.#host.prefixed(createError('SOCKET_CLOSE_CODE', { code: String(code) }))
    }
    this.#close(code, reason)
  }

  /** The app begins to close. */
  leave(): void {
    this.#close(IS_CLOSING, 'the server is closing')
  }

  /** The handler has ended. */
  finish(failure: { readonly thrown: unknown } | null): void {
    if (failure === null) this.#close(NORMAL, '')
    else {
      const { thrown } = failure
      const { label, log } = this.#host
      // A client that goes is no failure of the handler that sends to it.
      if (thrown !== this.#closedError || thrown === null)
        log('error', { err: thrown, route: label }, `${label}: the handler failed: ${messageOf(thrown)}`)
      this.#close(HAS_FAILED, 'the handler failed')
    }
  }

  #close(code: number, reason: string): void {
    if (this.#isClosing) return
    this.#isClosing = true
    // The close frame of the client comes behind what is not read yet.
    this.#connection.resume()
    this.#connection.close(code, shorten(reason))
    this.#wake()
  }

  /** While the handler has enough to do nothing is read, no pong either. */
  #ping(): void {
    if (this.#connection.isPaused) this.#isAlive = true
    if (!this.#isAlive) {
      const line = `${this.#host.label}: nothing has come since the last ping (pingInterval); the WebSocket is cut`
      this.#host.log('info', { route: this.#host.label }, line)
      this.#connection.terminate()
      return
    }
    this.#isAlive = false
    this.#connection.ping()
  }

  #wake(): void {
    const wakes = this.#wakes
    this.#wakes = []
    for (const wake of wakes) wake()
  }
}

/** Cuts a reason to what fits in a close frame; a character that does not fit as a whole goes. */
function shorten(reason: string): string {
  const bytes = Buffer.from(reason)
  if (bytes.length <= LONGEST_REASON) return reason
  return bytes
    .subarray(0, LONGEST_REASON)
    .toString()
    .replace(/\uFFFD+$/, '')
}
