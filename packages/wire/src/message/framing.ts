/*
 * The framing of a response: how its end is known (RFC 9112 section 6.3), and whether the connection continues after
 * it (section 9.3). All transports use this file after they have merged all headers, and write `content-length`,
 * `transfer-encoding`, `connection` and `keep-alive` as it decides, whatever the application has set.
 *
 * | status, method        | content          | HTTP/1.1                  | HTTP/1.0                 |
 * |-----------------------|------------------|---------------------------|--------------------------|
 * | 204                   | none             | none                      | none                     |
 * | 304, or HEAD          | none             | the declared length       | the declared length      |
 * | others                | whole            | its length                | its length               |
 * | others                | with trailers    | chunked                   | until the end            |
 * | others                | stream           | the declared length       | the declared length      |
 * | others                | stream           | else chunked              | else until the end       |
 */

import { isFieldName } from './field.ts'
import { StatusError } from './status.ts'

/** The value of a field, as an application sets it. */
export type FieldValue = string | number | readonly string[] | undefined

/** What the application says about framing, in the fields that it sets. */
export interface Said {
  /** `content-length` */
  readonly length: FieldValue
  /** `transfer-encoding` */
  readonly coding: FieldValue
}

/** The size of a content that is written piece by piece. */
export const STREAMED = -1

/** What framing depends on, apart from the fields. */
export interface Message {
  /** the method of the request */
  readonly method: string
  /** the status of the response */
  readonly status: number
  /** the version that the client uses, in Node's form: 1.0, 1.1, 2.0 */
  readonly httpVersion: string
  /** bytes of the content, 0 if there is none, or `STREAMED` */
  readonly size: number
  /** whether trailers follow the content */
  readonly hasTrailers: boolean
}

/** How the end of a response is known. */
export interface Framing {
  /** `close`: by the end of the connection; `none`: there is no content */
  readonly by: 'none' | 'length' | 'chunked' | 'close'
  /** the value of `content-length`; `null` if the field is omitted */
  readonly length: string | null
  /** what the application wrongly said, for the log; `null` if nothing */
  readonly contradiction: string | null
}

const DIGITS = /^\d{1,15}$/

/** Reads a length. @returns `null` if it is invalid */
function readLength(value: FieldValue): number | null {
  const given = typeof value === 'object' && value.length === 1 ? value[0] : value
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? given : null
  return typeof given === 'string' && DIGITS.test(given) ? Number(given) : null
}

/**
 * Decides the framing of a final response.
 *
 * @throws StatusError
 */
export function frame({ method, status, httpVersion, size, hasTrailers }: Message, said: Said): Framing {
  // `checkStatus`, inlined to save the call.
  if (!Number.isInteger(status) || status < 200 || status > 999) throw new StatusError(status)
  const declared = said.length === undefined ? null : readLength(said.length)
  const isNonsense = said.length !== undefined && declared === null
  const contradiction = isNonsense
    ? `content-length is ${show(said.length)}, which is no length`
    : said.coding === undefined
      ? null
      : contradictsCoding(said.coding)
  if (status === 204) return { by: 'none', length: declared === 0 ? '0' : null, contradiction }
  if (status === 304 || method === 'HEAD') {
    const length = declared ?? (size > 0 && status !== 304 ? size : null)
    return { by: 'none', length: length === null ? null : String(length), contradiction }
  }
  if (hasTrailers && httpVersion !== '1.0') return { by: 'chunked', length: null, contradiction }
  if (size !== STREAMED) {
    const isWrong = declared !== null && declared !== size
    return {
      by: 'length',
      length: String(size),
      contradiction: isWrong
        ? `content-length is ${declared}, and the content has ${size} bytes`
        : contradiction,
    }
  }
  const hasCoding = said.coding !== undefined
  if (declared !== null && !hasCoding) return { by: 'length', length: String(declared), contradiction }
  return { by: httpVersion === '1.0' ? 'close' : 'chunked', length: null, contradiction }
}

/** An application may name the coding that a stream gets anyway. */
function contradictsCoding(coding: FieldValue): string | null {
  if (typeof coding === 'string' && /^chunked$/i.test(coding)) return null
  return `transfer-encoding is ${show(coding)}; the transport alone codes messages`
}

/** What the application says about the connection. */
export interface Persistence {
  /** whether the connection should end with this response */
  readonly closes: boolean
  /** other options for the field `connection`; empty if there are none */
  readonly others: string
}

const KEEPS: Persistence = { closes: false, others: '' }

/** Reads the field `connection` of a response (RFC 9110 section 7.6.1). Ignores what is not an option. */
export function readPersistence(connection: FieldValue): Persistence {
  if (connection === undefined) return KEEPS
  const options = [connection]
    .flat()
    .join(',')
    .split(',')
    .map((option) => option.trim())
    .filter((option) => isFieldName(option))
  const closes = options.some((option) => option.toLowerCase() === 'close')
  const others = options.filter((option) => !/^(?:close|keep-alive)$/i.test(option))
  return { closes, others: others.join(', ') }
}

/** Fields about framing and the connection, which the transport writes. */
const OF_TRANSPORT: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'connection content-length date keep-alive trailer transfer-encoding'.split(' '),
)

/** Returns the fields that an interim response can have: it has no framing (RFC 9112 section 6). */
export function interimFields<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OF_TRANSPORT.has(name.toLowerCase())))
}

/**
 * Returns headers in which the fields about framing and the connection have lower-case names, as the rest of this
 * file expects. Returns the same object if they already have.
 */
export function lowerFraming<Value>(fields: Record<string, Value>): Record<string, Value> {
  const lower = (name: string): string => (OF_TRANSPORT.has(name.toLowerCase()) ? name.toLowerCase() : name)
  if (Object.keys(fields).every((name) => lower(name) === name)) return fields
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [lower(name), value]))
}

const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:[A-Z][a-z]{2}) \d{4} \d\d:\d\d:\d\d GMT$/

/** Whether a response can keep the application's date: a single one, in the right form (RFC 9110 section 5.6.7). */
export function isDate(date: FieldValue): boolean {
  return typeof date === 'string' && DATE.test(date)
}

function show(value: FieldValue): string {
  return JSON.stringify(value).slice(0, 60)
}
