import type { FastifyReply, FastifyRequest, Upgrade } from 'cloister/types'
import type { OpenOptions, SocketConnection } from './connection.ts'
import { WebSocketError } from './errors.ts'
import type { Limits } from './limits.ts'
import { takeSocket } from './platforms/take-socket.ts'

const KEY = /^[+/0-9a-z]{22}==$/i
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const EXPECTED =
  'This route is for WebSockets; open one (GET with Upgrade: websocket, Sec-WebSocket-Version: 13)'
const UNSUPPORTED =
  "A WebSocket needs a connection to Node's HTTP/1.1 server (app.listen()), or app.fetch on Bun (with bunWebSocket of @cloister/websocket), on Deno or in a worker. Requests through app.inject and HTTP/2 have none"

/** Opens a WebSocket on a connection of Node; returns whether there was one. */
export type OpenOnNode = (
  upgrade: Upgrade,
  options: OpenOptions,
  opened: (connection: SocketConnection) => void,
) => boolean

/** A request for a WebSocket, with the limits of its route. */
export interface Opening {
  readonly upgrade: Upgrade
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly limits: Limits
  /** `null` in builds for workers */
  readonly openOnNode: OpenOnNode | null
}

/**
 * Switches the connection of a request to the WebSocket protocol (RFC 6455 section 4.2).
 *
 * @throws WebSocketError `CLO_ERR_SOCKET_EXPECTED`, `CLO_ERR_SOCKET_HANDSHAKE_INVALID`,
 * `CLO_ERR_SOCKET_ORIGIN_REFUSED`, `CLO_ERR_SOCKET_UNSUPPORTED`; the connection still uses HTTP then
 */
export function openSocket(opening: Opening, opened: (connection: SocketConnection) => void): void {
  const { upgrade, request, reply, limits, openOnNode } = opening
  const offered = checkFields(request, reply)
  checkOrigin(request, limits.origins)
  const { maxPayload, maxBuffered, protocols } = limits
  const protocol = protocols.find((name) => offered.has(name)) ?? ''
  const options = { protocol, headers: ownHeaders(upgrade), maxPayload, maxBuffered }
  const { platform } = upgrade
  if (platform === null) {
    if (openOnNode?.(upgrade, options, opened) !== true) throw unsupported()
    return
  }
  const taken = takeSocket(platform.request, platform.server, options)
  if (taken === null) throw unsupported()
  const { connection, response } = taken
  platform.respond(response, new Promise((resolve) => connection.on('close', resolve)))
  opened(connection)
}

/** Responds to a request that asks for no WebSocket. */
export function refuseRequest(reply: FastifyReply): never {
  reply.headers({ upgrade: 'websocket', 'sec-websocket-version': '13' })
  throw new WebSocketError('CLO_ERR_SOCKET_EXPECTED', EXPECTED)
}

function unsupported(): WebSocketError {
  return new WebSocketError('CLO_ERR_SOCKET_UNSUPPORTED', UNSUPPORTED)
}

function ownHeaders({ headers }: Upgrade): OpenOptions['headers'] {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('sec-websocket-'))
  return Object.fromEntries(own)
}

/** A browser sends its cookies to any host, regardless of the page that opens the socket (RFC 6455 section 10.2). */
function checkOrigin(request: FastifyRequest, origins: Limits['origins']): void {
  const origin = fieldOf(request, 'origin')
  if (origin === undefined || origins === '*' || origins.includes(origin)) return
  if (origins.length === 0 && isOfHost(origin, request.host)) return
  const message = `Pages of '${origin}' may not open this WebSocket; the option origins of the route lists those that may`
  throw new WebSocketError('CLO_ERR_SOCKET_ORIGIN_REFUSED', message)
}

/** Returns whether an origin belongs to a host. The default port may be omitted. */
function isOfHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: own } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === own
}

/** Checks the header fields of a handshake (RFC 6455 section 4.2.1), and returns the subprotocols that it offers. */
function checkFields(request: FastifyRequest, reply: FastifyReply): ReadonlySet<string> {
  if (fieldOf(request, 'sec-websocket-version') !== '13') refuseRequest(reply)
  if (!KEY.test(fieldOf(request, 'sec-websocket-key') ?? ''))
    throw malformed('Sec-WebSocket-Key must be 16 bytes in base64')
  // The protocol changes after the content, but its bytes would be read as messages.
  const length = fieldOf(request, 'content-length') ?? '0'
  if (length !== '0' || fieldOf(request, 'transfer-encoding') !== undefined)
    throw malformed('it must have no content')
  const offered = fieldOf(request, 'sec-websocket-protocol')?.split(',') ?? []
  const names = new Set(offered.map((name) => name.trim()))
  if (names.size < offered.length || [...names].some((name) => !TOKEN.test(name)))
    throw malformed('Sec-WebSocket-Protocol must list different names')
  return names
}

function fieldOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function malformed(problem: string): WebSocketError {
  const message = `The handshake of the WebSocket is not valid: ${problem}`
  return new WebSocketError('CLO_ERR_SOCKET_HANDSHAKE_INVALID', message)
}
