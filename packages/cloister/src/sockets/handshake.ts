import { dependencies, type WebSocketConnection, type WebSocketModule } from '../dependencies.ts'
import { createError } from '../errors.ts'
import { OF_CONNECTION } from '../exchange/message-head.ts'
import { readHost } from '../request/members/forwarded.ts'
import type { ReplyImpl } from '../request/reply.ts'
import type { RequestState } from '../request/state.ts'
import { kExchange } from '../symbols.ts'
import type { NodeEntry } from '../transport/transport.ts'
import type { Limits } from './socket-limits.ts'

/** Time for the client to close its side too. */
const CLOSE_MS = 3000

const KEY = /^[+/0-9a-z]{22}==$/i
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Opens the sockets of one route. */
export class Handshakes {
  readonly #limits: Limits
  readonly #node: NodeEntry | null
  #server: InstanceType<WebSocketModule['WebSocketServer']> | null = null
  /** the headers of replies whose handshake is under way, by the raw request */
  readonly #headers = new WeakMap<object, ReturnType<ReplyImpl['getHeaders']>>()

  constructor(limits: Limits, node: NodeEntry | null) {
    this.#limits = limits
    this.#node = node
  }

  /**
   * Switches the connection of a request to the WebSocket protocol (RFC 6455 section 4.2).
   *
   * @throws `CLO_ERR_SOCKET_EXPECTED`, `CLO_ERR_SOCKET_HANDSHAKE_INVALID`, `CLO_ERR_SOCKET_ORIGIN_REFUSED`,
   * `CLO_ERR_SOCKET_UNSUPPORTED`; the connection still speaks HTTP then
   */
  open(reply: ReplyImpl, opened: (connection: WebSocketConnection) => void): void {
    const { request } = reply
    const exchange = request[kExchange]
    checkFields(reply)
    this.#checkOrigin(request)
    const raw = exchange.node?.request
    const upgrade = raw === undefined ? null : (this.#node?.takeUpgrade(raw) ?? null)
    if (raw === undefined || upgrade === null) throw createError('SOCKET_UNSUPPORTED', {})
    this.#headers.set(raw, reply.getHeaders())
    reply.hijack()
    this.#server ??= this.#createServer()
    this.#server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, opened)
  }

  #createServer(): InstanceType<WebSocketModule['WebSocketServer']> {
    const { maxPayload, protocols } = this.#limits
    const { WebSocketServer } = dependencies.ws()
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload,
      closeTimeout: CLOSE_MS,
      handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
    })
    server.on('headers', (lines, request) => {
      for (const [name, value] of Object.entries(this.#headers.get(request) ?? {})) {
        if (OF_CONNECTION.has(name) || name.startsWith('content-') || name.startsWith('sec-websocket-'))
          continue
        for (const one of [value].flat()) if (one !== undefined) lines.push(`${name}: ${String(one)}`)
      }
    })
    return server
  }

  /** A browser sends its cookies to any host, whichever page opens the socket (RFC 6455 section 10.2). */
  #checkOrigin(request: RequestState): void {
    const origin = request[kExchange].header('origin')
    const { origins } = this.#limits
    if (origin === undefined || origins === '*' || origins.includes(origin)) return
    if (origins.length === 0 && isOfHost(origin, readHost(request))) return
    throw createError('SOCKET_ORIGIN_REFUSED', { origin })
  }
}

/** Whether an origin is that of a host, whose port may be the usual one. */
function isOfHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: own } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === own
}

/** Checks the fields of a handshake (RFC 6455 section 4.2.1). */
function checkFields(reply: ReplyImpl): void {
  const exchange = reply.request[kExchange]
  if (exchange.header('upgrade')?.toLowerCase() !== 'websocket') throw expected(reply)
  // An Upgrade of HTTP/1.0 is ignored (RFC 9110 section 7.8).
  if (exchange.httpVersion === '1.0') throw expected(reply)
  const version = exchange.header('sec-websocket-version')
  if (version !== '13') throw expected(reply)
  if (!KEY.test(exchange.header('sec-websocket-key') ?? '')) {
    throw createError('SOCKET_HANDSHAKE_INVALID', { problem: 'Sec-WebSocket-Key must be 16 bytes in base64' })
  }
  // The protocol changes behind the content; ws would read it as messages.
  const length = exchange.header('content-length') ?? '0'
  if (length !== '0' || exchange.header('transfer-encoding') !== undefined)
    throw createError('SOCKET_HANDSHAKE_INVALID', { problem: 'it must have no content' })
  const offered = exchange.header('sec-websocket-protocol')?.split(',') ?? []
  const names = new Set(offered.map((name) => name.trim()))
  if (names.size < offered.length || [...names].some((name) => !TOKEN.test(name))) {
    const problem = 'Sec-WebSocket-Protocol must list different names'
    throw createError('SOCKET_HANDSHAKE_INVALID', { problem })
  }
}

function expected(reply: ReplyImpl): Error {
  reply.headers({ upgrade: 'websocket', 'sec-websocket-version': '13' })
  return createError('SOCKET_EXPECTED', {})
}
