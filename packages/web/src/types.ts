import type { CloisterReply, CloisterRequest } from 'cloister'

/** A request, as the functions in the options get it. */
export type WebRequest = Pick<
  CloisterRequest,
  'method' | 'url' | 'headers' | 'ip' | 'host' | 'params' | 'query'
>

/** A period: milliseconds, or a text such as `'30s'`, `'1m'`, `'1h'` or `'1d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** Who may read responses from pages of other origins (Fetch section 3.3). */
export interface CorsOptions {
  /**
   * Whether pages may send cookies and read the response.
   *
   * @default false
   */
  readonly credentials?: boolean
  /**
   * Which origins may read: those in `origins`, all, or those that a function accepts.
   *
   * @default 'list'
   */
  readonly origin?: 'list' | '*' | ((origin: string, request: WebRequest) => boolean | Promise<boolean>)
  /**
   * The methods that a preflight allows: those that the path has routes for, or a list.
   *
   * @default 'routes'
   */
  readonly methods?: 'routes' | readonly string[]
  /**
   * The headers that a preflight allows: those that it asks for, or a list.
   *
   * @default 'requested'
   */
  readonly headers?: 'requested' | readonly string[]
  /** The headers of responses that pages may read, besides the common ones. */
  readonly expose?: readonly string[]
  /**
   * How long browsers keep the result of a preflight, in seconds.
   *
   * @default 600
   */
  readonly maxAge?: number
}

/** The attributes of a cookie (RFC 6265bis section 4.1.2). */
export interface CookieOptions {
  /** The host that gets the cookie, and its sub-domains; without it, only this host. */
  readonly domain?: string
  /** When it expires; without `maxAge`, it else ends with the browser's session. */
  readonly expires?: Date
  /**
   * Whether scripts of pages can't read it.
   *
   * @default true
   */
  readonly httpOnly?: boolean
  /** Its life in seconds. */
  readonly maxAge?: number
  /** Keeps a cookie of embedded pages apart for each site that embeds them (CHIPS). */
  readonly partitioned?: boolean
  /**
   * The paths that get it.
   *
   * @default '/'
   */
  readonly path?: string
  /**
   * Which requests from other sites carry it.
   *
   * @default 'lax'
   */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /**
   * Whether only encrypted connections carry it.
   *
   * @default true
   */
  readonly secure?: boolean
  /**
   * Whether the value is signed.
   *
   * @default true for names that a schema of cookies marks with `x-signed`
   */
  readonly signed?: boolean
}

/** The keys and defaults of cookies. */
export interface CookieSettings {
  /** The keys of signatures. The first one signs; all verify, so that keys can be exchanged. */
  readonly keys?: readonly (string | Uint8Array | undefined)[]
  /** Accepts the signatures of `@fastify/cookie` until a date. */
  readonly accept?: { readonly fastify: Date }
  /** The attributes of cookies that a call does not state. */
  readonly defaults?: CookieOptions
  /**
   * The attributes of cookies by name, which a call does not have to repeat. A cookie that is signed again after a key was
   * replaced gets these, so state them here if they differ from `defaults`.
   *
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   * import { web } from '@cloister/web'
   *
   * const app = cloister()
   * const keys = [process.env['NEW_KEY'], process.env['OLD_KEY']]
   * await app.register(web, { cookies: { keys, attributes: { sid: { path: '/app', maxAge: 86_400 } } } })
   * ```
   */
  readonly attributes?: Readonly<Record<string, CookieOptions>>
}

/** Which responses are compressed, and how. */
export interface CompressOptions {
  /**
   * The codings, by preference.
   *
   * @default ['zstd', 'br', 'gzip'], without those that the run time lacks
   */
  readonly codings?: readonly ('zstd' | 'br' | 'gzip')[]
  /**
   * The smallest content that is compressed, in bytes.
   *
   * @default 1024
   */
  readonly above?: number
  /** Which media types are compressed; by default texts, JSON, XML, scripts and SVG. */
  readonly types?: (type: string) => boolean
  /**
   * Whether requests with cookies that pages of other sites send get compressed responses. Such pages can measure their
   * length, and guess secrets in them (BREACH).
   *
   * @default false
   */
  readonly crossSite?: boolean
}

/** Which content codings of request bodies are decoded. */
export interface DecompressOptions {
  /**
   * The codings.
   *
   * @default ['gzip', 'br', 'zstd'], without those that the run time lacks
   */
  readonly codings?: readonly ('zstd' | 'br' | 'gzip' | 'deflate')[]
  /**
   * How many times larger than the received body the decoded one may be, from 64 KiB on.
   *
   * @default 100
   */
  readonly ratio?: number
}

/** The rule of a limit for its store. */
export interface LimitRule {
  /** the most requests at once */
  readonly max: number
  /** the milliseconds in which as many requests become free again */
  readonly perMs: number
}

