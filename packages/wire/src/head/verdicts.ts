/** The scanner's verdict when there is no complete head; for a complete one it returns the offset of its end. */
export const INCOMPLETE = 0
/** Unusual, but perhaps valid: Node's parser decides. */
export const UNUSUAL = -1
/** Malformed: `HeadScanner.fault` has the reason. */
export const MALFORMED = -2

/** Why a connection is handed over to Node's parser; for the counts of an engine. */
export type HandOverReason =
  | 'method'
  | 'target'
  | 'version'
  | 'number of fields'
  | 'size of the head'
  | 'white space around a value'
  | 'Connection'
  | 'Expect'
  | 'Proxy-Connection'
  | 'Transfer-Encoding'
  | 'Upgrade'
  | 'a listener of checkContinue'
  | 'another listener of request'
  | 'a replaced emit'
  | 'no socket of node:net'

/** Why a message is refused. The codes are those of Node's parser, for listeners of `clientError`. */
export interface Fault {
  readonly code: string
  readonly reason: string
}

/** The faults of heads and bodies. */
export const FAULTS = {
  /** RFC 9112 section 2.3: the name of the protocol is HTTP */
  protocol: { code: 'HPE_INVALID_CONSTANT', reason: 'Expected HTTP/' },
  /** RFC 9112 section 5.1: a token, a colon, and no white space between them; section 5.2: no folded lines */
  fieldName: { code: 'HPE_INVALID_HEADER_TOKEN', reason: 'Invalid header token' },
  /** RFC 9110 section 5.5: no control characters */
  fieldValue: { code: 'HPE_INVALID_HEADER_TOKEN', reason: 'Invalid header value char' },
  /** RFC 9112 section 2.2: lines end with CR LF */
  lineEnd: { code: 'HPE_LF_EXPECTED', reason: 'Missing expected LF after header value' },
  /** RFC 9112 section 3.2: an HTTP/1.1 request must have a Host */
  noHost: { code: 'HPE_INVALID_HEADER_TOKEN', reason: 'Missing Host header' },
  /** RFC 9110 section 8.6: digits only */
  length: { code: 'HPE_INVALID_CONTENT_LENGTH', reason: 'Invalid character in Content-Length' },
  /** RFC 9112 section 6.3: only one length */
  lengthTwice: { code: 'HPE_UNEXPECTED_CONTENT_LENGTH', reason: 'Content-Length already present' },
  /** RFC 9112 section 6.1: never both a length and a coding */
  bothFramings: {
    code: 'HPE_INVALID_TRANSFER_ENCODING',
    reason: "Content-Length can't be present with Transfer-Encoding",
  },
  /** RFC 9112 section 6.1: an empty coding frames nothing */
  coding: { code: 'HPE_INVALID_TRANSFER_ENCODING', reason: 'Invalid Transfer-Encoding' },
  /** RFC 9112 section 8: the connection ended within a message */
  endOfInput: { code: 'HPE_INVALID_EOF_STATE', reason: 'Invalid EOF state' },
  /** RFC 9112 section 7.1: a size has hexadecimal digits, and lines end with CR LF */
  chunkSize: { code: 'HPE_INVALID_CHUNK_SIZE', reason: 'Invalid character in chunk size' },
  chunkSizeTooLarge: { code: 'HPE_INVALID_CHUNK_SIZE', reason: 'Chunk size overflow' },
  chunkEnd: { code: 'HPE_STRICT', reason: 'Expected CR LF after chunk' },
  /** RFC 9112 section 7.1.1 */
  chunkExtension: { code: 'HPE_STRICT', reason: 'Invalid character in chunk extensions' },
  chunkExtensionsTooLarge: { code: 'HPE_CHUNK_EXTENSIONS_OVERFLOW', reason: 'Chunk extensions overflow' },
  /** RFC 9112 section 7.1.2; RFC 9110 section 6.5.1: no fields for framing, routing and authentication */
  trailer: { code: 'HPE_INVALID_HEADER_TOKEN', reason: 'Invalid trailer' },
  trailersTooLarge: { code: 'HPE_HEADER_OVERFLOW', reason: 'Trailers overflow' },
  /** the message has not arrived in time */
  timeout: { code: 'ERR_HTTP_REQUEST_TIMEOUT', reason: 'Request timeout' },
} as const

/** The statuses that Node uses for some codes (RFC 9110 section 15.5, RFC 6585 section 5); for all others it is 400. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** An invalid or late message, in the shape that listeners of `clientError` get from Node. */
export class ParseError extends Error {
  /** the code that Node's parser uses for the fault */
  readonly code: string
  /** the status of the response that refuses the message */
  readonly statusCode: number
  /** the bytes in which the fault was found */
  readonly rawPacket: Buffer | undefined

  constructor({ code, reason }: Fault, rawPacket?: Buffer) {
    super(code === FAULTS.timeout.code ? reason : `Parse Error: ${reason}`)
    this.name = 'ParseError'
    this.code = code
    this.statusCode = STATUS_BY_CODE[code] ?? 400
    this.rawPacket = rawPacket
  }
}
