import { callOf, isNode, nameOf } from '@cloister/cli/internal'
import type { SyntaxNode } from '@cloister/cli/internal'
import { literalOf, propertiesOf } from './literal.ts'
import { callSiteOf } from './registrations.ts'
import type { ParsedFile } from './registrations.ts'

/** Code that uses what a plugin has added to routes, requests and replies. */
export interface Use {
  readonly plugin: string
  readonly callSite: string
  readonly what: string
  readonly instead: string
}

const ROUTES = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'all', 'route']

interface OptionUse {
  readonly plugin: string
  /** What replaces the option of a route when it is `false`. */
  readonly off: string
  readonly on: string
}

/** Options of routes, by their names. */
const OF_ROUTE: Readonly<Record<string, OptionUse>> = {
  helmet: {
    plugin: '@fastify/helmet',
    off: 'web: { headers: false }',
    on: "web: { headers: … }: 'helmet', or an object of headers by name",
  },
  compress: {
    plugin: '@fastify/compress',
    off: 'web: { compress: false }',
    on: 'web: { compress: { above, codings, types } }',
  },
  decompress: {
    plugin: '@fastify/compress',
    off: 'web: { decompress: false }',
    on: 'web: { decompress: { codings } }',
  },
}

/** Options in the `config` of routes, by their names. */
const OF_CONFIG: Readonly<Record<string, OptionUse>> = {
  cors: {
    plugin: '@fastify/cors',
    off: 'web: { cors: false }',
    on: 'web: { cors: { … } }, with the members of the plugin',
  },
  rateLimit: {
    plugin: '@fastify/rate-limit',
    off: 'web: { limit: false }',
    on: "web: { limit: { max, per } }: timeWindow becomes per, such as '1m'",
  },
}

/** Members of apps, requests and replies, by their names. */
const MEMBERS: Readonly<Record<string, { readonly plugin: string; readonly instead: string }>> = {
  generateCsrf: { plugin: '@fastify/csrf-protection', instead: 'delete it: there are no tokens' },
  csrfProtection: { plugin: '@fastify/csrf-protection', instead: 'delete it: csrf: true checks every route' },
  unsignCookie: {
    plugin: '@fastify/cookie',
    instead:
      "schema: { cookies: { properties: { NAME: { type: 'string', 'x-signed': true } } } } verifies it",
  },
  signCookie: { plugin: '@fastify/cookie', instead: 'reply.setCookie(name, value, { signed: true })' },
  cookies: {
    plugin: '@fastify/cookie',
    instead:
      'the route declares what it reads: schema: { cookies: { … } }; request.cookies is undefined without',
  },
  rateLimit: {
    plugin: '@fastify/rate-limit',
    instead: 'web: { limit: { max, per } } of the route',
  },
  createRateLimit: { plugin: '@fastify/rate-limit', instead: 'no equal: a store has take(key, cost, rule)' },
  helmet: {
    plugin: '@fastify/helmet',
    instead: 'reply.headers, or web: { headers } of the route',
  },
}

/** Members that only a call or a request shows: other objects have them too. */
const ONLY_OF: Readonly<Record<string, RegExp>> = {
  cookies: /^(?:req|request)$/,
  rateLimit: /^(?:app|fastify|server|instance)$/,
  helmet: /^(?:res|reply)$/,
}

/** Finds code that uses plugins in another way than by registering them. */
export function usesIn(file: ParsedFile): Use[] {
  return file.nodes.flatMap((node) => [...optionUses(file, node), ...memberUses(file, node)])
}

function optionUses(file: ParsedFile, node: SyntaxNode): Use[] {
  const options = (callOf(node, ...ROUTES) ?? []).filter((one) => isNode(one, 'ObjectExpression'))
  return options.flatMap((one) => {
    const config = propertiesOf(one).find(({ name }) => name === 'config')?.value
    const inside = isNode(config, 'ObjectExpression') ? usesOf(file, config, OF_CONFIG, 'config.') : []
    return [...usesOf(file, one, OF_ROUTE, ''), ...inside]
  })
}

function usesOf(
  file: ParsedFile,
  node: SyntaxNode,
  table: Readonly<Record<string, OptionUse>>,
  prefix: string,
): Use[] {
  return propertiesOf(node).flatMap(({ name, value }) => {
    const row = name !== null && Object.hasOwn(table, name) ? table[name] : undefined
    if (row === undefined) return []
    const instead = literalOf(value)?.value === false ? row.off : row.on
    return [
      { plugin: row.plugin, callSite: callSiteOf(file, value), what: `${prefix}${String(name)}`, instead },
    ]
  })
}

function memberUses(file: ParsedFile, node: SyntaxNode): Use[] {
  if (node.type !== 'MemberExpression') return []
  const name = nameOf(node)
  const row = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined
  if (row === undefined || ONLY_OF[name]?.test(nameOf(node['object'])) === false) return []
  return [{ ...row, callSite: callSiteOf(file, node), what: name }]
}
