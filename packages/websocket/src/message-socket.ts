import type { Upgrade, UpgradeMessage } from 'cloister/types'
import { closeReason, messageOf } from './close-reason.ts'
import type { SocketConnection, SocketMessage } from './connection.ts'
import { WebSocketError } from './errors.ts'
import type { Limits } from './limits.ts'
import { Rate } from './rate.ts'
import type { MessageSocket, SocketEnd } from './types.ts'

/** If fewer bytes than this wait for the client, the client reads fast enough. */
const FAST_BYTES = 65_536
/** At most so many messages are sent before the handler waits for the socket, which may be gone without having told. */
const MAX_UNAWAITED = 32

const NORMAL = 1000
const IS_CLOSING = 1001
const HAS_FAILED = 1011

/** The logger of the request that has opened a socket. */
export type SocketLog = Readonly<Record<'info' | 'error', (fields: object, text: string) => void>>

/** The reason why a message closes its socket. */
interface Violation {
  /** the close code (RFC 6455 section 7.4.1) */
  readonly code: 1003 | 1007 | 1008 | typeof HAS_FAILED
  /** the place in the message, as a JSON pointer */
  readonly path: string
  readonly reason: string
}

/** A valid message, or the reason why it is invalid. */
type Checked = { readonly value: unknown } | { readonly violation: Violation }

/** A WebSocket with JSON messages and the limits of its route. */
export class MessageSocketImpl implements MessageSocket {
  readonly closed: Promise<SocketEnd>
  received: number = 0
  readonly #connection: SocketConnection
  readonly #upgrade: Upgrade
  readonly #logger: SocketLog
  readonly #limits: Limits
  readonly #messageRate: Rate
  readonly #byteRate: Rate
  /** messages that wait for the handler */
  readonly #queue: (Checked | Promise<Checked>)[] = []
  /** how many messages were sent since the handler has waited for the socket */
  #unawaited = 0
  #wakes: (() => void)[] = []
  #controller: AbortController | null = null
  #end: SocketEnd | null = null
  /** no more messages are sent or read */
  #isClosing = false
  #isAlive = true
  #closedError: Error | null = null