/** What a store says about a request. */
export interface LimitState {
  /** Whether the request is within the limit. */
  readonly allowed: boolean
  /** How many further requests are within it now. */
  readonly remaining: number
  /** The milliseconds until a refused request would be allowed; for an allowed one, until all requests are free again. */
  readonly resetMs: number
}

/** Counts requests, for one process or for many: also a state of `@cloister/state`. */
export interface LimitStore {
  /** Takes `cost` requests of a key, or none if that would exceed the rule. */
  take(key: string, cost: number, rule: LimitRule): LimitState | Promise<LimitState>
}

/** How many requests a client may send. */
export interface LimitOptions {
  /** The most requests at once. */
  readonly max: number
  /** The period in which as many requests become free again, evenly. */
  readonly per: Duration
  /**
   * The client: its address (`request.ip`, IPv6 by its /64 network), or the text of a function. Requests without a text
   * are not limited.
   *
   * @default 'address'
   */
  readonly by?: 'address' | ((request: WebRequest) => string | null | undefined)
  /** Routes with the same group share one limit. By default the app has one, and each route with its own limit another. */
  readonly group?: string
  /**
   * Where requests are counted. The limit of a route has the store of the app's limit, if it has none itself.
   *
   * @default a store in the memory of this process
   */
  readonly store?: LimitStore
  /**
   * What happens to requests while the store fails. The limit of a route does what the app's limit does, if it does not
   * say it itself.
   *
   * @default 'allow'
   */
  readonly onStoreFailure?: 'allow' | 'refuse'
  /**
   * Whether responses have the fields `RateLimit` and `RateLimit-Policy`.
   *
   * @default false
   */
  readonly fields?: boolean
}

/** The parts that a route can change. `false` switches one off. */
export interface WebParts {
  /**
   * The security headers: a set, or changes to the set `'api'` by name, where `false` omits one.
   *
   * @default 'api'
   */
  readonly headers?: false | 'api' | 'html' | 'helmet' | Readonly<Record<string, string | false>>
  /** Cross-origin resource sharing. Without `origins`, no page of another origin may read. */
  readonly cors?: false | CorsOptions
  /**
   * Refuses requests that change something and come from pages of other origins; `trust` lists origins that may send
   * them, besides `origins`.
   *
   * @default true
   */
  readonly csrf?: boolean | { readonly trust?: readonly string[] }
  /**
   * Gives complete responses to GET, HEAD and QUERY with the status 200 an entity tag, and responds with 304 to clients
   * that have them (RFC 9110 section 13).
   *
   * @default true
   */
  readonly conditional?: boolean | 'weak'
  /**
   * Compresses responses.
   *
   * @default false
   */
  readonly compress?: boolean | CompressOptions
  /** Decodes request bodies; others with a content coding are a 415. */
  readonly decompress?: false | DecompressOptions
  /**
   * Limits how many requests a client may send.
   *
   * @default false
   */
  readonly limit?: false | LimitOptions
}

/** Options of the plugin. */
export interface WebOptions extends WebParts {
  /**
   * The origins of pages that may read responses (CORS) and send requests that change something: exact ones, ones with
   * `*.` for one or more labels before the rest of the host, or expressions with `^` and `$`.
   *
   * @default []
   */
  readonly origins?: readonly (string | RegExp)[]
  /** Keys and defaults of cookies. */
  readonly cookies?: CookieSettings
}

/** The option `web` of a route. */
export interface WebRouteOptions<Request = WebRequest> extends WebParts {
  /**
   * Returns the version of the resource before the handler runs, or nothing if there is none. A request whose
   * preconditions do not hold is a 412 (or a 304), and the handler does not run.
   */
  readonly version?: (request: Request) => string | null | undefined | Promise<string | null | undefined>
  /**
   * Whether requests that change the resource must have `If-Match` or `If-None-Match`; others are a 428 (RFC 6585).
   *
   * @default false
   */
  readonly requireVersion?: boolean
}

/** What the plugin gives to replies. */
export interface WebReply {
  /**
   * Sets a cookie, with `Secure`, `HttpOnly`, `SameSite=Lax` and `Path=/` unless the options say otherwise.
   *
   * @throws {@link WebOptionError} `CLO_ERR_WEB_COOKIE` for a cookie that no browser would keep
   */
  setCookie(name: string, value: string, options?: CookieOptions): CloisterReply
  /**
   * Removes a cookie from the browser; `domain` and `path` must be those it was set with.
   *
   * @throws {@link WebOptionError} `CLO_ERR_WEB_COOKIE`
   */
  clearCookie(name: string, options?: CookieOptions): CloisterReply
  /** Returns the nonce that scripts and styles of this page need, and adds it to the content security policy. */
  cspNonce(): string
  /** Adds names to the `Vary` field. */
  vary(...names: string[]): CloisterReply
  /** Sets the entity tag of the response from a version of the resource. */
  version(tag: string): CloisterReply
}

declare module 'cloister' {
  /** The option of this package. */
  interface RouteShorthandOptions {
    /** The parts of `@cloister/web` that the route changes for itself. */
    readonly web?: WebRouteOptions
  }
}
