import { WebOptionError } from './errors.ts'
import { assertRules, isTexts, isToken, rule, RULES } from './options.ts'
import type { OriginTest } from './origins.ts'
import type { CorsOptions, WebRequest } from './types.ts'

/** A checked option `cors`. */
export interface Cors {
  readonly credentials: boolean
  /** the origins that need no test: their fields are decided at boot */
  readonly exact: readonly string[]
  /** whether other origins need a test */
  readonly isTested: boolean
  /** `'*'` admits every origin without looking at it */
  readonly admits: '*' | ((origin: string, request: WebRequest) => boolean | Promise<boolean>)
  readonly methods: 'routes' | readonly string[]
  readonly headers: 'requested' | readonly string[]
  readonly expose: string
  readonly maxAge: string
}

const areTokens = (value: unknown): boolean => isTexts(value) && value.every(isToken)

const OPTIONS = {
  credentials: RULES.flag,
  origin: rule(
    "'list' (the origins of the option 'origins'), '*' or a function",
    (value) => value === 'list' || value === '*' || typeof value === 'function',
  ),
  methods: rule("'routes' or a list of methods", (value) => value === 'routes' || areTokens(value)),
  headers: rule("'requested' or a list of names", (value) => value === 'requested' || areTokens(value)),
  expose: rule('a list of names', areTokens),
  maxAge: RULES.count,
}

/**
 * Checks the option `cors`.
 *
 * @returns `null` if no page of another origin may read
 * @throws WebOptionError for `'*'` or `'null'` with credentials, which browsers refuse or anyone can have
 */
export function compileCors(
  given: false | CorsOptions,
  origins: readonly (string | RegExp)[],
  isListed: OriginTest,
): Cors | null {
  if (given === false) return null
  assertRules(given, OPTIONS, 'cors')
  const { credentials = false, origin = 'list', methods = 'routes', headers = 'requested' } = given
  if (origin === 'list' && origins.length === 0) return null
  if (credentials && origin === '*')
    throw conflict("cors.origin '*'", 'browsers refuse the response (Fetch, 3.3.5); list the origins')
  if (credentials && origin === 'list' && origins.includes('null'))
    throw conflict("the origin 'null'", 'any page can have it, in a sandboxed frame; leave it out')
  const exact =
    origin === 'list' ? origins.filter((one) => typeof one === 'string' && !one.includes('*')) : []
  return {
    credentials,
    exact: exact.map(String),
    isTested: typeof origin === 'function' || (origin === 'list' && exact.length < origins.length),
    admits: origin === 'list' ? isListed : origin === '*' ? '*' : guardNull(origin, credentials),
    methods,
    headers,
    expose: (given.expose ?? []).join(', '),
    maxAge: String(given.maxAge ?? 600),
  }
}

function guardNull(
  admits: (origin: string, request: WebRequest) => boolean | Promise<boolean>,
  credentials: boolean,
): Exclude<Cors['admits'], '*'> {
  return (origin, request) => (credentials && origin === 'null' ? false : admits(origin, request))
}

function conflict(what: string, why: string): WebOptionError {
  return new WebOptionError('CLO_ERR_WEB_OPTION', `${what} is not possible with cors.credentials: ${why}`)
}

/** What is read of a request, and written to a reply. */
export interface CorsReply {
  header(name: string, value: string): unknown
  vary(...names: string[]): unknown
}

/** The fields of a response that a page of another origin may read (Fetch section 3.3.3). */
export function allowed({ credentials, expose }: Cors, origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    ...(credentials ? { 'access-control-allow-credentials': 'true' } : {}),
    ...(expose === '' ? {} : { 'access-control-expose-headers': expose }),
  }
}

/** Sets the fields of the response to a preflight (Fetch section 3.3.5). */
export function allowPreflight(
  { methods, headers, maxAge }: Cors,
  ofRoutes: readonly string[],
  requested: unknown,
  reply: CorsReply,
): void {
  reply.header('access-control-allow-methods', (methods === 'routes' ? ofRoutes : methods).join(', '))
  const names = headers === 'requested' ? requestedNames(requested) : headers
  if (headers === 'requested') reply.vary('Access-Control-Request-Headers')
  if (names.length > 0) reply.header('access-control-allow-headers', names.join(', '))
  reply.header('access-control-max-age', maxAge)
}

function requestedNames(field: unknown): string[] {
  if (typeof field !== 'string') return []
  return field
    .split(',')
    .map((one) => one.trim())
    .filter(isToken)
}
