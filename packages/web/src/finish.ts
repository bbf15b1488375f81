import { pipeline } from 'node:stream'
import type { Readable } from 'node:stream'
import { headerOf } from 'cloister/inspect'

import { chooseCoding, CODINGS, type Coding, type Compression } from './codings.ts'
import { isRead, knownAs, tagOf, withCoding } from './entity-tags.ts'
import type { Settings } from './settings.ts'
import { mergeVary } from './vary.ts'
import { isResponse, isWebStream, ReadOfWeb, streamOf, withFields, type WebStream } from './web-bodies.ts'

/** What is read of a request. */
export interface FinishedRequest {
  readonly method: string
}

/** What is read of a reply, and written to it. */
export interface FinishedReply {
  readonly statusCode: number
  code(status: number): unknown
  header(name: string, value: string): unknown
  getHeader(name: string): unknown
  removeHeader(name: string): unknown
}

/** The largest content that is compressed at once; larger ones are in a thread of their own. */
const MAX_AT_ONCE = 16_384

/** Fields that describe content which a 304 does not have (RFC 9110 section 15.4.5). */
const OF_CONTENT = 'content-type content-length content-encoding content-language content-range'.split(' ')

/**
 * Completes a response after all hooks have run: `Vary`, `Cache-Control`, the entity tag and a 304, and the content
 * coding.
 *
 * @param vary - the names that `Vary` must have
 * @returns the payload that is sent, or a promise of it
 */
export function finish(
  settings: Settings,
  vary: readonly string[],
  request: FinishedRequest,
  reply: FinishedReply,
  payload: unknown,
): unknown {
  const { compression, conditional } = settings
  const isWhole = typeof payload === 'string' || payload instanceof Uint8Array
  const canCompress = compression !== null && isCompressible(compression, contentOf(reply, payload))
  // A 304 has the `Vary` of the response that it stands for.
  const isCoded = canCompress || (compression !== null && reply.statusCode === 304)
  const names = isCoded ? [...vary, ...varyOf(compression)] : vary
  if (names.length > 0) reply.header('vary', mergeVary(reply.getHeader('vary'), names))
  const coding = canCompress ? codingFor(compression, request) : null
  const isTagged = conditional !== false && isRead(request.method) && reply.statusCode === 200
  const own = reply.getHeader('etag')
  const made = isTagged && isWhole ? tagOf(payload, conditional === 'weak') : null
  const tag = typeof own === 'string' ? own : made
  if (tag !== null) reply.header('etag', coding === null ? tag : withCoding(tag, coding))
  if (isTagged && tag !== null) {
    const known = knownAs(request, tag, coding, reply.getHeader('last-modified'))
    if (known !== null) return notModified(reply, known, payload)
  }
  if (isResponse(payload)) return finishResponse(coding, names, reply, payload)
  return coding === null ? payload : encode(coding, reply, payload)
}

/** What decides whether content is compressed. */
interface Content {
  readonly status: number
  readonly field: (name: string) => unknown
  readonly payload: unknown
}

/** Status and fields of a web `Response` take the place of those of the reply. */
function contentOf(reply: FinishedReply, payload: unknown): Content {
  if (!isResponse(payload))
    return { status: reply.statusCode, field: (name) => reply.getHeader(name), payload }
  const { status, headers, body, bodyUsed } = payload
  const field = (name: string): unknown => headers.get(name) ?? reply.getHeader(name)
  return { status, field, payload: bodyUsed ? null : body }
}

