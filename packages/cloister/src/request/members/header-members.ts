import { parseMediaType } from '../../body/media-type.ts'
import type { ResponseHeaders } from '../../exchange/exchange.ts'
import { takenNode } from '../../exchange/node-access.ts'
import { kExchange, kReplyHeaders } from '../../symbols.ts'
import type { ReplyFields } from '../state.ts'

type Value = string | number | readonly string[]

/** The members of a reply about its headers. */
export interface HeaderMembers {
  getHeader(name: string): Value | undefined
  getHeaders(): ResponseHeaders
  hasHeader(name: string): boolean
  removeHeader(name: string): this
  header(name: string, value?: Value): this
  headers(headers: Readonly<ResponseHeaders>): this
  /** The media type of the response without its parameters; `undefined` while there is none. */
  readonly mediaType: string | undefined
  type(mediaType: string): this
}

/** What replies have of them: those that are set on the raw response, once it is taken, too. */
export const headerMembers: HeaderMembers & ThisType<ReplyFields & HeaderMembers> = {
  getHeader(name) {
    const key = name.toLowerCase()
    const own = this[kReplyHeaders][key]
    return own === undefined ? takenNode(this[kExchange])?.responseHeader(key) : own
  },

  getHeaders() {
    return { ...takenNode(this[kExchange])?.responseHeaders(), ...this[kReplyHeaders] }
  },

  hasHeader(name) {
    return this.getHeader(name) !== undefined
  },

  removeHeader(name) {
    delete this[kReplyHeaders][name.toLowerCase()]
    return this
  },

  header(name, value = '') {
    setReplyHeader(this[kReplyHeaders], name, value)
    return this
  },

  headers(headers) {
    for (const [name, value] of Object.entries(headers)) this.header(name, value)
    return this
  },

  get mediaType() {
    const type = this.getHeader('content-type')
    return typeof type === 'string' ? parseMediaType(type).essence : undefined
  },

  type(mediaType) {
    this[kReplyHeaders]['content-type'] = mediaType
    return this
  },
}

/**
 * Sets a header of the response. Several `set-cookie` headers are kept side by side (RFC 6265 section 3); of every
 * other header the last value counts. Dates, booleans and `null` are written as text.
 */
export function setReplyHeader(headers: ResponseHeaders, name: string, value: unknown): void {
  const key = name.toLowerCase()
  const existing = headers[key]
  if (typeof value === 'string' && (existing === undefined || key !== 'set-cookie')) headers[key] = value
  else if (key === 'set-cookie' && existing !== undefined) {
    headers[key] = [existing, value ?? ''].flat().map(String)
  } else if (Array.isArray(value)) headers[key] = value.map(String)
  else headers[key] = typeof value === 'number' ? value : String(value === undefined ? '' : value)
}