  /** @param upgrade - the handshake */
  constructor(connection: SocketConnection, upgrade: Upgrade, logger: SocketLog, limits: Limits) {
    this.#connection = connection
    this.#upgrade = upgrade
    this.#logger = logger
    this.#limits = limits
    this.#messageRate = new Rate(limits.maxMessagesPerSecond)
    this.#byteRate = new Rate(limits.maxBytesPerSecond)
    const { pingInterval } = limits
    const isPinged = pingInterval > 0 && connection.ping !== undefined
    const timer = isPinged ? setInterval(() => this.#ping(), pingInterval).unref() : undefined
    connection.on('message', (data, isBinary) => this.#receive(data, isBinary))
    connection.on('pong', () => {
      this.#isAlive = true
    })
    // Violations of the protocol by the client. `ws` closes the socket with the matching code.
    connection.on('error', (err) => this.#log('info', `the WebSocket failed: ${err.message}`, { err }))
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
      if (next !== undefined) {
        if (this.#connection.isPaused && this.#queue.length < this.#limits.maxQueued)
          this.#connection.resume()
        const checked = await next
        if ('violation' in checked) return
        yield checked.value
      } else if (this.#isClosing) return
      else {
        await new Promise<void>((resolve) => {
          this.#wakes.push(resolve)
        })
      }
    }
  }

  /** Runs the handler and closes the socket when it ends. */
  async serve(handle: () => Promise<unknown>): Promise<void> {
    try {
      await handle()
      this.#close(NORMAL, '')
    } catch (err) {
      // If the client disconnects, an error in `send` is not the handler's fault.
      if (err !== this.#closedError || err === null)
        this.#log('error', `the handler failed: ${messageOf(err)}`, { err })
      this.#close(HAS_FAILED, 'the handler failed')
    }
  }

  /** A rejection that no handler awaits does not end the process; the log contains the reason. */
  send(message: unknown): Promise<void> {
    return hush(this.#send(message))
  }

  async #send(message: unknown): Promise<void> {
    if (this.#isClosing) throw this.#closedFailure()
    const text = this.#write(message)
    const connection = this.#connection
    const { maxBuffered } = this.#limits
    if (connection.bufferedAmount > maxBuffered) {
      const waiting = `${connection.bufferedAmount} bytes wait for a client that reads too slowly`
      this.#log('info', `${waiting} (maxBuffered); its WebSocket is cut`)
      this.#isClosing = true
      connection.terminate()
      throw this.#closedFailure()
    }
    await new Promise<void>((resolve, reject) => {
      connection.send(text, (error) => {
        this.#unawaited = 0
        if (error == null) resolve()
        else reject(this.#closedFailure())
      })
      // A loop of messages that never waits would keep the event of a socket that is gone from coming.
      const isFast = connection.bufferedAmount < Math.min(FAST_BYTES, maxBuffered)
      if (isFast && ++this.#unawaited < MAX_UNAWAITED) resolve()
    })
  }

  #write(message: unknown): string {
    const { label, messages } = this.#upgrade
    try {
      return messages.write(message)
    } catch (cause) {
      const text = `A message of ${label} does not match its schema 'outgoing': ${messageOf(cause)}`
      const err = new WebSocketError('CLO_ERR_SOCKET_MESSAGE_INVALID', text, { cause })
      this.#log('error', err.message, { err })
      throw err
    }
  }

  #closedFailure(): Error {
    const text = `The WebSocket of ${this.#upgrade.label} is closed (${this.#end?.code ?? 'closing'}); nothing can be sent on it`
    this.#closedError ??= new WebSocketError('CLO_ERR_SOCKET_CLOSED', text)
    return this.#closedError
  }

  #receive(data: SocketMessage, isBinary: boolean): void {
    if (this.#isClosing) return
    this.#isAlive = true
    const number = ++this.received
    if (this.#isTooFast(number, data.length)) return
    const checked = this.#check(data, isBinary)
    if (checked instanceof Promise) void checked.then((late) => this.#refuse(number, late))
    else if (this.#refuse(number, checked)) return
    this.#queue.push(checked)
    if (this.#queue.length >= this.#limits.maxQueued) this.#connection.pause()
    this.#wake()
  }

  #check(data: SocketMessage, isBinary: boolean): Checked | Promise<Checked> {
    if (isBinary) return violation(1003, '', 'is binary; messages are JSON, as text')
    try {
      const message = this.#upgrade.messages.read(data.toString())
      if (!(message instanceof Promise)) return toChecked(message)
      return message.then(toChecked, (err: unknown) => this.#failed(err))
    } catch (err) {
      return this.#failed(err)
    }
  }

  /** A validator that fails is not the client's mistake, and its error not for the client. */
  #failed(err: unknown): Checked {
    this.#log('error', `the validation of a message failed: ${messageOf(err)}`, { err })
    return violation(HAS_FAILED, '', 'could not be validated')
  }

  /** Closes the socket of a client that sends more than the route admits. */
  #isTooFast(number: number, size: number): boolean {
    const now = performance.now()
    const { maxMessagesPerSecond, maxBytesPerSecond } = this.#limits
    const reason = !this.#messageRate.admits(1, now)
      ? `more than ${maxMessagesPerSecond} messages in a second (maxMessagesPerSecond)`
      : !this.#byteRate.admits(size, now)
        ? `more than ${maxBytesPerSecond} bytes in a second (maxBytesPerSecond)`
        : ''
    return reason !== '' && this.#refuse(number, violation(1008, '', reason))
  }

  /** Closes the socket if a message is invalid for the route. */
  #refuse(number: number, checked: Checked): boolean {
    if (!('violation' in checked)) return false
    const { code, path, reason } = checked.violation
    const problem = `message ${number}: ${path === '' ? reason : `${path} ${reason}`}`
    this.#log('info', `${problem}; its WebSocket is closed`, { message: number, path, code })
    this.#close(code, problem)
    return true
  }

  close(code: number = NORMAL, reason: string = ''): void {
    if (code !== NORMAL && !(Number.isInteger(code) && code >= 3000 && code <= 4999)) {
      const text = `The close code of a WebSocket must be 1000 or from 3000 to 4999, got ${String(code)}`
      throw new WebSocketError('CLO_ERR_SOCKET_CLOSE_CODE', text)
    }
    this.#close(code, reason)
  }

  leave(): void {
    this.#close(IS_CLOSING, 'the server is closing')
  }

  #close(code: number, reason: string): void {
    if (this.#isClosing) return
    const text = closeReason(reason)
    this.#isClosing = true
    // The client's close frame comes after the messages that have not been read yet.
    this.#connection.resume()
    this.#connection.close(code, text)
    this.#wake()
  }

  #ping(hasRead = false): void {
    if (this.#end !== null) return
    // While the handler is busy nothing is read, including pongs.
    if (this.#isAlive || this.#connection.isPaused) {
      this.#isAlive = false
      this.#connection.ping?.()
    } else if (hasRead) {
      this.#log('info', 'nothing has come since the last ping (pingInterval); the WebSocket is cut')
      this.#connection.terminate()
    }
    // After a long turn the loop runs timers before it reads sockets: the pong may have arrived.
    else setImmediate(() => this.#ping(true))
  }

  #wake(): void {
    const wakes = this.#wakes
    this.#wakes = []
    for (const wake of wakes) wake()
  }

  /** A logger that fails must not end the process. */
  #log(level: 'info' | 'error', text: string, fields: object = {}): void {
    const { label: route } = this.#upgrade
    try {
      this.#logger[level]({ ...fields, route }, text.includes(route) ? text : `${route}: ${text}`)
    } catch {
      // The app has reported it.
    }
  }
}

function violation(code: Violation['code'], path: string, reason: string): Checked {
  return { violation: { code, path, reason } }
}

function toChecked(message: UpgradeMessage): Checked {
  if (!('fault' in message)) return message
  const { kind, path, reason } = message.fault
  return violation(kind === 'syntax' ? 1007 : 1008, path, reason)
}

/** A rejection that is not awaited does not end the process. */
function hush<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
