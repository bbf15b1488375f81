import { isRecord, McpError, McpRefusal } from './errors.ts'
import type { McpAuthorization, McpGrant, ToolDescription } from './types.ts'

/** What has guards: a tool or a resource. */
type Guarded = Pick<ToolDescription, 'name' | 'guards'>

/** A scope (RFC 6749, section 3.3), which fits between the quotes of a challenge. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** The path at which clients look for the metadata of a protected resource (RFC 9728, section 3.1). */
export function metadataPath(resource: string): string {
  const { pathname } = new URL(resource)
  return pathname === '/' ? WELL_KNOWN : WELL_KNOWN + pathname
}

/** Admits callers of the endpoint by their access tokens, and refuses tools and resources whose scopes a token lacks. */
export class Gate {
  readonly #options: McpAuthorization
  readonly #metadata: string

  constructor(options: McpAuthorization) {
    this.#options = options
    this.#metadata = new URL(metadataPath(options.resource), options.resource).href
  }

  /** Returns the metadata of the resource (RFC 9728, section 2). */
  describe(name: string, entries: Iterable<Guarded>): object {
    const { resource, authorizationServers } = this.#options
    return {
      resource,
      resource_name: name,
      authorization_servers: authorizationServers,
      scopes_supported: [...new Set([...entries].flatMap(scopesOf))].toSorted(),
      bearer_methods_supported: ['header'],
    }
  }

  /**
   * Returns what the token of a caller grants.
   *
   * @param field - the header field `Authorization`
   * @throws McpRefusal `CLO_ERR_MCP_TOKEN`
   */
  async admit(field: string | undefined): Promise<McpGrant> {
    const code = 'CLO_ERR_MCP_TOKEN'
    if (field === undefined) throw new McpRefusal(401, code, 'a token is needed', this.#challenge({}))
    const [, token] = /^bearer +(\S+) *$/i.exec(field) ?? []
    const given: unknown = token === undefined ? null : await this.#options.verify(token)
    const grant = given === null || given === undefined || given === false ? null : checkGrant(given)
    if (grant !== null && [grant.audience].flat().includes(this.#options.resource)) return grant
    const challenge = this.#challenge({ error: 'invalid_token' })
    throw new McpRefusal(401, code, 'the token is not valid for this resource', challenge)
  }

  /** Returns the refusal of a tool or resource whose scopes a token does not grant; otherwise `null`. */
  refusalOf(entry: Guarded, { scopes }: McpGrant): McpRefusal | null {
    const needed = scopesOf(entry)
    const missing = needed.filter((scope) => !scopes.includes(scope))
    if (missing.length === 0) return null
    const message = `'${entry.name}' needs the scope ${missing.join(' ')}`
    // Clients ask for these scopes instead of those that they have.
    const scope = [...new Set([...scopes.filter((one) => SCOPE.test(one)), ...needed])].join(' ')
    const challenge = this.#challenge({ error: 'insufficient_scope', scope })
    return new McpRefusal(403, 'CLO_ERR_MCP_SCOPE', message, challenge)
  }

  /** Whether the list for a caller has a tool or resource. */
  lists(entry: Guarded, grant: McpGrant): boolean {
    return this.#options.listAdmitted !== true || this.refusalOf(entry, grant) === null
  }

  /** Adds the place of the metadata to the challenge of a route, from which clients find the authorization server. */
  withMetadata(refusal: Response): Response {
    const challenge = refusal.headers.get('www-authenticate') ?? 'Bearer'
    if (!/^bearer\b/i.test(challenge) || /\bresource_metadata=/i.test(challenge)) return refusal
    const headers = new Headers(refusal.headers)
    const separator = /^bearer *$/i.test(challenge) ? ' ' : ', '
    headers.set('www-authenticate', `${challenge.trimEnd()}${separator}resource_metadata="${this.#metadata}"`)
    return new Response(refusal.body, { status: refusal.status, headers })
  }

  #challenge(fields: Readonly<Record<string, string>>): string {
    const all = Object.entries({ ...fields, resource_metadata: this.#metadata })
    return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`
  }
}

/**
 * Checks what `verify` returned: in a text of scopes, a scope would be found within another.
 *
 * @throws McpError `CLO_ERR_MCP_OPTION`
 */
function checkGrant(given: unknown): McpGrant {
  const { audience, scopes }: Readonly<Record<string, unknown>> = isRecord(given) ? given : {}
  const isForWhom = (value: unknown): value is McpGrant['audience'] =>
    typeof value === 'string' || isTexts(value)
  if (isForWhom(audience) && isTexts(scopes)) return { audience, scopes }
  throw new McpError(
    'CLO_ERR_MCP_OPTION',
    "the function 'authorization.verify' of @cloister/mcp must return { audience, scopes }, with a list of texts as scopes, or null; split the member scope of a token at its spaces",
  )
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Returns the scopes that the guards of a tool or resource demand. */
function scopesOf({ guards }: Guarded): string[] {
  return [...new Set(guards.flatMap(({ guard }) => Object.values(guard?.security ?? {}).flat()))]
}

/** @throws McpError `CLO_ERR_MCP_OPTION` for a context whose prefix the path of the metadata would have */
export function checkPrefix(prefix: string): void {
  if (prefix === '') return
  throw new McpError(
    'CLO_ERR_MCP_OPTION',
    `options of @cloister/mcp: the metadata of 'authorization' stands at the root of the app, and this context has the prefix '${prefix}'; register the plugin in a context without one, with { path: '${prefix}/mcp' }`,
  )
}