/** Completes a web `Response`, whose fields take the place of those of the reply. */
function finishResponse(
  name: string | null,
  vary: readonly string[],
  reply: FinishedReply,
  response: Response,
): Response {
  const { headers, body, bodyUsed, status } = response
  const coding = name === null ? undefined : CODINGS.get(name)
  const isMerged = vary.length > 0 && headers.has('vary')
  // One that the platform has decoded says so by its URL, which a copy does not have.
  if (bodyUsed || status < 200 || headers.has('content-encoding') || !(isMerged || coding)) return response
  const fields = new Headers(headers)
  if (isMerged) fields.set('vary', mergeVary(headers.get('vary'), vary))
  if (name === null || coding === undefined || !isStreamed(body)) return withFields(response, fields, body)
  fields.set('content-encoding', name)
  fields.delete('content-length')
  reply.removeHeader('content-length')
  const tag = fields.get('etag')
  if (tag !== null) fields.set('etag', withCoding(tag, name))
  return withFields(response, fields, streamOf(compressed(coding, body)))
}

/** Makes a 304 of a response, which says with its tag which content the client keeps. */
function notModified(reply: FinishedReply, tag: string, payload: unknown): string {
  for (const name of OF_CONTENT) reply.removeHeader(name)
  reply.header('etag', tag)
  reply.code(304)
  discard(payload)
  return ''
}

function isCompressible({ types, above }: Compression, { status, field, payload }: Content): boolean {
  if (status < 200 || status === 204 || status === 205 || status === 206 || status === 304) return false
  if (payload === undefined || payload === null) return false
  if (field('content-encoding') !== undefined || field('content-range') !== undefined) return false
  if (/(?:^|[\s,])no-transform(?:$|[\s,;])/i.test(String(field('cache-control') ?? ''))) return false
  if (!types(String(field('content-type') ?? ''))) return false
  if (typeof payload === 'string') return Buffer.byteLength(payload) >= above
  if (payload instanceof Uint8Array) return payload.byteLength >= above
  const length = field('content-length')
  return isStreamed(payload) && (length === undefined || Number(length) >= above)
}

const varyOf = ({ crossSite }: Compression): string[] =>
  crossSite ? ['Accept-Encoding'] : ['Accept-Encoding', 'Sec-Fetch-Site']

/**
 * Returns the coding for a request; `null` for none. A page of another site could measure how well a secret beside its
 * own text compresses (BREACH), if its requests carry cookies.
 */
function codingFor({ codings, crossSite }: Compression, request: FinishedRequest): string | null {
  const site = headerOf(request, 'sec-fetch-site')
  const isForeign = site === 'cross-site' || site === 'same-site'
  if (isForeign && !crossSite && headerOf(request, 'cookie') !== undefined) return null
  return chooseCoding(headerOf(request, 'accept-encoding'), codings)
}

function encode(name: string, reply: FinishedReply, payload: unknown): unknown {
  const coding = CODINGS.get(name)
  if (coding === undefined) return payload
  reply.header('content-encoding', name)
  reply.removeHeader('content-length')
  if (isStreamed(payload)) return compressed(coding, payload)
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (!(bytes instanceof Uint8Array)) return payload
  if (bytes.byteLength <= MAX_AT_ONCE) return coding.compress(bytes)
  return new Promise((resolve, reject) => {
    coding.compressLater(bytes, (error, compressed) => (error === null ? resolve(compressed) : reject(error)))
  })
}

/** Whether a payload is a stream without another reader. */
const isStreamed = (value: unknown): value is Readable | WebStream =>
  isStream(value) || (isWebStream(value) && !value.locked)

function compressed({ compressor: create }: Coding, source: Readable | WebStream): Readable {
  const compressor = create()
  const content = isStream(source) ? source : new ReadOfWeb(source)
  // A listener of the application may respond to the error, which is that of the compressed stream already then.
  content.prependOnceListener('error', (error) => compressor.destroy(error))
  // The error of the source is that of the compressed stream, which the framework reads.
  pipeline(content, compressor, () => {})
  return compressor
}

function isStream(value: unknown): value is Readable {
  return typeof value === 'object' && value !== null && 'pipe' in value && typeof value.pipe === 'function'
}

function discard(given: unknown): void {
  const payload = isResponse(given) ? given.body : given
  if (isWebStream(payload)) payload.cancel().catch(() => {})
  if (!isStream(payload)) return
  payload.on('error', () => {})
  payload.destroy()
}
