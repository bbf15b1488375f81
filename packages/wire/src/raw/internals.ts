import { IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'

import type { SetFields } from '../response/head-composer.ts'

/**
 * Members of requests that Node's server uses and no documentation names. `missingInternal` checks that they exist,
 * before a server uses this engine.
 */
export interface InternalRequest extends IncomingMessage {
  /** adds header lines, or trailers where the message is complete */
  _addHeaderLines(lines: readonly string[], count: number): void
  /** throws the body away */
  _dump(): void
  _dumped: boolean
  /** the application reads the body */
  _consumed: boolean
}

/** Members of responses that Node's server uses. */
export interface InternalResponse extends ServerResponse {
  /** the head, once there is one */
  _header: string | null
  _headerSent: boolean
  /** the connection ends with it */
  _last: boolean
  _sent100: boolean
  _closed: boolean
  _keepAliveTimeout: number
  _maxRequestsPerSocket: number
  maxRequestsOnConnectionReached: boolean
  finished: boolean
  destroyed: boolean
  readonly outputData: readonly unknown[]
}

/** The members of requests and responses that this engine uses, and no documentation names. */
const REQUEST_MEMBERS = ['_addHeaderLines', '_dump']
const RESPONSE_MEMBERS = ['assignSocket', 'detachSocket']
const HEADERS = 'kOutHeaders'
/** Under which Node keeps the headers that were set on a response. */
const kOutHeaders = Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === HEADERS,
)
const NEEDS_DRAIN = 'kNeedDrain'

/** Returns the name of the first member that this version of Node lacks, or `null`. */
export function missingInternal(): string | null {
  const request = REQUEST_MEMBERS.find((name) => !(name in IncomingMessage.prototype))
  if (request !== undefined) return `IncomingMessage.${request}`
  const response = RESPONSE_MEMBERS.find((name) => !(name in ServerResponse.prototype))
  if (response !== undefined) return `ServerResponse.${response}`
  return kOutHeaders === undefined ? `OutgoingMessage[${HEADERS}]` : null
}

/** The headers that were set on a response; `null` where none was. */
export function setFieldsOf(response: ServerResponse): SetFields | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `missingInternal` has looked whether Node has the key
  return kOutHeaders === undefined ? null : (Reflect.get(response, kOutHeaders) as SetFields | null)
}

/** Narrows a request of Node to what its server sees of it. */
export function asInternalRequest(request: IncomingMessage): InternalRequest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `missingInternal` has looked whether the members are there
  return request as InternalRequest
}

/** Narrows a response of Node to what its server sees of it. */
export function asInternalResponse(response: ServerResponse): InternalResponse {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `missingInternal` has looked whether the members are there
  return response as InternalResponse
}

/** Emits `drain` on a response when the client has read, as Node's server does. */
export function emitDrain(response: InternalResponse): void {
  if (response.finished || !response.writableNeedDrain) return
  const key = Object.getOwnPropertySymbols(response).find(({ description }) => description === NEEDS_DRAIN)
  if (key !== undefined) Reflect.set(response, key, false)
  response.emit('drain')
}
