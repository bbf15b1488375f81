import { collectBody, type BodyErrors, type BodyReceiver } from './body/collector.ts'
import { RequestBody, type BodyFlow } from './body/request-body.ts'
import { joinFields, listFields, type LowerNames, type RequestHeaders } from './head/fields.ts'
import { EXPECTS_CONTINUE, HAS_LENGTH, IS_CHUNKED, IS_INADMISSIBLE, SAYS_CLOSE } from './head/field-rules.ts'
import type { HeadScanner } from './head/head-scanner.ts'
import type { Turn } from './message/turn.ts'
import type { RawExchange } from './raw/raw-request.ts'

/** The connection of an exchange, as far as the exchange needs it. */
export interface Connection extends Omit<Carried, 'engine'> {
  /** the bytes go over TLS */
  readonly isEncrypted: boolean
  /** what all connections of its server share */
  readonly engine: Carried['engine'] & {
    readonly scanner: HeadScanner
    readonly names: LowerNames
    readonly errors: BodyErrors
  }
  /** Reads no more for now. */
  pause(): void
  /** Reads on. */
  resume(): void
  /** The response of an exchange has been written. */
  done(exchange: object): void
  /** Ends the output behind the last response. */
  finish(): void
  /** Ends the connection within a response. */
  cut(): void
}

type Carried = RawExchange['connection']

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * One request. Its head stays one text: what is seldom read (headers and header lines) is made of it when it is first
 * read.
 */
export abstract class ReceivedRequest implements BodyFlow {
  /** the connection that it came over */
  readonly connection: Connection
  /** the method, in upper case */
  readonly method: string
  /** the request target, in origin form; `*` for some requests with the method OPTIONS */
  target: string
  /** the body; `null` where there is none */
  readonly body: RequestBody | null
  /** how many header lines there are */
  readonly lineCount: number
  /** the facts that the scanner found, as bits of `head/field-rules.ts` */
  protected readonly flags: number
  /** the head, one character for each byte */
  readonly #text: string
  /** where the head began when it was scanned */
  #base: number
  readonly #typeStart: number
  readonly #typeEnd: number
  /** of the scan whose offsets belong to this head */
  #serial: number
  #headers: RequestHeaders | null = null
  /** the client sends the body without being asked, or has been asked for it */
  #isContinued: boolean

  /** @param start - where the head begins that the scanner of the engine has scanned last */
  constructor(connection: Connection, bytes: Buffer, start: number, end: number) {
    const { scanner } = connection.engine
    this.connection = connection
    this.#text = bytes.toString('latin1', start, end)
    this.#base = start
    this.flags = scanner.flags
    this.lineCount = scanner.fieldCount
    this.method = scanner.method
    this.target = this.#text.slice(scanner.targetStart - start, scanner.targetEnd - start)
    this.#typeStart = scanner.typeEnd === 0 ? 0 : scanner.typeStart - start
    this.#typeEnd = scanner.typeEnd === 0 ? 0 : scanner.typeEnd - start
    this.body = createBody(scanner, this)
    this.#isContinued = (scanner.flags & EXPECTS_CONTINUE) === 0 || this.body === null
    this.#serial = scanner.serial
  }

  /** What it may do now, a row of `message/turn.ts`. */
  abstract get turn(): Turn

  /** False where the Host field is no host, or not the only one (RFC 9112 section 3.2). */
  get isAdmissible(): boolean {
    return (this.flags & IS_INADMISSIBLE) === 0
  }

  /** The connection ends with the response: the client wants it, or the head is inadmissible. */
  protected get saysClose(): boolean {
    return (this.flags & (SAYS_CLOSE | IS_INADMISSIBLE)) !== 0
  }

  /** All of the request has arrived. */
  get isReceived(): boolean {
    return this.body === null || this.body.isComplete
  }

  /** The client may wait before it sends the body, and has not been asked for it. */
  get isWaitingToContinue(): boolean {
    return !this.#isContinued
  }

  /** How the end of the body is known (RFC 9112 section 6.3). */
  get framing(): 'none' | 'length' | 'chunked' {
    if ((this.flags & IS_CHUNKED) !== 0) return 'chunked'
    return (this.flags & HAS_LENGTH) === 0 ? 'none' : 'length'
  }

  /** The declared length of the body in bytes; `null` unless `framing` is `length`. */
  get bodyLength(): number | null {
    if ((this.flags & HAS_LENGTH) === 0) return null
    return this.body === null ? 0 : this.body.length
  }

  /** The headers by lower-case name, joined as Node joins them. */
  get headers(): RequestHeaders {
    this.#headers ??= joinFields(this.#scanned(), this.#text, this.#base, this.connection.engine.names)
    return this.#headers
  }

  /** Names and values of the header lines in turn, as they came. */
  get headerLines(): string[] {
    return listFields(this.#scanned(), this.#text, this.#base)
  }

  /** One header by its lower-case name; several lines are joined by a comma. */
  header(name: string): string | undefined {
    if (name === 'content-type') {
      return this.#typeEnd === 0 ? undefined : this.#text.slice(this.#typeStart, this.#typeEnd)
    }
    const value = this.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** The scanner may have scanned another head since. */
  #scanned(): HeadScanner {
    const { scanner } = this.connection.engine
    if (scanner.serial !== this.#serial) {
      const bytes = Buffer.from(this.#text, 'latin1')
      scanner.scan(bytes, 0, bytes.length)
      this.#serial = scanner.serial
      this.#base = 0
    }
    return scanner
  }

  /**
   * Reads the whole body.
   *
   * @param limit - the most bytes that are taken
   * @returns a promise, where the body has not arrived yet; else the receiver has got it
   */
  collect(limit: number, as: 'text' | 'bytes', receiver: BodyReceiver): Promise<void> | undefined {
    const { body } = this
    const isText = as === 'text'
    this.sendContinue()
    if (body === null) receiver.receive(isText ? '' : Buffer.alloc(0))
    else if (body.isComplete && !body.isTaken && body.kept.length <= limit) {
      receiver.receive(body.takeKept(isText))
    } else {
      const { errors } = this.connection.engine
      return collectBody(body, limit, isText, receiver, errors)
    }
    return undefined
  }

  /** Reads no more of the body for now. */
  pause(): void {
    if (this.turn.mayRead) this.connection.pause()
  }

  /** Reads on. */
  resume(): void {
    if (this.turn.mayRead) this.connection.resume()
  }

  /** Asks a client that waits for the body (RFC 9110 section 10.1.1), and has not sent it yet. */
  sendContinue(): void {
    if (!this.isWaitingToContinue || this.isReceived || !this.turn.mayInform) return
    this.#isContinued = true
    const { outbox } = this.connection
    outbox.add(CONTINUE)
    outbox.flush()
  }
}

function createBody({ flags, bodyLength }: HeadScanner, flow: BodyFlow): RequestBody | null {
  if ((flags & IS_CHUNKED) !== 0) return new RequestBody(null, flow)
  return bodyLength === 0 ? null : new RequestBody(bodyLength, flow)
}
