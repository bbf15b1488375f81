import { createError } from '../../errors.ts'
import { OF_CONNECTION } from '../../exchange/message-head.ts'
import { kExchange } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'

/**
 * Status and headers of a web `Response` become the reply's; its body the payload. What was said of one connection is
 * left out. So is what a fetched response says about the coding and length of a body that the platform has decoded.
 */
export function unpackResponse(reply: ReplyState, response: Response): unknown {
  if (response.bodyUsed) throw createError('REP_RESPONSE_BODY_CONSUMED', {})
  const { headers, status, body } = response
  const named = (headers.get('connection') ?? '').toLowerCase().split(/[\t ]*,[\t ]*/)
  const isDecoded = isDecodedByPlatform(response)
  reply.code(status)
  for (const [name, value] of headers) {
    const isDropped =
      OF_CONNECTION.has(name) ||
      named.includes(name) ||
      (isDecoded && (name === 'content-encoding' || name === 'content-length')) ||
      // Without a body the length is that of another message, such as a response to HEAD.
      (body === null && name === 'content-length' && reply[kExchange].method !== 'HEAD')
    if (!isDropped) reply.header(name, value)
  }
  return body
}

/** Only a fetched response has a URL; one that the application has made is as it says. */
function isDecodedByPlatform({ url, headers }: Response): boolean {
  const coding = headers.get('content-encoding')
  if (url === '' || coding === null) return false
  return coding.split(',').every((one) => isDecoded(one.trim().toLowerCase()))
}

/** The codings that every platform decodes (Fetch section 4.6). */
const DECODED: ReadonlySet<string> = new Set(['br', 'deflate', 'gzip', 'x-gzip'])

function isDecoded(coding: string): boolean {
  return DECODED.has(coding) || (coding === 'zstd' && decodesZstd())
}

/** Bun does, and Node from version 7.11 of its `fetch` on. */
function decodesZstd(): boolean {
  const { versions }: { readonly versions?: Readonly<Record<string, string | undefined>> } =
    typeof process === 'undefined' ? {} : process
  if (versions?.['bun'] !== undefined) return true
  const [major = 0, minor = 0] = (versions?.['undici'] ?? '').split('.').map(Number)
  return major > 7 || (major === 7 && minor >= 11)
}
