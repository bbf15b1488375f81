import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

import { collectBody, type BodyErrors, type BodyReceiver } from '../body/collector.ts'
import type { BodyForm } from '../body/pieces.ts'
import { RequestBody, type BodyFlow } from '../body/request-body.ts'
import { joinFields, listFields, readField, type LowerNames, type RequestHeaders } from '../head/fields.ts'
import { EXPECTS_CONTINUE, HAS_LENGTH, IS_CHUNKED, IS_INADMISSIBLE, SAYS_CLOSE } from '../head/field-rules.ts'
import type { HeadScanner } from '../head/head-scanner.ts'
import type { Turn } from '../message/turn.ts'
import type { HeadComposer } from '../response/head-composer.ts'
import type { Clock } from '../response/head-lines.ts'
import type { Outbox } from '../response/outbox.ts'

/** The other end of a connection. */
export interface Peer {
  /** its address; `undefined` over a Unix domain socket */
  readonly address: string | undefined
  readonly port: number | undefined
  /** whether it uses TLS */
  readonly isEncrypted: boolean
}

/** The members of a connection that an exchange uses. */
export interface Connection {
  /** its socket */
  readonly socket: Socket
  /** its other end */
  readonly peer: Peer
  /** its output */
  readonly outbox: Outbox
  /** its input */
  readonly inbox: { readonly isRunning: boolean; readonly rest: Buffer | null }
  /** the exchange whose turn it is */
  readonly exchange: object | null
  /** the number of requests so far */
  readonly requests: number
  /** what all connections of its server share */
  readonly engine: {
    readonly server: Server
    readonly scanner: HeadScanner
    readonly names: LowerNames
    readonly composer: HeadComposer
    readonly clock: Clock
    readonly readBuffer: { own(bytes: Buffer, start: number, end: number): Buffer }
    readonly errors: BodyErrors
    readonly isClosing: boolean
  }
  /** Resumes reading. */
  resume(): void
  /** Called when the response of an exchange has been written. */
  done(exchange: object): void
  /** Ends the output after the last response. */
  finish(): void
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * One request. Its head is kept as one text; what is rarely read (headers and header lines) is created from it on
 * first access.
 */
export abstract class ReceivedRequest implements BodyFlow {
  /** the connection that the request arrived on */
  readonly connection: Connection
  /** the method, in upper case */
  readonly method: string
  /** the request target, in origin form; `*` for some OPTIONS requests */
  target: string
  /** the declared length of the body in bytes; `null` unless `framing` is `length` */
  readonly bodyLength: number | null
  /** the body; `null` if there is none */
  readonly body: RequestBody | null
  /** whether the client may wait before it sends the body, and has not got `100 Continue` */
  isWaitingToContinue: boolean
  /** whether the connection ends with the response, at first because of the head */
  isLast: boolean
  /** false when the Host field is invalid or repeated (RFC 9112 section 3.2) */
  readonly isAdmissible: boolean
  /** the number of header lines */
  readonly lineCount: number
  /** the facts that the scanner found, as bits of `head/field-rules.ts` */
  private readonly headFlags: number
  /** the head, one character for each byte */
  private readonly headText: string
  /** where the head began when it was scanned */
  private headStart: number
  /** the value of the first Content-Type */
  private readonly contentType: string | undefined
  /** the number of the scan whose offsets belong to this head */
  private headSerial: number
  private joinedHeaders: RequestHeaders | null = null
  /** Node's request, once it has been created: its headers are those of the exchange, also after it was changed */
  private message: IncomingMessage | null = null

  /** @param start - where the head begins that the engine's scanner has just scanned */
  constructor(connection: Connection, bytes: Buffer, start: number, end: number) {
    const { scanner } = connection.engine
    const isChunked = (scanner.flags & IS_CHUNKED) !== 0
    const { bodyLength } = scanner
    this.connection = connection
    this.headText = bytes.toString('latin1', start, end)
    this.headStart = start
    this.headFlags = scanner.flags
    this.isAdmissible = (scanner.flags & IS_INADMISSIBLE) === 0
    this.lineCount = scanner.fieldCount
    this.method = scanner.method
    this.target = this.headText.slice(scanner.targetStart - start, scanner.targetEnd - start)
    this.contentType =
      scanner.typeEnd === 0
        ? undefined
        : this.headText.slice(scanner.typeStart - start, scanner.typeEnd - start)
    this.bodyLength = !isChunked && (scanner.flags & HAS_LENGTH) !== 0 ? bodyLength : null
    this.body = isChunked || bodyLength > 0 ? new RequestBody(isChunked ? null : bodyLength, this) : null
    this.isWaitingToContinue = (scanner.flags & EXPECTS_CONTINUE) !== 0 && this.body !== null
    this.isLast = (scanner.flags & (SAYS_CLOSE | IS_INADMISSIBLE)) !== 0
    this.headSerial = scanner.serial
  }

