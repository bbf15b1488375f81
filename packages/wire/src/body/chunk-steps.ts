import { CR, FIELD_VALUE, LF, TAB, SPACE, TOKEN } from '../head/octets.ts'
import { FAULTS, ParseError } from '../head/verdicts.ts'
import type { Fault } from '../head/verdicts.ts'

const MOST_SIZE_DIGITS = 12
const MOST_EXTENSION_OCTETS = 16_384
const MOST_TRAILER_OCTETS = 8192

const SEMICOLON = 59
const EQUALS = 61
const QUOTE = 34
const BACKSLASH = 92

/** Fields of framing, routing, authentication and content are no trailers (RFC 9110 section 6.5.1). */
const NO_TRAILERS: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

// The states of the decoder, in the order of a chunked body (RFC 9112 section 7.1).
export const SIZE_FIRST = 0
const SIZE = 1
const EXTENSION = 2
const EXTENSION_NAME = 3
const EXTENSION_EQUALS = 4
const EXTENSION_VALUE = 5
const EXTENSION_QUOTED = 6
const EXTENSION_ESCAPED = 7
const EXTENSION_QUOTE_END = 8
const SIZE_LF = 9
export const DATA = 10
export const DATA_CR = 11
const DATA_LF = 12
const TRAILER = 13
const TRAILER_NAME = 14
const TRAILER_VALUE = 15
const TRAILER_LF = 16
const END_LF = 17
export const DONE = 18

/** The memory of a decoder between two octets. */
export interface ChunkState {
  /** names and values of the trailers in turn */
  trailers: string[] | null
  /** what is left of the chunk */
  left: number
  digits: number
  extensionOctets: number
  trailerOctets: number
  /** the part of a trailer that has come */
  line: string
}

/** Returns the state that one octet leads to; throws where it has no place. */
export type Step = (state: ChunkState, octet: number) => number

function fail(fault: Fault): never {
  throw new ParseError(fault)
}

function digitOf(octet: number): number {
  if (octet >= 48 && octet <= 57) return octet - 48
  const letter = TOKEN[octet] ?? 0
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

const isToken = (octet: number): boolean => TOKEN[octet] !== 0
const isQuotedText = (octet: number): boolean => (octet >= SPACE && octet !== 127) || octet === TAB

const startSize: Step = (decoder, octet) => {
  const digit = digitOf(octet)
  if (digit < 0) fail(FAULTS.chunkSize)
  decoder.left = digit
  decoder.digits = 1
  return SIZE
}

const addDigit: Step = (decoder, octet) => {
  const digit = digitOf(octet)
  if (digit < 0) {
    if (octet === CR) return SIZE_LF
    return octet === SEMICOLON ? EXTENSION : fail(FAULTS.chunkSize)
  }
  if (++decoder.digits > MOST_SIZE_DIGITS) fail(FAULTS.chunkSizeTooLarge)
  decoder.left = decoder.left * 16 + digit
  return SIZE
}

/** A step within extensions, of which there may be so many octets in a body. */
function extension(step: Step): Step {
  return (decoder, octet) => {
    if (++decoder.extensionOctets > MOST_EXTENSION_OCTETS) fail(FAULTS.chunkExtensionsTooLarge)
    return step(decoder, octet)
  }
}

/** Behind a name or a value: the end of the line, or another extension. */
function afterExtension(octet: number): number {
  if (octet === CR) return SIZE_LF
  return octet === SEMICOLON ? EXTENSION : fail(FAULTS.chunkExtension)
}

const startTrailer: Step = (decoder, octet) => {
  if (octet === CR) return END_LF
  decoder.line = ''
  return nameTrailer(decoder, octet)
}

const nameTrailer: Step = (decoder, octet) => {
  countTrailer(decoder)
  if (octet === 58 && decoder.line !== '') {
    if (NO_TRAILERS.has(decoder.line.toLowerCase())) fail(FAULTS.trailer)
    ;(decoder.trailers ??= []).push(decoder.line)
    decoder.line = ''
    return TRAILER_VALUE
  }
  if (!isToken(octet)) fail(FAULTS.trailer)
  decoder.line += String.fromCharCode(octet)
  return TRAILER_NAME
}

const addTrailerValue: Step = (decoder, octet) => {
  if (octet === CR) {
    decoder.trailers?.push(decoder.line.trim())
    return TRAILER_LF
  }
  countTrailer(decoder)
  if (FIELD_VALUE[octet] !== 1) fail(FAULTS.trailer)
  decoder.line += String.fromCharCode(octet)
  return TRAILER_VALUE
}

function countTrailer(decoder: ChunkState): void {
  if (++decoder.trailerOctets > MOST_TRAILER_OCTETS) fail(FAULTS.trailersTooLarge)
}

/** A step that wants one octet. */
const want =
  (wanted: number, next: Step): Step =>
  (decoder, octet) =>
    octet === wanted ? next(decoder, octet) : fail(FAULTS.chunkEnd)

/** By state: what an octet does. `DATA` has none, since data is taken in ranges. */
export const CHUNK_STEPS: readonly (Step | undefined)[] = Object.assign([], {
  [SIZE_FIRST]: startSize,
  [SIZE]: addDigit,
  [EXTENSION]: extension((_, octet) => (isToken(octet) ? EXTENSION_NAME : fail(FAULTS.chunkExtension))),
  [EXTENSION_NAME]: extension((_, octet) => {
    if (octet === EQUALS) return EXTENSION_EQUALS
    return isToken(octet) ? EXTENSION_NAME : afterExtension(octet)
  }),
  [EXTENSION_EQUALS]: extension((_, octet) => {
    if (octet === QUOTE) return EXTENSION_QUOTED
    return isToken(octet) ? EXTENSION_VALUE : fail(FAULTS.chunkExtension)
  }),
  [EXTENSION_VALUE]: extension((_, octet) => (isToken(octet) ? EXTENSION_VALUE : afterExtension(octet))),
  [EXTENSION_QUOTED]: extension((_, octet) => {
    if (octet === QUOTE) return EXTENSION_QUOTE_END
    if (octet === BACKSLASH) return EXTENSION_ESCAPED
    return isQuotedText(octet) ? EXTENSION_QUOTED : fail(FAULTS.chunkExtension)
  }),
  [EXTENSION_ESCAPED]: extension((_, octet) =>
    isQuotedText(octet) ? EXTENSION_QUOTED : fail(FAULTS.chunkExtension),
  ),
  [EXTENSION_QUOTE_END]: extension((_, octet) => afterExtension(octet)),
  [SIZE_LF]: want(LF, ({ left }) => (left === 0 ? TRAILER : DATA)),
  [DATA_CR]: want(CR, () => DATA_LF),
  [DATA_LF]: want(LF, () => SIZE_FIRST),
  [TRAILER]: startTrailer,
  [TRAILER_NAME]: nameTrailer,
  [TRAILER_VALUE]: addTrailerValue,
  [TRAILER_LF]: want(LF, () => TRAILER),
  [END_LF]: want(LF, () => DONE),
})
