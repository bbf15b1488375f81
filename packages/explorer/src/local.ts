import type { RequestConnection } from 'cloister/inspect'

/*
 * Who gets the page. A request is from this machine when its connection is, when it names this machine, and when nothing
 * says that it came from elsewhere. Connection and fields are read as they arrived: `trustProxy` believes headers, and
 * anything that a client writes there would open the page. A proxy on this machine connects from it, so that any field
 * that proxies add refuses. And pages of other origins may not read the data in the browser of the developer either.
 */

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i
/** Another name means that its owner has pointed it to this machine (DNS rebinding). */
const LOCAL_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** Fields of proxies, balancers, networks of delivery and tunnels. */
const OF_PROXIES: readonly RegExp[] = [
  /forward|proxy|proxied/,
  /^(?:via|cdn-loop|x-cache|x-varnish|x-host|x-served-by|x-timer|x-request-start|x-queue-start|x-scheme)$/,
  /(?:client|real|connecting|remote|originating|source|user|socket)-?(?:ip|addr|address|port)$/,
  /^(?:cf|fastly|akamai|fly|ngrok|tailscale)-/,
  /^x-(?:akamai|amz|amzn|appengine|arr|azure|cloud|envoy|fastly|github|goog|ms|nf|original|rewrite|sucuri|vercel|waws)-/,
]

/** A browser says with `Sec-Fetch-Site` where the page is that has sent a request (Fetch Metadata). */
const OWN_SITES = ['none', 'same-origin']

const OTHER_ORIGIN = 'a page of another origin has sent it'

/** Why the page is not for a request of another origin; `null` where it may be. */
export function whyForeign({ fields }: RequestConnection): string | null {
  const isOwn = fields.every(([name, value]) => name !== 'sec-fetch-site' || OWN_SITES.includes(value))
  return isOwn ? null : OTHER_ORIGIN
}

/** Why a request is not from this machine; `null` where it is. */
export function whyRemote({ address, host, isEncrypted, fields }: RequestConnection): string | null {
  if (address === undefined || !LOOPBACK.test(address)) return 'it is from another machine'
  if (host === undefined || !LOCAL_HOST.test(host)) return 'its Host field names another machine'
  const forwarded = fields.find(([name]) => OF_PROXIES.some((pattern) => pattern.test(name)))
  if (forwarded !== undefined) return `the field ${forwarded[0]} says that it came through a proxy`
  const own = `${isEncrypted ? 'https' : 'http'}://${host}`.toLowerCase()
  const isOwn = fields.every(([name, value]) => name !== 'origin' || value.toLowerCase() === own)
  return isOwn ? null : OTHER_ORIGIN
}
