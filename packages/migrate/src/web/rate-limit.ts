import { isFunctionNode, isNode } from '@cloister/cli/internal'
import { equal, joined, note, noted, NOTHING, same } from './equal.ts'
import type { Equal, Given, PeerRows } from './equal.ts'

const STORE =
  "limit: { store } takes any object with take(key, cost, rule), such as a limit of @cloister/state on Redis; without onStoreFailure: 'refuse', requests pass while it fails"
const HANDLER = 'the error handler: the error is a 429 with the code CLO_ERR_WEB_LIMIT'
const DYNAMIC =
  'no equal: a limit is fixed at boot; give routes limits of their own: web: { limit: { max, per } }'

/** The options of `@fastify/rate-limit`, of the plugin and of a route. */
export const RATE_LIMIT: PeerRows = {
  rows: {
    max: ({ node, text, literal }) => {
      if (isFunctionNode(node)) return note(DYNAMIC)
      return literal?.value === 0
        ? note('max: 0 has no equal: refuse with a hook')
        : equal({ 'limit.max': text })
    },
    timeWindow: periodOf,
    keyGenerator: ({ node, text }) => {
      if (!isFunctionNode(node))
        return equal({ 'limit.by': text }, 'by must be synchronous and return a text')
      return node['async'] === true
        ? note('no equal: by is synchronous; find the key in a hook before, or from what the request has')
        : equal(
            { 'limit.by': text },
            'gets method, url, headers, ip, host, params and query of a request, and returns a text',
          )
    },
    allowList: allowed,
    groupId: same('limit.group'),
    redis: noted(STORE),
    nameSpace: noted(STORE),
    store: noted(STORE),
    skipOnError: ({ literal }) =>
      literal === null
        ? note("onStoreFailure: 'allow' or 'refuse'")
        : equal({ 'limit.onStoreFailure': literal.value === true ? "'allow'" : "'refuse'" }),
    enableDraftSpec: ({ literal }) =>
      literal?.value === false
        ? NOTHING
        : equal({ 'limit.fields': 'true' }, 'the fields are RateLimit and RateLimit-Policy'),
    addHeaders: noted(
      'no equal for x-ratelimit-*: limit: { fields: true } sends RateLimit and RateLimit-Policy; a 429 has Retry-After',
    ),
    addHeadersOnExceeding: noted(
      'no equal for x-ratelimit-*: limit: { fields: true } sends RateLimit and RateLimit-Policy',
    ),
    errorResponseBuilder: noted(HANDLER),
    onExceeded: noted(HANDLER),
    onExceeding: noted('no equal'),
    ban: noted('no equal: a 429 is not turned into a 403'),
    onBanReach: noted('no equal: there is no ban'),
    cache: noted('not needed: the 20,000 clients that were seen last are kept'),
    continueExceeding: noted('no equal: a refused request does not count'),
    exponentialBackoff: noted('no equal: a refused request does not count'),
    hook: noted('not needed: onRequest, before the hooks of the app, so that a body has no part in the key'),
    ipv6Subnet: ({ literal }) =>
      literal?.value === 64 ? NOTHING : note('no equal: a client is its /64 network, or what by returns'),
    global: ({ literal }) =>
      literal?.value === false
        ? equal({ limit: 'false' }, 'routes have limits of their own: web: { limit: { max, per } }')
        : NOTHING,
  },
  defaults: (given) => {
    if (given['global']?.literal?.value === false) return NOTHING
    return joined(
      given['max'] === undefined ? equal({ 'limit.max': '1000' }) : NOTHING,
      given['timeWindow'] === undefined ? equal({ 'limit.per': "'1m'" }) : NOTHING,
      note(
        'requests become free again evenly, not all at the end of the window, and requests to unknown paths count',
      ),
    )
  },
}

/** The units of a period; the first letters decide, as in the plugin. */
const UNITS: readonly (readonly [RegExp, string, number])[] = [
  [/^(?:m(?:illiseconds?|s(?:ecs?)?))$/, 'ms', 1],
  [/^s(?:ec(?:onds?|s)?)?$/, 's', 1],
  [/^m(?:in(?:utes?|s)?)?$/, 'm', 1],
  [/^h(?:ours?|rs?)?$/, 'h', 1],
  [/^d(?:ays?)?$/, 'd', 1],
  [/^w(?:eeks?|ks?)?$/, 'd', 7],
  [/^y(?:ears?|rs?)?$/, 'd', 365.25],
]

function periodOf({ node, text, literal }: Given): Equal {
  if (isFunctionNode(node)) return note(DYNAMIC)
  if (typeof literal?.value !== 'string')
    return equal(
      { 'limit.per': text },
      literal === null ? "per is a number of milliseconds, or a text such as '1m'" : null,
    )
  const [, count = '', unit = ''] = /^(\d*\.?\d+) *([a-z]*)$/.exec(literal.value.toLowerCase()) ?? []
  const [, short, factor] = UNITS.find(([names]) => names.test(unit)) ?? []
  if (count === '' || (unit !== '' && short === undefined)) return note(`${text} is no period`)
  return equal({ 'limit.per': unit === '' ? count : `'${Number(count) * Number(factor)}${String(short)}'` })
}

function allowed({ node, text }: Given, { keyGenerator }: Readonly<Record<string, Given>>): Equal {
  if (isNode(node, 'ArrayExpression') && keyGenerator === undefined)
    return equal(
      { 'limit.by': `(request) => (${text}.includes(request.ip) ? null : request.ip)` },
      'by with request.ip counts each IPv6 address, not its network',
    )
  return note('let by return null for requests that are not limited')
}
