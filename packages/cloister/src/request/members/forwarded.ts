import { readAddress, isNamedHost } from '../../exchange/host.ts'
import { kExchange, kPlan } from '../../symbols.ts'
import type { RequestServices } from '../services.ts'
import type { RequestState } from '../state.ts'

/*
 * Where a request comes from and which host it names: from the socket, or from a trusted proxy. `X-Forwarded-For`,
 * `-Host` and `-Proto` count only if the other end of the socket is trusted, and only if they are a valid address, host
 * or protocol. No other header is used.
 */

/** The address that is checked for a connection without one, such as a Unix domain socket. */
const NO_ADDRESS = ''

type Trust = NonNullable<RequestServices['trustProxy']>

/** The values that proxies send for the two schemes; some send others for WebSockets. */
const PROTOCOLS: ReadonlyMap<string, 'http' | 'https'> = new Map([
  ['http', 'http'],
  ['https', 'https'],
  ['ws', 'http'],
  ['wss', 'https'],
])

/** The addresses that the request passed, the nearest first; `undefined` if no proxy is trusted. */
export function readIps(request: RequestState): string[] | undefined {
  const { trustProxy } = request[kPlan].app
  return trustProxy === null ? undefined : followBack(request, trustProxy)
}

/**
 * Follows the addresses from the socket to the client, as long as each belongs to a trusted proxy. Stops at an entry
 * that is no address, because it can't be trusted.
 */
function followBack(request: RequestState, isTrusted: Trust): string[] {
  const exchange = request[kExchange]
  const { address: peer } = exchange.peer
  const entries = (exchange.header('x-forwarded-for') ?? '').split(',').reverse()
  const addresses = peer === undefined ? [] : [peer]
  let nearest = peer ?? NO_ADDRESS
  let hop = 0
  for (const entry of entries) {
    const text = entry.trim()
    if (text === '') continue
    const address = isTrusted(nearest, hop) ? readAddress(text) : null
    if (address === null) break
    addresses.push(address)
    nearest = address
    hop += 1
  }
  return addresses
}

/** The host that the client named, with its port. */
export function readHost(request: RequestState): string {
  const forwarded = readForwarded(request, 'x-forwarded-host')
  if (isNamedHost(forwarded)) return forwarded
  const exchange = request[kExchange]
  return exchange.header('host') ?? exchange.header(':authority') ?? ''
}

/** `https` or `http`. */
export function readProtocol(request: RequestState): 'http' | 'https' {
  const forwarded = PROTOCOLS.get(readForwarded(request, 'x-forwarded-proto').toLowerCase())
  if (forwarded !== undefined) return forwarded
  return request[kExchange].peer.isEncrypted ? 'https' : 'http'
}

/** Returns the last entry of a header that proxies append to: that of the nearest proxy, if it is trusted. */
function readForwarded(request: RequestState, name: string): string {
  const { trustProxy } = request[kPlan].app
  if (trustProxy === null) return ''
  const exchange = request[kExchange]
  if (!trustProxy(exchange.peer.address ?? NO_ADDRESS, 0)) return ''
  const header = exchange.header(name) ?? ''
  return header.slice(header.lastIndexOf(',') + 1).trim()
}
