import { lazyModules } from '../../lazy-modules.ts'
import { kExchange, kPlan } from '../../symbols.ts'
import type { RequestImpl } from '../request.ts'

/** Where a request comes from and what it was sent to: as the socket shows it or, where that is trusted, a proxy. */
export interface Forwarded {
  readonly ip: string | undefined
  readonly ips: string[] | undefined
  readonly host: string
  readonly hostname: string
  readonly port: number | null
  readonly protocol: string
}

/** Reads the way of a request. What a proxy says in headers counts only when the other end of the socket is trusted. */
export function readForwarded(request: RequestImpl): Forwarded {
  const exchange = request[kExchange]
  const trust = request[kPlan].app.trustProxy
  const { socket, headers } = exchange
  const trusted = trust !== null && trust(socket.remoteAddress ?? '', 0)
  const forwarded = (name: string): string | undefined =>
    trusted ? lastEntry(exchange.header(name)) : undefined
  const authority = headers[':authority']
  const host =
    forwarded('x-forwarded-host') ?? headers.host ?? (typeof authority === 'string' ? authority : '')
  return {
    get ip() {
      if (trust === null) return socket.remoteAddress
      return lazyModules.proxyAddr.all(exchange.rawRequest, trust).at(-1)
    },
    get ips() {
      return trust === null ? undefined : lazyModules.proxyAddr.all(exchange.rawRequest, trust)
    },
    host,
    hostname: host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':', 1)[0] ?? ''),
    port: portOf(host),
    protocol:
      forwarded('x-forwarded-proto') ?? ('encrypted' in socket && socket.encrypted ? 'https' : 'http'),
  }
}

function portOf(host: string): number | null {
  const match = /:(\d+)$/.exec(host)
  return match === null ? null : Number(match[1])
}

/** The last entry of a header that proxies append to: the one that the nearest, trusted proxy wrote. */
function lastEntry(header: string | undefined): string | undefined {
  const last = header?.slice(header.lastIndexOf(',') + 1).trim()
  return last === '' ? undefined : last
}
