import type { IncomingMessage } from 'node:http'

import { look } from '../../foreign.ts'
import { isFunction } from '../../guards.ts'

const END_OF_HEAD = '\r\n\r\n'

/**
 * Returns whether bytes have arrived with a request for another protocol, behind it. Without `upgrade` listeners, Node
 * handles such a request like any other, but drops these bytes: requests that the client takes for sent. Call it
 * when the request arrives.
 */
export function losesBytes(request: IncomingMessage): boolean {
  const { headers, method, url, httpVersion } = request
  const parser = look(request.socket, 'parser')
  const getBytes = look(parser, 'getCurrentBuffer')
  const bytes: unknown = isFunction(getBytes) ? getBytes.call(parser) : null
  if (!Buffer.isBuffer(bytes)) return false
  // If an earlier request begins in the same way, more bytes than those of this one are behind it.
  const start = bytes.indexOf(`${method} ${url} HTTP/${httpVersion}\r\n`, 0, 'latin1')
  const end = start === -1 ? -1 : bytes.indexOf(END_OF_HEAD, start, 'latin1')
  if (end === -1) return false
  return bytes.length > end + END_OF_HEAD.length + Number(headers['content-length'] ?? 0)
}
