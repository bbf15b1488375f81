import type { RequestConnection } from 'cloister/inspect'

/*
 * Who gets the page. A request is from this machine when its connection is, its Host is a name of this machine, and
 * no field shows that it came from elsewhere. Connection and fields are used as they arrived: `trustProxy` trusts
 * headers, so a client could open the page with them. A proxy on this machine connects from it, so any field that
 * proxies add leads to a refusal. Pages of other origins may not read the data through the developer's browser
 * either.
 */

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i
/** Any other name may be one that its owner has pointed to this machine (DNS rebinding). */
const LOCAL_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** Fields of proxies, load balancers, content delivery networks and tunnels. */
const OF_PROXIES: readonly RegExp[] = [
  /forward|proxy|proxied/,
  /^(?:via|cdn-loop|x-cache|x-varnish|x-host|x-served-by|x-timer|x-request-start|x-queue-start|x-scheme)$/,
  /(?:client|real|connecting|remote|originating|source|user|socket)-?(?:ip|addr|address|port)$/,
  /^(?:cf|fastly|akamai|fly|ngrok|tailscale)-/,
  /^x-(?:akamai|amz|amzn|appengine|arr|azure|cloud|envoy|fastly|github|goog|ms|nf|original|rewrite|sucuri|vercel|waws)-/,
]

/** The values of `Sec-Fetch-Site` for requests of this page or the user (Fetch Metadata). */
const OWN_SITES = ['none', 'same-origin']

const OTHER_ORIGIN = 'a page of another origin has sent it'

/** Returns why another origin has sent a request; `null` if none has. */
export function whyForeign({ fields }: RequestConnection): string | null {
  const isOwn = fields.every(([name, value]) => name !== 'sec-fetch-site' || OWN_SITES.includes(value))
  return isOwn ? null : OTHER_ORIGIN
}

/** Returns why a request is not from this machine; `null` if it is. */
export function whyRemote({ address, host, isEncrypted, fields }: RequestConnection): string | null {
  if (address === undefined || !LOOPBACK.test(address)) return 'it is from another machine'
  if (host === undefined || !LOCAL_HOST.test(host)) return 'its Host field names another machine'
  const forwarded = fields.find(([name]) => OF_PROXIES.some((pattern) => pattern.test(name)))
  if (forwarded !== undefined) return `the field ${forwarded[0]} says that it came through a proxy`
  const own = `${isEncrypted ? 'https' : 'http'}://${host}`.toLowerCase()
  const isOwn = fields.every(([name, value]) => name !== 'origin' || value.toLowerCase() === own)
  return isOwn ? null : OTHER_ORIGIN
}
