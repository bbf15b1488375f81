import { IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'

import type { SetFields } from '../response/head-composer.ts'

/**
 * Undocumented members of requests that Node's server uses. `missingInternal` checks that they exist, before a
 * server uses this engine.
 */
export interface InternalRequest extends IncomingMessage {
  /** adds header lines, or trailers if the message is complete */
  _addHeaderLines(lines: readonly string[], count: number): void
  _dumped: boolean
  /** whether the application reads the body */
  _consumed: boolean
  aborted: boolean
}

/** Undocumented members of responses that Node's server uses. */
export interface InternalResponse extends ServerResponse {
  _header: string | null
  _headerSent: boolean
  /** whether the connection ends with it */
  _last: boolean
  _closed: boolean
  _keepAliveTimeout: number
  _maxRequestsPerSocket: number
  maxRequestsOnConnectionReached: boolean
  finished: boolean
  destroyed: boolean
  readonly outputData: readonly unknown[]
}

/** Methods without which Node's objects cannot be created for an exchange. */
const METHODS = [
  [IncomingMessage, '_addHeaderLines'],
  [ServerResponse, 'assignSocket'],
  [ServerResponse, 'detachSocket'],
] as const
const HEADERS = 'kOutHeaders'
/** The key under which Node stores the headers set on a response. */
const kOutHeaders = keyIn(new OutgoingMessage(), HEADERS)
/** The key under which Node stores that a response has finished. Node 20 and 22 have none: they derive it. */
const kWritableFinished = keyIn(new OutgoingMessage(), 'kWritableFinished')

/** Returns the symbol with a name under which an object stores something. */
function keyIn(object: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find(({ description }) => description === name)
}

/** Returns the name of a member that this version of Node lacks, or `null`. */
export function missingInternal(): string | null {
  const missing = METHODS.find(([{ prototype }, method]) => !(method in prototype))
  if (missing !== undefined) return `${missing[0].name}.${missing[1]}`
  if (kOutHeaders === undefined) return `OutgoingMessage[${HEADERS}]`
  // Subscribers of a diagnostics channel would get a `ServerResponse`.
  const message = new OutgoingMessage()
  showFinished(message)
  return message.writableFinished ? null : 'OutgoingMessage.writableFinished'
}

/** Returns the headers set on a response; `null` if there are none. */
export function setFieldsOf(response: ServerResponse): SetFields | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `missingInternal` has checked that Node has the key
  return kOutHeaders === undefined ? null : (Reflect.get(response, kOutHeaders) as SetFields | null)
}

/** Narrows a request of Node to the members that its server uses. */
export function asInternalRequest(request: IncomingMessage): InternalRequest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `missingInternal` has checked that the members exist
  return request as InternalRequest
}

/** Puts a request into the state after its body was read, without events. */
export function endRead(request: IncomingMessage): void {
  const state: unknown = Reflect.get(request, '_readableState')
  if (typeof state !== 'object' || state === null) return
  for (const flag of ['ended', 'endEmitted']) Reflect.set(state, flag, true)
}

/** Narrows a response of Node to the members that its server uses. */
export function asInternalResponse(response: ServerResponse): InternalResponse {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `missingInternal` has checked that the members exist
  return response as InternalResponse
}

/** Makes Node's response look as after its last byte was written. */
export function showFinished(response: OutgoingMessage): void {
  response.finished = true
  if (kWritableFinished !== undefined) Reflect.set(response, kWritableFinished, true)
}

/** Makes Node's response look as if the client had gone before its last byte, after `showFinished`. */
export function showUnfinished(response: InternalResponse): void {
  Object.defineProperty(response, 'writableFinished', { value: false, configurable: true })
}

/** Emits `close` on a response once, as Node's server does. */
export function emitClose(response: InternalResponse): void {
  if (response._closed) return
  response.destroyed = true
  response._closed = true
  response.emit('close')
}

/** Whether the head that Node has written has a length, or says that the content is chunked: a cut can be seen. */
export function isDelimited(response: ServerResponse): boolean {
  const head: unknown = Reflect.get(response, '_header')
  return typeof head === 'string' && /\r\n(?:content-length|transfer-encoding):/i.test(head)
}

/** Emits `drain` on a response when the client has read, as Node's server does. */
export function emitDrain(response: InternalResponse): void {
  if (response.finished || !response.writableNeedDrain) return
  const key = keyIn(response, 'kNeedDrain')
  if (key !== undefined) Reflect.set(response, key, false)
  response.emit('drain')
}
