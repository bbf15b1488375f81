import { CR, FIELD_VALUE, LF, TOKEN } from '../head/octets.ts'
import { FAULTS, ParseError, type Fault } from '../head/verdicts.ts'
import { trimBlanks } from '../message/field.ts'

const MAX_SIZE_DIGITS = 12
const MAX_EXTENSION_OCTETS = 16_384
const MAX_TRAILER_OCTETS = 8192

const SEMICOLON = 59
const EQUALS = 61
const QUOTE = 34
const BACKSLASH = 92

/** Fields for framing, routing, authentication and content must not be trailers (RFC 9110 section 6.5.1). */
const NO_TRAILERS: ReadonlySet<string> = new Set(
  (
    'authorization connection content-encoding content-length content-range content-type cookie ' +
    'expect host keep-alive proxy-connection set-cookie te trailer transfer-encoding upgrade'
  ).split(' '),
)

/** A state of the decoder. Returns the state that one octet leads to; throws when the octet is not allowed here. */
type Step = (decoder: ChunkedDecoder, octet: number) => Step

function fail(fault: Fault): never {
  throw new ParseError(fault)
}

function digitOf(octet: number): number {
  if (octet >= 48 && octet <= 57) return octet - 48
  const letter = TOKEN[octet] ?? 0
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

const isToken = (octet: number): boolean => TOKEN[octet] !== 0
const isText = (octet: number): boolean => FIELD_VALUE[octet] === 1

const sizeStart: Step = (decoder, octet) => {
  const digit = digitOf(octet)
  if (digit < 0) fail(FAULTS.chunkSize)
  decoder.left = digit
  decoder.digits = 1
  return size
}

const size: Step = (decoder, octet) => {
  const digit = digitOf(octet)
  if (digit < 0) {
    if (octet === CR) return sizeLf
    return octet === SEMICOLON ? extensionStart : fail(FAULTS.chunkSize)
  }
  if (decoder.left > 0) {
    if (++decoder.digits > MAX_SIZE_DIGITS) fail(FAULTS.chunkSizeTooLarge)
  } else if (digit > 0) decoder.digits = 1
  // Zeros before a number do not change it; many of them are counted like extensions.
  else if (++decoder.digits > MAX_SIZE_DIGITS && ++decoder.extensionOctets > MAX_EXTENSION_OCTETS)
    fail(FAULTS.chunkSizeTooLarge)
  decoder.left = decoder.left * 16 + digit
  return size
}

function extension(step: Step): Step {
  return (decoder, octet) => {
    if (++decoder.extensionOctets > MAX_EXTENSION_OCTETS) fail(FAULTS.chunkExtensionsTooLarge)
    return step(decoder, octet)
  }
}

function want(wanted: number, next: Step): Step {
  return (decoder, octet) => (octet === wanted ? next(decoder, octet) : fail(FAULTS.chunkEnd))
}

/** Handles the octet after an extension name or value: the end of the line, or another extension. */
function afterExtension(octet: number): Step {
  if (octet === CR) return sizeLf
  return octet === SEMICOLON ? extensionStart : fail(FAULTS.chunkExtension)
}

const extensionStart: Step = extension((_, octet) =>
  isToken(octet) ? extensionName : fail(FAULTS.chunkExtension),
)
const extensionName: Step = extension((_, octet) => {
  if (octet === EQUALS) return extensionEquals
  return isToken(octet) ? extensionName : afterExtension(octet)
})
const extensionEquals: Step = extension((_, octet) => {
  if (octet === QUOTE) return extensionQuoted
  return isToken(octet) ? extensionValue : fail(FAULTS.chunkExtension)
})
const extensionValue: Step = extension((_, octet) =>
  isToken(octet) ? extensionValue : afterExtension(octet),
)
const extensionQuoted: Step = extension((_, octet) => {
  if (octet === QUOTE) return extensionQuoteEnd
  if (octet === BACKSLASH) return extensionEscaped
  return isText(octet) ? extensionQuoted : fail(FAULTS.chunkExtension)
})
const extensionEscaped: Step = extension((_, octet) =>
  isText(octet) ? extensionQuoted : fail(FAULTS.chunkExtension),
)
const extensionQuoteEnd: Step = extension((_, octet) => afterExtension(octet))

/** `feed` takes data in ranges and stops after the body, so these two states never get an octet. */
const data: Step = () => data
const done: Step = () => done

const sizeLf: Step = want(LF, ({ left }) => (left === 0 ? trailerStart : data))
const dataCr: Step = want(CR, () => dataLf)
const dataLf: Step = want(LF, () => sizeStart)

const trailerStart: Step = (decoder, octet) => {
  if (octet === CR) return endLf
  decoder.line = ''
  return trailerName(decoder, octet)
}

const trailerName: Step = (decoder, octet) => {
  countTrailer(decoder)
  if (octet === 58 && decoder.line !== '') {
    if (NO_TRAILERS.has(decoder.line.toLowerCase())) fail(FAULTS.trailer)
    ;(decoder.trailers ??= []).push(decoder.line)
    decoder.line = ''
    return trailerValue
  }
  if (!isToken(octet)) fail(FAULTS.trailer)
  decoder.line += String.fromCharCode(octet)
  return trailerName
}

const trailerValue: Step = (decoder, octet) => {
  if (octet === CR) {
    decoder.trailers?.push(trimBlanks(decoder.line))
    return trailerLf
  }
  countTrailer(decoder)
  if (!isText(octet)) fail(FAULTS.trailer)
  decoder.line += String.fromCharCode(octet)
  return trailerValue
}

function countTrailer(decoder: ChunkedDecoder): void {
  if (++decoder.trailerOctets > MAX_TRAILER_OCTETS) fail(FAULTS.trailersTooLarge)
}

const trailerLf: Step = want(LF, () => trailerStart)
const endLf: Step = want(LF, () => done)

/** Receives the data of chunks, as ranges of the incoming bytes. */
export interface ChunkTarget {
  take(bytes: Buffer, start: number, end: number): void
}

/**
 * Decodes a chunked body (RFC 9112 section 7.1), however the bytes were split. It is strict: sizes are hexadecimal
 * digits without signs or blanks, every line ends with CR LF, extensions follow the grammar of section 7.1.1, and
 * trailers that of fields.
 */
export class ChunkedDecoder {
  /** names and values, alternating */
  trailers: string[] | null = null
  /** bytes of the chunk that are still to come */
  left = 0
  digits = 0
  extensionOctets = 0
  trailerOctets = 0
  /** the part of the current trailer line that has arrived */
  line = ''
  #state = sizeStart

  get isDone(): boolean {
    return this.#state === done
  }

  /**
   * Decodes the bytes that have arrived.
   *
   * @returns the index after the last byte it consumed: the end of the bytes, or of the body
   * @throws ParseError when the bytes are not a chunked body
   */
  feed(bytes: Buffer, start: number, end: number, target: ChunkTarget): number {
    let at = start
    while (at < end && this.#state !== done) {
      if (this.#state === data) at = this.#takeData(bytes, at, end, target)
      else this.#state = this.#state(this, bytes[at++] ?? 0)
    }
    return at
  }

  #takeData(bytes: Buffer, start: number, end: number, target: ChunkTarget): number {
    const behind = Math.min(end, start + this.left)
    this.left -= behind - start
    if (this.left === 0) this.#state = dataCr
    target.take(bytes, start, behind)
    return behind
  }
}
