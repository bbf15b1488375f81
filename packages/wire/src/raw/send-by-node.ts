import { STATUS_CODES, type ServerResponse } from 'node:http'

import { checkFields, type ResponseHeaders } from '../message/field.ts'
import {
  frame,
  isDate,
  readPersistence,
  type FieldValue,
  type Framing,
  type Message,
  type Said,
} from '../message/framing.ts'
import { checkReason } from '../message/status.ts'
import { CUT, LOST, OVER, SENT, WAITING, WRITING, type Turn } from '../message/turn.ts'
import { checkHttp2Fields, OF_CONNECTION } from './http2-fields.ts'
import { PIECE, writePieces } from './pieces.ts'

/** Set on a response: the writer of its content, if it has one. */
export const kWriter: unique symbol = Symbol('cloister.wire.writer')

/** A response that may have a writer. */
type Written = ServerResponse & { readonly [kWriter]?: { withdraw(): void } }

/** What Node's code writes, apart from status and headers. */
export type NodeMessage = Pick<Message, 'method' | 'httpVersion'>

/** The members that tell whether a client has gone; a response of HTTP/2 has only its stream. */
interface MaybeGone {
  readonly destroyed?: boolean
  readonly stream?: { readonly destroyed: boolean } | undefined
}

/** Set on a response of HTTP/2 that the application has ended after its client had gone, which Node does not note. */
const kEnded: unique symbol = Symbol('cloister.wire.ended')

/** Notes when the application ends a response, also after its client has gone; for HTTP/2. */
export function noteEnd(response: ServerResponse): void {
  const { end } = response
  Reflect.set(response, 'end', function (this: ServerResponse, ...given: Parameters<typeof end>) {
    Reflect.set(response, kEnded, true)
    return end.apply(this, given)
  })
}

const isGone = ({ destroyed, stream }: MaybeGone): boolean => destroyed ?? stream?.destroyed ?? false

/** Returns what an exchange may do when Node's code writes its response. */
export function turnOf(response: ServerResponse): Turn {
  if (response.writableEnded) return SENT
  if (isGone(response)) {
    if (Reflect.get(response, kEnded) === true) return OVER
    return response.headersSent ? CUT : LOST
  }
  return response.headersSent ? WRITING : WAITING
}

/**
 * Takes back the fields of a content that another response replaces: the application has the response, so they were set
 * on it before the head is written.
 */
export function withdrawHead(response: Written): void {
  if (!response.headersSent) response[kWriter]?.withdraw()
}

/**
 * Writes a whole response with Node's code, in the framing that this engine decides; nothing to a client that has gone.
 *
 * @returns what the application wrongly said about the framing; `null` if nothing
 * @throws FieldError, StatusError, or an error of Node, when the head is invalid
 */
export function sendByNode(
  response: Written,
  { method, httpVersion }: NodeMessage,
  status: number,
  headers: ResponseHeaders,
  content: string | Uint8Array | null,
): string | null {
  if (!response.writableEnded && isGone(response)) return null
  if (response[kWriter] !== undefined) withdrawHead(response)
  const size = content === null ? 0 : Buffer.byteLength(content)
  const framing = decide(response, { method, httpVersion, status, size, hasTrailers: false }, headers)
  try {
    response.writeHead(status, headers)
  } catch (cause) {
    // Clears the reason phrase, so that the error response does not get it.
    if (httpVersion !== '2.0') response.statusMessage = ''
    throw cause
  }
  // Some mocked responses in tests would write the content of a response to HEAD.
  if (content === null || framing.by === 'none') response.end()
  else if (httpVersion === '2.0' && size > PIECE)
    writePieces(response, Buffer.from(content), () => response.end())
  else response.end(content)
  return framing.contradiction
}

