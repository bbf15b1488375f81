import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { ReadResourceResult } from '@modelcontextprotocol/server'
import type { RequestConnection } from 'cloister/inspect'

import { base64Of, headersOf, originOf, readBytes } from './call.ts'
import { SCHEME } from './resources.ts'
import type { Resource } from './resources.ts'

/** Media types of text, without those of bytes that happen to be text. */
const TEXT =
  /^(?:text\/.+|(?:application|image)\/(?:.+\+)?(?:json|xml|yaml)|application\/(?:javascript|json-seq|x-ndjson|x-www-form-urlencoded))$/

/**
 * Returns the URL that a URI means to a caller.
 *
 * @throws ResourceNotFoundError for a URI of another scheme, or one that no URL has
 */
export function urlOf(uri: string, caller: RequestConnection): URL {
  const path = uri.startsWith(`${SCHEME}/`) && !uri.includes('#') ? uri.slice(SCHEME.length) : null
  const text = `${originOf(caller)}${path ?? ''}`
  if (path === null || !URL.canParse(text)) throw new ResourceNotFoundError(uri)
  return new URL(text)
}

/** Creates the request that the caller could send to the route itself. */
export function createReading(
  url: URL,
  { version }: Resource,
  caller: RequestConnection,
  signal: AbortSignal,
): Request {
  return new Request(url, { headers: headersOf(caller, version), signal, redirect: 'manual' })
}

/**
 * Converts the response of a route to the contents of a resource.
 *
 * @throws ProtocolError for any response but a success
 */
export async function readContents(
  uri: string,
  { description: { method, url } }: Resource,
  response: Response,
  limit: number,
): Promise<ReadResourceResult> {
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  const where = `${method} ${url}`
  const isStream = type.startsWith('text/event-stream')
  const bytes = isStream ? null : await readBytes(response, limit)
  if (bytes === null) {
    if (response.body?.locked === false) await response.body.cancel()
    const message = `${where}: the payload is a stream of events, or larger than ${limit} bytes`
    throw new ProtocolError(ProtocolErrorCode.InternalError, message)
  }
  if (status < 200 || status > 299) throw errorOf(uri, where, status, bytes)
  const [mediaType = '', ...parameters] = type.split(';')
  const text = TEXT.test(mediaType.trim().toLowerCase()) ? decode(bytes, parameters.join(';')) : null
  // The text has no encoding any more.
  if (text !== null) return { contents: [{ uri, mimeType: mediaType.trim(), text }] }
  const mimeType = type === '' ? {} : { mimeType: type }
  return { contents: [{ uri, ...mimeType, blob: base64Of(bytes) }] }
}

/** Returns text, or `null` for bytes that are not of their encoding, or of an unknown one. */
function decode(bytes: Uint8Array, parameters: string): string | null {
  const [, charset = 'utf-8'] = /charset="?([^\s";]+)/i.exec(parameters) ?? []
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function errorOf(uri: string, where: string, status: number, bytes: Uint8Array): ProtocolError {
  if (status === 404 || status === 410) return new ResourceNotFoundError(uri)
  const code =
    status >= 400 && status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, `${where}: status ${status}\n${new TextDecoder().decode(bytes)}`, {
    uri,
    status,
  })
}
