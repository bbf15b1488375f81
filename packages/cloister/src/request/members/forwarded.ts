import { dependencies } from '../../dependencies.ts'
import { viewRequest } from '../../exchange/request-view.ts'
import { kExchange, kPlan } from '../../symbols.ts'
import type { RequestState } from '../state.ts'

/*
 * Where a request comes from and what it was sent to: as the socket shows it or, where that is trusted, a proxy. What
 * a proxy says in headers counts only when the other end of the socket is trusted.
 */

/** The address of the client; `undefined` for a request without a connection. */
export function readIp(request: RequestState): string | undefined {
  const { trustProxy } = request[kPlan].app
  return trustProxy === null ? request[kExchange].peer.address : readIps(request)?.at(-1)
}

/** The addresses on the way of the request, the nearest first; none where no proxy is trusted. */
export function readIps(request: RequestState): string[] | undefined {
  const { trustProxy } = request[kPlan].app
  const exchange = request[kExchange]
  return trustProxy === null || exchange.peer.address === undefined
    ? undefined
    : dependencies.proxyAddr.all(viewRequest(exchange), trustProxy)
}

/** The host that the client named, with its port. */
export function readHost(request: RequestState): string {
  const forwarded = readForwarded(request, 'x-forwarded-host')
  if (forwarded !== undefined) return forwarded
  const exchange = request[kExchange]
  return exchange.header('host') ?? exchange.header(':authority') ?? ''
}

/** The host that the client named, without its port. */
export function readHostname(request: RequestState): string {
  const host = readHost(request)
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':', 1)[0] ?? '')
}

/** The port that the client named. */
export function readPort(request: RequestState): number | null {
  const match = /:(\d+)$/.exec(readHost(request))
  return match === null ? null : Number(match[1])
}

/** `https` or `http`. */
export function readProtocol(request: RequestState): string {
  const forwarded = readForwarded(request, 'x-forwarded-proto')
  if (forwarded !== undefined) return forwarded
  return request[kExchange].peer.isEncrypted ? 'https' : 'http'
}

/** Returns the entry of the nearest proxy in a header: the last one, where the proxy is trusted. */
function readForwarded(request: RequestState, name: string): string | undefined {
  const { trustProxy } = request[kPlan].app
  if (trustProxy === null) return undefined
  const exchange = request[kExchange]
  return trustProxy(exchange.peer.address ?? '', 0) ? lastEntry(exchange.header(name)) : undefined
}

/** The last entry of a header that proxies append to. */
function lastEntry(header: string | undefined): string | undefined {
  const last = header?.slice(header.lastIndexOf(',') + 1).trim()
  return last === '' ? undefined : last
}
