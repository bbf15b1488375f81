import { HAS_HOST, judgeField } from './field-rules.ts'
import { scanMethod } from './methods.ts'
import { BLANK, COLON, CR, FIELD_VALUE, LF, TARGET, TOKEN, octetsOf } from './octets.ts'
import { FAULTS, INCOMPLETE, MALFORMED, UNUSUAL, type Fault, type HandOverReason } from './verdicts.ts'

/** Heads with more lines are left to Node. */
const MAX_FIELDS = 2048
/** How many offsets are stored for each field. */
export const OFFSETS = 4

const SLASH = 47
const ASTERISK = 42
const VERSION = octetsOf(' HTTP/1.1\r\n')
/** The end of ` HTTP/` in it. */
const NAME_END = 6

/**
 * Scans the heads of requests in bytes: the request line (RFC 9112 section 3) and the field lines (section 5).
 *
 * A verdict depends only on the bytes up to the one that decides it, so it is the same however the bytes were split.
 * A scanner keeps what it found in the head that it scanned last.
 */
export class HeadScanner {
  /** for each field, the start and end of its name and of its value */
  readonly offsets: Int32Array = new Int32Array(OFFSETS * MAX_FIELDS)
  fieldCount = 0
  method = 'GET'
  targetStart = 0
  targetEnd = 0
  /** what the fields say, as bits of `field-rules.ts` */
  flags = 0
  bodyLength = 0
  /** offsets of the value of the first Content-Type */
  typeStart = 0
  typeEnd = 0
  fault: Fault = FAULTS.fieldName
  unusual: HandOverReason = 'method'
  /** the number of this scan; the results belong to the head with this number */
  serial = 0
  /** offsets of the field that it reads: its name, its value without white space, and the end of its line */
  nameStart = 0
  nameEnd = 0
  valueStart = 0
  valueEnd = 0
  lineEnd = 0

  /** returns whether a listener may take a connection for another protocol */
  readonly mayUpgrade: () => boolean

  constructor(mayUpgrade: () => boolean = () => true) {
    this.mayUpgrade = mayUpgrade
  }

  /**
   * Scans one head.
   *
   * @param start - where it begins
   * @param end - the end of the bytes that have arrived
   * @returns the index after the head, or a verdict: `INCOMPLETE`, `UNUSUAL`, `MALFORMED`
   */
  scan(bytes: Buffer, start: number, end: number): number {
    this.serial++
    this.fieldCount = 0
    this.flags = 0
    this.bodyLength = 0
    this.typeStart = 0
    this.typeEnd = 0
    let at = this.#scanRequestLine(bytes, start, end)
    while (at > 0) {
      if (at === end) return INCOMPLETE
      if (bytes[at] === CR) return this.#scanEnd(bytes, at + 1, end)
      at = this.#scanField(bytes, at, end)
    }
    return at
  }

  /**
   * Accepts a method, one space, a target in origin form, one space, `HTTP/1.1` (RFC 9112 section 3); `*` is also a
   * target (section 3.2.4). Leaves every other form to Node.
   */
  #scanRequestLine(bytes: Uint8Array, start: number, end: number): number {
    const targetStart = scanMethod(bytes, start, end, this)
    if (targetStart === UNUSUAL) return this.#leave('method')
    if (targetStart === INCOMPLETE || targetStart === end) return INCOMPLETE
    const first = bytes[targetStart]
    let at = targetStart + 1
    if (first === SLASH) while (at < end && TARGET[bytes[at] ?? 0] === 1) at++
    else if (first !== ASTERISK || this.method !== 'OPTIONS') return this.#leave('target')
    this.targetStart = targetStart
    this.targetEnd = at
    for (let i = 0; i < VERSION.length; i++, at++) {
      if (at === end) return INCOMPLETE
      if (bytes[at] === VERSION[i]) continue
      // Node's parser takes RTSP and ICE for HTTP.
      if (i > 0 && i < NAME_END) return this.#refuse(FAULTS.protocol)
      return this.#leave(i === 0 ? 'target' : 'version')
    }
    return at
  }

  /** Accepts a name, a colon, a value, CR LF (RFC 9112 section 5), and stores where they are. White space may surround the value. */
  #scanField(bytes: Buffer, start: number, end: number): number {
    let at = start
    while (at < end && TOKEN[bytes[at] ?? 0] !== 0) at++
    if (at === end) return INCOMPLETE
    if (at === start || bytes[at] !== COLON) return this.#refuse(FAULTS.fieldName)
    this.nameStart = start
    this.nameEnd = at++
    while (at < end && BLANK[bytes[at] ?? 0] === 1) at++
    this.valueStart = at
    while (at < end && FIELD_VALUE[bytes[at] ?? 0] === 1) at++
    if (at === end) return INCOMPLETE
    if (bytes[at] !== CR) return this.#refuse(FAULTS.fieldValue)
    if (at + 1 === end) return INCOMPLETE
    if (bytes[at + 1] !== LF) return this.#refuse(FAULTS.lineEnd)
    this.lineEnd = at
    this.valueEnd = at
    while (this.valueEnd > this.valueStart && BLANK[bytes[this.valueEnd - 1] ?? 0] === 1) this.valueEnd--
    if (this.fieldCount === MAX_FIELDS) return this.#leave('number of fields')
    const { offsets } = this
    const index = this.fieldCount++ * OFFSETS
    offsets[index] = this.nameStart
    offsets[index + 1] = this.nameEnd
    offsets[index + 2] = this.valueStart
    offsets[index + 3] = this.valueEnd
    const verdict = judgeField(this, bytes)
    return verdict === 0 ? at + 2 : verdict
  }

  /** Accepts the LF of the empty line (RFC 9112 section 2.1); a request must have a Host (section 3.2). */
  #scanEnd(bytes: Uint8Array, at: number, end: number): number {
    if (at === end) return INCOMPLETE
    if (bytes[at] !== LF) return this.#refuse(FAULTS.lineEnd)
    if ((this.flags & HAS_HOST) === 0) return this.#refuse(FAULTS.noHost)
    return at + 1
  }

  /** Leaves the head to Node. */
  #leave(reason: HandOverReason): number {
    this.unusual = reason
    return UNUSUAL
  }

  #refuse(fault: Fault): number {
    this.fault = fault
    return MALFORMED
  }
}