  /** What the exchange may do now, a row of `message/turn.ts`. */
  abstract get turn(): Turn

  /** Whether all of the request has arrived. */
  get isReceived(): boolean {
    return this.body === null || this.body.isComplete
  }

  /** How the end of the body is known (RFC 9112 section 6.3). */
  get framing(): 'none' | 'length' | 'chunked' {
    if ((this.headFlags & IS_CHUNKED) !== 0) return 'chunked'
    return (this.headFlags & HAS_LENGTH) === 0 ? 'none' : 'length'
  }

  /** The headers by lower-case name, joined as Node joins them. */
  get headers(): RequestHeaders {
    if (this.message !== null) return this.message.headers
    this.joinedHeaders ??= joinFields(
      this.#scanned(),
      this.headText,
      this.headStart,
      this.connection.engine.names,
    )
    return this.joinedHeaders
  }

  /** Lets Node's request have the headers that were joined already, and later ones come from it. */
  share(message: IncomingMessage): void {
    const { server } = this.connection.engine
    const joinsOtherwise = Reflect.get(server, 'joinDuplicateHeaders') === true
    if (this.joinedHeaders !== null && !joinsOtherwise) message.headers = this.joinedHeaders
    this.message = message
  }

  /** Names and values of the header lines, alternating, as they arrived. */
  get headerLines(): string[] {
    return listFields(this.#scanned(), this.headText, this.headStart)
  }

  /** Returns a header by its lower-case name; joins several lines with commas. */
  header(name: string): string | undefined {
    // The application may have changed the object of all headers.
    if (this.joinedHeaders === null && this.message === null) {
      if (name === 'content-type') return this.contentType
      if (this.#isLastScanned()) {
        const { scanner, names } = this.connection.engine
        return readField(scanner, this.headText, this.headStart, names, name)
      }
    }
    const value = Object.hasOwn(this.headers, name) ? this.headers[name] : undefined
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** Whether the scanner's offsets belong to this head. */
  #isLastScanned(): boolean {
    return this.connection.engine.scanner.serial === this.headSerial
  }

  /** Scans the head again if the scanner has scanned another one since. */
  #scanned(): HeadScanner {
    const { scanner } = this.connection.engine
    if (!this.#isLastScanned()) {
      const bytes = Buffer.from(this.headText, 'latin1')
      scanner.scan(bytes, 0, bytes.length)
      this.headSerial = scanner.serial
      this.headStart = 0
    }
    return scanner
  }

  /**
   * Reads the whole body.
   *
   * @param limit - the maximum number of bytes
   * @returns a promise if the body has not arrived yet; otherwise the receiver has already got it
   */
  collect(limit: number, form: BodyForm, receiver: BodyReceiver): Promise<void> | undefined {
    const { body } = this
    if (this.isWaitingToContinue) this.sendContinue()
    if (body === null) receiver.receive(form === 'bytes' ? Buffer.alloc(0) : '')
    else if (body.isComplete && !body.isTaken && body.kept.length <= limit) {
      receiver.receive(body.takeKept(form))
    } else {
      const { errors } = this.connection.engine
      return collectBody(body, limit, form, receiver, errors)
    }
    return undefined
  }

  /** Pauses reading the body. */
  pause(): void {
    if (this.turn.mayRead) this.connection.socket.pause()
  }

  /** Resumes reading the body. */
  resume(): void {
    if (this.turn.mayRead) this.connection.resume()
  }

  /** Sends `100 Continue` to a client that waits for it (RFC 9110 section 10.1.1) and has not sent the body yet. */
  sendContinue(): void {
    if (!this.isWaitingToContinue || this.isReceived || !this.turn.mayInform) return
    this.isWaitingToContinue = false
    const { outbox } = this.connection
    outbox.add(CONTINUE)
    outbox.flush()
  }
}
