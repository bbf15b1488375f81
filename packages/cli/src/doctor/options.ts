import type { LoadedApp } from '../load-app.ts'
import type { Finding } from './finding.ts'

/** Finds options that are accepted, and that clients can use against the app. */
export function checkOptions({ initialConfig: { trustProxy } }: LoadedApp): Finding[] {
  if (trustProxy !== true && (typeof trustProxy !== 'number' || trustProxy === 0)) return []
  const whom = trustProxy === true ? 'every client' : 'that many hops, whatever their address'
  const hops = Number(trustProxy)
  const message = `trustProxy: ${trustProxy} believes ${whom}: a client that reaches the app directly chooses request.ip, request.host and request.protocol; name your proxies by address ('10.0.0.0/8'), or by number and address: { hops: ${hops}, from: '10.0.0.0/8' }`
  return [{ level: 'note', check: 'options', code: 'TRUST_PROXY_ANYONE', message, callSite: null }]
}
