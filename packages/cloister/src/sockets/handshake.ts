import { dependencies } from '../dependencies.ts'
import { createError } from '../errors.ts'
import type { ResponseHeaders } from '../exchange/exchange.ts'
import { OF_CONNECTION } from '../exchange/message-head.ts'
import type { SocketConnection } from '../exchange/upgrade.ts'
import { readHost } from '../request/members/forwarded.ts'
import { handOver, type ReplyImpl } from '../request/reply.ts'
import type { RequestState } from '../request/state.ts'
import { kExchange } from '../symbols.ts'
import type { NodeEntry } from '../transport/transport.ts'
import type { Limits } from './define-socket.ts'

const CLOSE_MS = 3000

const KEY = /^[+/0-9a-z]{22}==$/i
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Switches the connection of a request to the WebSocket protocol (RFC 6455 section 4.2).
 *
 * @throws `CLO_ERR_SOCKET_EXPECTED`, `CLO_ERR_SOCKET_HANDSHAKE_INVALID`, `CLO_ERR_SOCKET_ORIGIN_REFUSED`,
 * `CLO_ERR_SOCKET_UNSUPPORTED`; the connection still uses HTTP then
 */
export function openSocket(
  reply: ReplyImpl,
  limits: Limits,
  node: NodeEntry | null,
  opened: (connection: SocketConnection) => void,
): void {
  const { request } = reply
  const exchange = request[kExchange]
  checkFields(reply)
  checkOrigin(request, limits.origins)
  if (exchange.upgrade === undefined) openOnNode(reply, limits, node, opened)
  else {
    const { maxPayload, maxBuffered } = limits
    const offered = (exchange.header('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
    const protocol = limits.protocols.find((name) => offered.includes(name)) ?? ''
    const headers = headersOf(reply)
    const connection = exchange.upgrade({ protocol, headers, maxPayload, maxBuffered })
    if (connection === null) throw createError('SOCKET_UNSUPPORTED', {})
    handOver(reply)
    opened(connection)
  }
}

function openOnNode(
  reply: ReplyImpl,
  { maxPayload, protocols }: Limits,
  node: NodeEntry | null,
  opened: (connection: SocketConnection) => void,
): void {
  const raw = reply.request[kExchange].node?.request
  const upgrade = raw === undefined ? null : (node?.takeUpgrade(raw) ?? null)
  if (upgrade === null) throw createError('SOCKET_UNSUPPORTED', {})
  const headers = headersOf(reply)
  reply.hijack()
  // The options come from the route, the headers from this reply.
  const { WebSocketServer } = dependencies.ws()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    closeTimeout: CLOSE_MS,
    handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
  })
  server.on('headers', (lines) => {
    for (const [name, value] of Object.entries(headers)) {
      for (const one of [value].flat()) if (one !== undefined) lines.push(`${name}: ${String(one)}`)
    }
  })
  server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, opened)
}

/** The headers of a reply that do not belong to a handshake. */
function headersOf(reply: ReplyImpl): ResponseHeaders {
  const own = Object.entries(reply.getHeaders()).filter(
    ([name]) =>
      !OF_CONNECTION.has(name) && !name.startsWith('content-') && !name.startsWith('sec-websocket-'),
  )
  return Object.fromEntries(own)
}

/** A browser sends its cookies to any host, regardless of the page that opens the socket (RFC 6455 section 10.2). */
function checkOrigin(request: RequestState, origins: Limits['origins']): void {
  const origin = request[kExchange].header('origin')
  if (origin === undefined || origins === '*' || origins.includes(origin)) return
  if (origins.length === 0 && isOfHost(origin, readHost(request))) return
  throw createError('SOCKET_ORIGIN_REFUSED', { origin })
}

/** Returns whether an origin belongs to a host. The default port may be omitted. */
function isOfHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: own } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === own
}

/** Checks the header fields of a handshake (RFC 6455 section 4.2.1). */
function checkFields(reply: ReplyImpl): void {
  const exchange = reply.request[kExchange]
  const isAsked = exchange.header('upgrade')?.toLowerCase() === 'websocket'
  // Upgrade is ignored in HTTP/1.0 (RFC 9110 section 7.8).
  if (!isAsked || exchange.httpVersion === '1.0' || exchange.header('sec-websocket-version') !== '13') {
    reply.headers({ upgrade: 'websocket', 'sec-websocket-version': '13' })
    throw createError('SOCKET_EXPECTED', {})
  }
  if (!KEY.test(exchange.header('sec-websocket-key') ?? '')) {
    throw malformed('Sec-WebSocket-Key must be 16 bytes in base64')
  }
  // The protocol changes after the content, but ws would read the content as messages.
  const length = exchange.header('content-length') ?? '0'
  if (length !== '0' || exchange.header('transfer-encoding') !== undefined)
    throw malformed('it must have no content')
  const offered = exchange.header('sec-websocket-protocol')?.split(',') ?? []
  const names = new Set(offered.map((name) => name.trim()))
  if (names.size < offered.length || [...names].some((name) => !TOKEN.test(name)))
    throw malformed('Sec-WebSocket-Protocol must list different names')
}

function malformed(problem: string): Error {
  return createError('SOCKET_HANDSHAKE_INVALID', { problem })
}
