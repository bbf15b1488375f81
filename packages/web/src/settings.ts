import { compileCompression, type Compression } from './codings.ts'
import { CookieWriter } from './cookies.ts'
import { compileCors, type Cors } from './cors.ts'
import { compileDecompression, type Decompression } from './decompress.ts'
import { HEADER_SETS, headerSet, type HeaderSet } from './header-sets.ts'
import { compileLimit, MemoryStore, type InheritedLimit, type Limit } from './limit.ts'
import { assertRules, invalid, isRecord, isTexts, rule, RULES, defined } from './options.ts'
import { compileOrigins, type OriginTest } from './origins.ts'
import type { LimitOptions, WebOptions, WebParts, WebRouteOptions } from './types.ts'

/** What the plugin does for the requests of a route. */
export interface Settings {
  readonly headers: HeaderSet
  /** whether responses to requests with credentials must not be stored */
  readonly keepsPrivate: boolean
  readonly cors: Cors | null
  /** `null` if the check is switched off */
  readonly trusted: OriginTest | null
  readonly conditional: false | 'strong' | 'weak'
  readonly compression: Compression | null
  readonly decompression: Decompression | null
  readonly limit: Limit | null
  readonly version: WebRouteOptions['version'] | null
  readonly requireVersion: boolean
  /** whether a request is only checked for its sender: no limit, and no origin to test */
  readonly isQuiet: boolean
}

const isSwitch = (value: unknown): boolean => typeof value === 'boolean' || isRecord(value)

const PARTS = {
  headers: rule(
    `false, ${Object.keys(HEADER_SETS).join(', ')}, or an object of headers`,
    (value) =>
      value === false || isRecord(value) || (typeof value === 'string' && Object.hasOwn(HEADER_SETS, value)),
  ),
  cors: rule('false or an object', (value) => value === false || isRecord(value)),
  csrf: rule('true, false or an object', isSwitch),
  conditional: rule("true, false or 'weak'", (value) => typeof value === 'boolean' || value === 'weak'),
  compress: rule('true, false or an object', isSwitch),
  decompress: rule('false or an object', (value) => value === false || isRecord(value)),
  limit: rule('false or an object', (value) => value === false || isRecord(value)),
}

const OF_APP = {
  ...PARTS,
  origins: rule('a list of origins', Array.isArray),
  cookies: rule('an object', isRecord),
}
const OF_ROUTE = { ...PARTS, version: RULES.fn, requireVersion: RULES.flag }

/** The options of the plugin, and what follows from them for each route. */
export class WebSettings {
  readonly cookies: CookieWriter
  /** of routes without options of their own, and of requests without a route */
  readonly ofApp: Settings
  readonly #options: WebOptions
  readonly #isListed: OriginTest
  readonly #store = new MemoryStore()

  /** @throws WebOptionError for any option that is not valid */
  constructor(options: WebOptions) {
    assertRules(options, OF_APP, '')
    this.#options = options
    this.#isListed = compileOrigins(options.origins ?? [], 'origins')
    this.cookies = new CookieWriter(options.cookies ?? {})
    this.ofApp = this.#compile(options, 'app')
  }

  /**
   * @param route - with which a limit of its own counts
   * @throws WebOptionError
   */
  ofRoute(given: WebRouteOptions, route: string): Settings {
    assertRules(given, OF_ROUTE, 'web')
    const ofLimit = given.limit === undefined ? 'app' : route
    const merged = this.#compile({ ...this.#options, ...defined(given) }, ofLimit)
    const { version = null, requireVersion = false } = given
    return { ...merged, version, requireVersion }
  }

  #ofLimits(): InheritedLimit {
    const { limit = false } = this.#options
    const { store = this.#store, onStoreFailure }: Partial<LimitOptions> = limit === false ? {} : limit
    return { store, onStoreFailure }
  }

  #compile(given: WebParts, group: string): Settings {
    const { headers = 'api', cors = {}, csrf = true, conditional = true, limit = false } = given
    const ofCors = compileCors(cors, this.#options.origins ?? [], this.#isListed)
    return {
      headers: forCors(headerSet(headers), ofCors),
      keepsPrivate: headers === 'api' || isRecord(headers),
      cors: ofCors,
      trusted: trustedOf(csrf, this.#isListed),
      conditional: conditional === 'weak' ? 'weak' : conditional ? 'strong' : false,
      compression: compileCompression(given.compress ?? false),
      decompression: compileDecompression(given.decompress ?? {}),
      limit: limit === false ? null : compileLimit(limit, group, this.#ofLimits()),
      version: null,
      requireVersion: false,
      isQuiet: limit === false && ofCors?.isTested !== true,
    }
  }
}

/** A page of another origin that may read a response needs its resource, too. */
function forCors(set: HeaderSet, cors: Cors | null): HeaderSet {
  const name = 'cross-origin-resource-policy'
  return cors !== null && set[name] === 'same-origin' ? { ...set, [name]: 'cross-origin' } : set
}

function trustedOf(csrf: WebParts['csrf'], isListed: OriginTest): OriginTest | null {
  if (csrf === false) return null
  if (csrf === undefined || csrf === true) return isListed
  assertRules(csrf, { trust: rule('a list of origins', isTexts) }, 'csrf')
  const isTrusted = compileOrigins(csrf.trust ?? [], 'csrf.trust')
  if (csrf.trust !== undefined && csrf.trust.length === 0)
    throw invalid('csrf.trust', 'a list of at least one origin', [])
  return (origin) => isListed(origin) || isTrusted(origin)
}
