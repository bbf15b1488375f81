// A reader of HTTP/1.1 requests that follows the grammar rule by rule: slow and obvious. It shares no code with the
// engine, and is what the engine and Node's parser are held against.
import { GRAMMAR, type Rule } from './grammar.ts'

/** A request, as it is understood. */
export interface Message {
  readonly kind: 'message'
  readonly method: string
  readonly target: string
  readonly version: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly framing: 'none' | 'length' | 'chunked'
  readonly content: string
  readonly trailers: readonly (readonly [name: string, value: string])[]
  /** the index behind the message */
  readonly end: number
}

/** A text that is no request, and the rule that it breaks. */
export interface Refusal {
  readonly kind: 'refused'
  readonly rule: string
  readonly section: string
}

/** A text that may become a request. */
export interface Incomplete {
  readonly kind: 'incomplete'
}

/** What a reader makes of a text. */
export type Reading = Message | Refusal | Incomplete

const INCOMPLETE: Incomplete = { kind: 'incomplete' }
const CRLF = '\r\n'

const COMPILED = new Map<Rule, RegExp>(
  Object.values(GRAMMAR).map((rule: Rule) => [rule, new RegExp(`^${rule.source}$`)]),
)

function match(rule: Rule, text: string): RegExpExecArray | null {
  return COMPILED.get(rule)?.exec(text) ?? null
}

function refuse({ name, section }: Pick<Rule, 'name' | 'section'>): Refusal {
  return { kind: 'refused', rule: name, section }
}

const broken = (name: string, section: string): Refusal => refuse({ name, section })

type Fields = (readonly [name: string, value: string])[]

/** Reads field lines up to the empty one (RFC 9112, 5). */
function readFields(text: string, start: number): { fields: Fields; end: number } | Refusal | Incomplete {
  const fields: Fields = []
  let at = start
  for (;;) {
    const end = text.indexOf(CRLF, at)
    if (end === -1) return INCOMPLETE
    if (end === at) return { fields, end: end + 2 }
    const [, name, value] = match(GRAMMAR.fieldLine, text.slice(at, end)) ?? []
    if (name === undefined || value === undefined) return refuse(GRAMMAR.fieldLine)
    fields.push([name, value])
    at = end + 2
  }
}

function valuesOf(fields: Fields, wanted: string): string[] {
  return fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
}

/** One Host, which is one (RFC 9112, 3.2). */
function checkHost(fields: Fields): Refusal | null {
  const hosts = valuesOf(fields, 'host')
  if (hosts.length !== 1) return broken('one Host', 'RFC 9112, 3.2')
  const [, port = ''] = match(GRAMMAR.host, hosts.join()) ?? [undefined, 'none']
  return port === 'none' || Number(port) > 65_535 ? refuse(GRAMMAR.host) : null
}

/** How the end of the content is known (RFC 9112, 6.3). */
function readFraming(fields: Fields): { framing: Message['framing']; length: number } | Refusal {
  const codings = valuesOf(fields, 'transfer-encoding')
  const lengths = valuesOf(fields, 'content-length')
  if (codings.length > 0) {
    if (lengths.length > 0) return broken('no length beside a coding', 'RFC 9112, 6.1')
    const isChunked = codings.length === 1 && codings.join().toLowerCase() === 'chunked'
    return isChunked ? { framing: 'chunked', length: 0 } : broken('chunked alone', 'RFC 9112, 6.1')
  }
  if (lengths.length === 0) return { framing: 'none', length: 0 }
  if (lengths.length > 1) return broken('one Content-Length', 'RFC 9112, 6.3')
  const length = lengths.join()
  return match(GRAMMAR.contentLength, length) === null
    ? refuse(GRAMMAR.contentLength)
    : { framing: 'length', length: Number(length) }
}

interface Content {
  readonly content: string
  readonly trailers: Fields
  readonly end: number
}

/** chunked-body = *chunk last-chunk trailer-section CRLF (RFC 9112, 7.1). */
function readChunks(text: string, start: number): Content | Refusal | Incomplete {
  let content = ''
  let at = start
  for (;;) {
    const lineEnd = text.indexOf(CRLF, at)
    if (lineEnd === -1) return INCOMPLETE
    const line = text.slice(at, lineEnd)
    const [size = ''] = line.split(';', 1)
    if (match(GRAMMAR.chunkSize, size) === null) return refuse(GRAMMAR.chunkSize)
    if (match(GRAMMAR.chunkExt, line.slice(size.length)) === null) return refuse(GRAMMAR.chunkExt)
    const length = Number.parseInt(size, 16)
    at = lineEnd + 2
    if (length === 0) break
    if (text.length < at + length + 2) {
      // What has come of the line end behind the data may be wrong already.
      const behind = text.slice(at + length)
      return CRLF.startsWith(behind) ? INCOMPLETE : broken('chunk', 'RFC 9112, 7.1')
    }
    content += text.slice(at, at + length)
    if (!text.startsWith(CRLF, at + length)) return broken('chunk', 'RFC 9112, 7.1')
    at += length + 2
  }
  const trailers = readFields(text, at)
  return 'kind' in trailers ? trailers : { content, trailers: trailers.fields, end: trailers.end }
}

/** Reads the request at the beginning of a text. */
export function readMessage(text: string): Reading {
  const lineEnd = text.indexOf(CRLF)
  if (lineEnd === -1) return INCOMPLETE
  const [method = '', target = '', version = '', ...rest] = text.slice(0, lineEnd).split(' ')
  if (rest.length > 0) return broken('request-line', 'RFC 9112, 3')
  if (match(GRAMMAR.method, method) === null) return refuse(GRAMMAR.method)
  if (match(GRAMMAR.httpVersion, version) === null) return refuse(GRAMMAR.httpVersion)
  if (version !== 'HTTP/1.1') return broken('HTTP/1.1', 'RFC 9110, 2.5')
  const isAsterisk = match(GRAMMAR.asteriskForm, target) !== null && method === 'OPTIONS'
  if (!isAsterisk && match(GRAMMAR.originForm, target) === null) return refuse(GRAMMAR.originForm)
  const head = readFields(text, lineEnd + 2)
  if ('kind' in head) return head
  const { fields } = head
  const badHost = checkHost(fields)
  if (badHost !== null) return badHost
  for (const value of valuesOf(fields, 'connection'))
    if (match(GRAMMAR.connection, value) === null) return refuse(GRAMMAR.connection)
  const framed = readFraming(fields)
  if ('kind' in framed) return framed
  const { framing, length } = framed
  const common = { kind: 'message', method, target, version, fields, framing } as const
  if (framing === 'chunked') {
    const body = readChunks(text, head.end)
    return 'kind' in body ? body : { ...common, ...body }
  }
  const end = head.end + length
  if (text.length < end) return INCOMPLETE
  return { ...common, content: text.slice(head.end, end), trailers: [], end }
}