/** Decides the framing and sets headers accordingly, among those to be written and those already on the response. */
export function decide(response: ServerResponse, message: Message, headers: ResponseHeaders): Framing {
  const { status, httpVersion } = message
  if (httpVersion === '2.0') return decideHttp2(response, message, headers)
  const { statusMessage } = response
  if (statusMessage !== undefined && statusMessage !== '') {
    // Clears the reason phrase, so that an error response does not get an invalid one.
    response.statusMessage = ''
    checkReason(statusMessage)
    // A `writeHead` of the application has failed: its reason phrase and its missing content must not remain.
    if (statusMessage !== STATUS_CODES[response.statusCode]) response.statusMessage = statusMessage
    if (message.method !== 'HEAD') Reflect.set(response, '_hasBody', true)
  }
  // If such a response is replaced, Node forgets to write the content of the one that replaces it.
  if (status === 204 || status === 304) checkFields(headers)
  // A response object that user code brings need not have this method.
  const isBare = !('getHeaderNames' in response) || response.getHeaderNames().length === 0
  const saysNothing =
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['trailer'] === undefined &&
    headers['connection'] === undefined &&
    headers['keep-alive'] === undefined &&
    headers['date'] === undefined
  if (!isBare || !saysNothing) return decideWith(response, message, headers, isBare)
  const framing = frame(message, NOTHING_SAID)
  if (framing.length !== null) headers['content-length'] = framing.length
  if (framing.by === 'close') response.shouldKeepAlive = false
  return framing
}

const NOTHING_SAID: Said = { length: undefined, coding: undefined }

/** The fields of a head: headers sent with it take precedence over those set on the response. */
interface Fields {
  readonly read: (name: string) => FieldValue
  /** sets a field, or removes it from both */
  readonly write: (name: string, value: string | undefined) => void
}

function fieldsOf(response: ServerResponse, headers: ResponseHeaders, isBare: boolean): Fields {
  return {
    read: (name) => headers[name] ?? (isBare ? undefined : response.getHeader(name)),
    write(name, value) {
      if (value !== undefined) headers[name] = value
      else if (headers[name] !== undefined) delete headers[name]
      if (!isBare && value === undefined && response.hasHeader(name)) response.removeHeader(name)
    },
  }
}

function correctDate({ read, write }: Fields): void {
  const date = read('date')
  if (date !== undefined && !isDate(date)) write('date', new Date().toUTCString())
}

function decideWith(
  response: ServerResponse,
  message: Message,
  headers: ResponseHeaders,
  isBare: boolean,
): Framing {
  const fields = fieldsOf(response, headers, isBare)
  const { read, write } = fields
  const framing = frame(message, { length: read('content-length'), coding: read('transfer-encoding') })
  write('content-length', framing.length ?? undefined)
  // Node chunks by itself, unless the application has removed the field.
  const isChunkedByHand = framing.by === 'chunked' && !isBare && response.hasHeader('transfer-encoding')
  write('transfer-encoding', isChunkedByHand ? 'chunked' : undefined)
  if (!message.hasTrailers || framing.by !== 'chunked') write('trailer', undefined)
  // Only the end of the connection ends such a content.
  if (framing.by === 'close') response.shouldKeepAlive = false
  const connection = read('connection')
  if (connection !== undefined) write('connection', connectionOf(response, connection))
  if (read('keep-alive') !== undefined) write('keep-alive', undefined)
  correctDate(fields)
  return framing
}

/** Returns the field `connection`. Node keeps a connection open unless this field says `close`. */
function connectionOf(response: ServerResponse, said: FieldValue): string {
  const { closes, others } = readPersistence(said)
  if (closes) response.shouldKeepAlive = false
  const first = response.shouldKeepAlive ? 'keep-alive' : 'close'
  return others === '' ? first : `${first}, ${others}`
}

/** HTTP/2 frames have their own lengths. Removes a length that is invalid, or differs from the content. */
function decideHttp2(response: ServerResponse, message: Message, headers: ResponseHeaders): Framing {
  const fields = fieldsOf(response, headers, false)
  const { read, write } = fields
  const framing = frame(message, { length: read('content-length'), coding: read('transfer-encoding') })
  for (const name of OF_CONNECTION) write(name, undefined)
  checkHttp2Fields(response, headers)
  write('content-length', framing.length ?? undefined)
  correctDate(fields)
  return framing
}
