import type { IncomingMessage } from 'node:http'

import { look } from '../../foreign.ts'
import { isFunction } from '../../guards.ts'

const END_OF_LINE = '\r\n'
const END_OF_HEAD = '\r\n\r\n'

/** The option `upgrade` of the field `Connection`, without which `Upgrade` means nothing (RFC 9110 section 7.8). */
const ASKS_TO_SWITCH = /(?:^|,)\s*upgrade\s*(?:,|$)/i

/**
 * Returns whether bytes have arrived with a request for another protocol, behind it. Without `upgrade` listeners, Node
 * handles such a request like any other, but drops these bytes: requests that the client takes for sent. Call it
 * when the request arrives.
 */
export function losesBytes(request: IncomingMessage): boolean {
  const { headers, method, url, httpVersion } = request
  if (!ASKS_TO_SWITCH.test(headers.connection ?? '')) return false
  const parser = look(request.socket, 'parser')
  const getBytes = look(parser, 'getCurrentBuffer')
  const bytes: unknown = isFunction(getBytes) ? getBytes.call(parser) : null
  if (!Buffer.isBuffer(bytes)) return false
  // If an earlier request begins in the same way, more bytes than those of this one are behind it.
  const start = bytes.indexOf(`${method} ${url} HTTP/${httpVersion}\r\n`, 0, 'latin1')
  const endOfHead = start === -1 ? -1 : bytes.indexOf(END_OF_HEAD, start, 'latin1')
  if (endOfHead === -1) return false
  const body = endOfHead + END_OF_HEAD.length
  const isChunked = headers['transfer-encoding'] !== undefined
  const end = isChunked ? endOfChunks(bytes, body) : body + Number(headers['content-length'] ?? 0)
  return bytes.length > end
}

/** Returns where chunks end (RFC 9112 section 7.1); `Infinity` if their end has not arrived. */
function endOfChunks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length) {
    const endOfSize = bytes.indexOf(END_OF_LINE, at, 'latin1')
    const size = endOfSize === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, endOfSize), 16)
    if (Number.isNaN(size)) return Infinity
    if (size === 0) {
      // Trailers end like a head.
      const end = bytes.indexOf(END_OF_HEAD, endOfSize, 'latin1')
      return end === -1 ? Infinity : end + END_OF_HEAD.length
    }
    at = endOfSize + size + 2 * END_OF_LINE.length
  }
  return Infinity
}
