// Made by `npm run docs:options` from the rows in packages/cloister/src/options/rows. Do not edit.
import type { ServerOptions as HttpServerOptions } from 'node:http'
import type { SecureServerOptions } from 'node:http2'
import type { ServerOptions as HttpsServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { SchemaControllerOptions, SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from './compilers.ts'
import type { CaughtError } from './errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from './fastify/interfaces.ts'
import type { BaseLogger, ChildLoggerFactory, LogLevel, LoggerConfig, RequestLogController } from './logger.ts'
import type { AjvOptions, ConnectionError, ServerHandler, TrustedHops, ValidationTranslation, ValidationTranslator } from './options.ts'
import type { RawReplyOf, RawRequestOf, RawServer } from './raw.ts'
import type { ConstraintStrategy, RouteConstraints } from './route-options.ts'
import type { RouteUpgrade } from './upgrade.ts'

/** Options of the router. The factory accepts them directly and in `routerOptions`. */
export interface RouterOptions {
  /**
   * Treats `/a` and `/a/` as one path.
   *
   * @default false
   */
  ignoreTrailingSlash?: boolean
  /**
   * Treats `//a` and `/a` as one path.
   *
   * @default false
   */
  ignoreDuplicateSlashes?: boolean
  /**
   * Distinguishes upper and lower case in paths. With `false`, values of parameters keep their case.
   *
   * @default true
   */
  caseSensitive?: boolean
  /**
   * Allows regular expressions in paths that `safe-regex2` rejects: a repeated group with a repetition in it, or
   * many repetitions. They run in linear time, unless they have lookarounds or backreferences.
   *
   * @default false
   */
  allowUnsafeRegex?: boolean
  /**
   * Starts the query string at `;` too, not only at `?`.
   *
   * As in Fastify 4.x (5.x: `false`).
   *
   * @default true
   */
  useSemicolonDelimiter?: boolean
  /**
   * Limits the length of a path parameter; a path with a longer one matches no route.
   *
   * Unit: characters.
   *
   * @default 100
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 1
   */
  maxParamLength?: number
  /**
   * Handles requests with a path parameter longer than `maxParamLength`, with Node's request and response.
   *
   * From Fastify 5.x.
   *
   * @default null
   */
  onMaxParamLength?: (path: string, request: RawRequestOf, reply: RawReplyOf) => void
  /**
   * Handles requests whose path cannot be decoded, with Node's request and response; the default sends 400.
   *
   * From Fastify 5.x.
   *
   * @default null
   */
  onBadUrl?: (path: string, request: RawRequestOf, reply: RawReplyOf) => void
  /**
   * Handles requests that match no route, with Node's request and response, before hooks and not-found handlers.
   *
   * From Fastify 5.x.
   *
   * @default null
   */
  defaultRoute?: (request: RawRequestOf, reply: RawReplyOf) => void
  /**
   * Returns the properties of a route that `printRoutes({ includeMeta: true })` prints.
   *
   * From Fastify 5.x.
   *
   * @default null
   */
  buildPrettyMeta?: (route: never) => object
  /**
   * Has no effect; accepted for apps that set it.
   *
   * From Fastify 5.x.
   *
   * @default false
   */
  compile?: boolean
  /**
   * Adds constraint strategies by name, which select between routes with the same path.
   *
   * @default null
   */
  constraints?: { readonly [name: string]: ConstraintStrategy<unknown, unknown> }
  /**
   * Parses query strings. The default parser returns an array for a repeated name.
   *
   * @default null
   * @throws `CLO_ERR_QSP_NOT_FN` unless it is a function
   * @example
   * ```ts
   * cloister({ querystringParser: (query) => Object.fromEntries(new URLSearchParams(query)) })
   * ```
   */
  querystringParser?: (query: string) => { [key: string]: unknown }
}

/** Options of the factory, without those that hold other options. */
export interface FactoryOptions<Raw extends RawServer = RawServer> extends RouterOptions {
  /**
   * Sets the safe value of every option that says "with `strict`"; recommended for new apps. Explicit options
   * override it, but a `trustProxy` that trusts every client is an error. With `'report'` the app behaves as without
   * `strict`, and `app.report()` counts what `strict` would refuse, see moving to strict.
   *
   * Not in Fastify.
   *
   * @default false
   * @example
   * ```ts
   * cloister({ strict: true })
   * ```
   */
  strict?: boolean | 'report'
  /**
   * Sets options of Node's `http.createServer`.
   *
   * @default null
   * @example
   * ```ts
   * cloister({ http: { maxHeaderSize: 32_768 } })
   * ```
   */
  http?: HttpServerOptions | null
  /**
   * Serves HTTPS with these options of Node's TLS server. With `http2`, `allowHTTP1: true` also accepts HTTP/1.1.
   *
   * @default null
   * @example
   * ```ts
   * cloister({ https: { key: '…', cert: '…' } })
   * ```
   */
  https?: HttpsServerOptions | SecureServerOptions | null
  /**
   * Serves HTTP/2: over TLS if `https` is set, otherwise in clear text (RFC 9113).
   *
   * @default false
   */
  http2?: boolean
  /**
   * Limits the time that an HTTP/2 session may be without requests before it is closed.
   *
   * Unit: milliseconds. As in Fastify 4.x; in Fastify, pings keep it open.
   *
   * @default 72000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0
   */
  http2SessionTimeout?: number
  /**
   * Selects what serves HTTP/1.1: `'auto'` the engine of `@cloister/wire`, or `node:http` if something needs it;
   * `'node'` always `node:http`. `app.transport` has the choice and its reason. The environment variable
   * `CLOISTER_TRANSPORT` (`auto` or `node`) overrides the option.
   *
   * Not in Fastify.
   *
   * @default "auto"
   * @example
   * ```ts
   * cloister({ transport: 'node' })
   * ```
   */
  transport?: 'auto' | 'node'
  /**
   * Limits the time that a connection may be without traffic while a request is open before it is closed; 0 sets no
   * limit. Between two requests `keepAliveTimeout` is the limit. It has no effect over HTTP/2.
   *
   * Unit: milliseconds.
   *
   * @default 0
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0
   */
  connectionTimeout?: number
  /**
   * Limits the time that a connection waits for its next request before it is closed.
   *
   * Unit: milliseconds.
   *
   * @default 72000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0
   */
  keepAliveTimeout?: number
  /**
   * Limits the time until the head of a request has arrived; later, the status is 408. The engine checks every 250
   * ms, `node:http` every 2 seconds. `http.headersTimeout` overrides this option; 0 sets no limit. Over HTTP/2, a
   * session with open streams that has been silent for this time gets a PING, and is closed if it doesn't
   * acknowledge it within this time.
   *
   * Unit: milliseconds. Differs from Fastify 4.x: in Fastify 60 seconds, checked every 30.
   *
   * @default 10000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0
   */
  headersTimeout?: number
  /**
   * Limits the time until a request and its body have arrived; later, the status is 408. 0 sets no limit.
   *
   * Unit: milliseconds. Differs from Fastify 4.x: 0 in Fastify, so a slow client can hold its connection forever.
   *
   * @default 300000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0
   */
  requestTimeout?: number
  /**
   * Closes the connection of a client that reads nothing of its response for this time; each byte that it reads
   * restarts it. The same limit applies to a body that the application leaves unread after its response, since it
   * holds back the next request. Over HTTP/2 the limit applies to the session, and each stream must take 64 KiB in
   * this time. 0 sets no limit.
   *
   * Unit: milliseconds. Differs from Fastify 4.x: in Fastify, such a client can hold its response forever.
   *
   * @default 30000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0 and at most 2147483647
   */
  writeTimeout?: number
  /**
   * Limits the header lines of a request. A request with more lines gets status 431. 0 sets no limit.
   *
   * Unit: header lines. Differs from Fastify 4.x: in Fastify, lines after the first 1,000 are dropped.
   *
   * @default 1000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0
   */
  maxHeadersCount?: number
  /**
   * Limits the requests of one connection; 0 sets no limit.
   *
   * Unit: requests.
   *
   * @default 0
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0
   */
  maxRequestsPerSocket?: number
  /**
   * Sets what `close` does to open connections: `true` closes all, `'idle'` those without a request, `false` none.
   *
   * @default "idle"
   */
  forceCloseConnections?: boolean | 'idle'
  /**
   * Limits the time that `close` waits for requests, upgraded connections and hooks. Then it closes the connections,
   * and logs each hook that has not ended. 0 sets no limit.
   *
   * Unit: milliseconds. Differs from Fastify 4.x: in Fastify, a stuck client keeps `close` waiting.
   *
   * @default 10000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0 and at most 2147483647
   */
  closeGraceMs?: number
  /**
   * Sends 503 to requests that arrive while the app closes. An app that `@cloister/operate` has drained serves them.
   *
   * @default true
   */
  return503OnClosing?: boolean
  /**
   * Creates Node's server from the request listener and all options; options about connections are then up to this
   * function.
   *
   * @default null
   * @example
   * ```ts
   * cloister({ serverFactory: (handler) => http.createServer(handler) })
   * ```
   */
  serverFactory?: (handler: ServerHandler, options: Record<string, unknown>) => Raw
  /**
   * Handles malformed requests, on the socket itself.
   *
   * @default null
   * @example
   * ```ts
   * cloister({ clientErrorHandler: (error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') })
   * ```
   */
  clientErrorHandler?: (error: ConnectionError, socket: Socket) => void
  /**
   * Names the proxies trusted to set `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto`: addresses,
   * ranges and the names `loopback`, `linklocal` and `uniquelocal`, as a list or separated by commas; `{ hops, from
   * }`, at most that many proxies within the addresses `from`; a function of address and hop; `true` for every
   * address. A number alone trusts that many hops, even a client that connects directly. `strict` rejects `true` and
   * a number alone. More.
   *
   * Differs from Fastify 4.x: forwarded host and protocol count only if the connecting address is trusted, and only
   * if they are a valid host and protocol; 5.x trusts no client by a number.
   *
   * @default false
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is a boolean or a non-empty string or an integer of at least 0 or an array of strings or an object { hops: number, from: addresses } or a function
   * @example
   * ```ts
   * cloister({ trustProxy: { hops: 2, from: ['10.0.0.0/8', '::1'] } })
   * ```
   */
  trustProxy?: boolean | string | number | readonly string[] | TrustedHops | ((address: string, hop: number) => boolean)
  /**
   * Limits the time that a plugin may take to load; the error names what the plugin waits for. 0 sets no limit.
   *
   * Unit: milliseconds.
   *
   * @default 10000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0 and at most 2147483647
   */
  pluginTimeout?: number
  /**
   * Limits the time until the response head is sent; then the client gets the status 503 and `request.signal` is
   * aborted. 0 sets no limit. Routes can set their own. With `strict`: `30000`.
   *
   * Unit: milliseconds. From Fastify 5.x.
   *
   * @default 0
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0 and at most 2147483647
   * @example
   * ```ts
   * cloister({ handlerTimeout: 5_000 })
   * ```
   */
  handlerTimeout?: number
  /**
   * Sends a comment on a generator's event stream that has been silent for this time, so that no proxy closes it. 0
   * sends none. Routes can set their own.
   *
   * Unit: milliseconds. Not in Fastify.
   *
   * @default 15000
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 0 and at most 2147483647
   * @example
   * ```ts
   * cloister({ heartbeatMs: 30_000 })
   * ```
   */
  heartbeatMs?: number
  /**
   * Sets what `await` does with an unsent reply: `'wait'` waits for its response, so an awaited helper that returns
   * the reply never continues; `'continue'` continues. With both, handlers and hooks that send later must return the
   * reply. With `strict`: `"continue"`.
   *
   * Differs from Fastify 4.x: waits.
   *
   * @default "wait"
   * @example
   * ```ts
   * cloister({ unsentReply: 'continue' })
   * ```
   */
  unsentReply?: 'wait' | 'continue'
  /**
   * Adds a HEAD route for each GET route.
   *
   * @default true
   */
  exposeHeadRoutes?: boolean
  /**
   * Responds to a method that a path has no route for with 405 and the methods that it has in `Allow`, and to
   * `OPTIONS` with 204 (RFC 9110 sections 15.5.6 and 9.3.7). Without it, the not-found handler responds. With
   * `strict`: `true`.
   *
   * Not in Fastify.
   *
   * @default false
   */
  methodNotAllowed?: boolean
  /**
   * Refuses a request whose `Accept` excludes all media types that the route declares for success (`content` of its
   * response schemas) with 406 before its body is read (RFC 9110 section 15.5.7), and names the media types that the
   * route reads in `Accept` of a 415 (section 15.5.16), in `Accept-Patch` for PATCH (RFC 5789) and in `Accept-Query`
   * for QUERY (RFC 10008). Without it, such a route sends its first type. With `strict`: `true`.
   *
   * Not in Fastify.
   *
   * @default false
   */
  contentNegotiation?: boolean
  /**
   * Sets what happens to an unknown route option. `'allow'` accepts it for plugins, unless its name is close to a
   * known one; `'refuse'` makes it an error; a list names the options of plugins. With `strict`: `"refuse"`.
   *
   * Not in Fastify.
   *
   * @default "allow"
   * @example
   * ```ts
   * cloister({ unknownRouteOptions: ['websocket'] })
   * ```
   */
  unknownRouteOptions?: 'allow' | 'refuse' | readonly string[]
  /**
   * Sets what happens to a route, a not-found handler, or the options of a plugin, with a hook, an error handler or
   * a compiler that is `undefined`, such as a misspelt import, or a decorator that does not exist yet. An undefined
   * hook runs nothing, and an undefined handler leaves the work to another: `'warn'` emits the process warning
   * `CLO_WRN_HOOK_MISSING`, or `CLO_WRN_PLUGIN_HOOK_MISSING` for a plugin, `'refuse'` makes it an error. The same
   * holds for `setReplySerializer`, `setGenReqId` and `setSchemaController` with `undefined` or `null`, which change
   * nothing (`CLO_WRN_SETTING_MISSING`). For none, leave the option out; for no hook, `[]` does too. Routes and
   * registrations of installed packages are not looked at. With `strict`: `"refuse"`.
   *
   * Differs from Fastify 4.x: not noticed.
   *
   * @default "warn"
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID`
   * @example
   * ```ts
   * cloister({ undefinedHooks: 'refuse' })
   * ```
   */
  undefinedHooks?: 'warn' | 'refuse'
  /**
   * Returns the target to route; `request.originalUrl` keeps the received one.
   *
   * As in Fastify 4.x; if it throws, the response has status 500.
   *
   * @default null
   * @example
   * ```ts
   * cloister({ rewriteUrl: (request) => (request.url ?? '/').replace(/^\/v1/, '') })
   * ```
   */
  rewriteUrl?: (this: FastifyInstance, request: RawRequestOf) => string
  /**
   * Limits the size of a body that the framework reads (JSON, text, parsers with `parseAs`); a larger one gets the
   * status 413. Parsers can set their own; one without `parseAs` reads the stream without this limit. Routes can set
   * their own.
   *
   * Unit: bytes.
   *
   * @default 1048576
   * @throws `CLO_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT` unless it is an integer of at least 1
   * @example
   * ```ts
   * cloister({ bodyLimit: 5 * 1024 * 1024 })
   * ```
   */
  bodyLimit?: number
  /**
   * Limits the size of a body that is read line by line (`application/x-ndjson`, `application/jsonl`), in bytes.
   * `bodyLimit` limits each line. A larger body gets status 413. Routes can set their own.
   *
   * Unit: bytes. Not in Fastify.
   *
   * @default 104857600
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 1
   * @example
   * ```ts
   * cloister({ itemsLimit: 1024 ** 3 })
   * ```
   */
  itemsLimit?: number
  /**
   * Sets what happens to text of a request that is not Unicode: `'replace'` reads other characters in its place, as
   * in Fastify 4.x; `'utf-8'` refuses invalid UTF-8 and lone surrogates in bodies, forms, queries and items with
   * status 400, and a `charset` other than UTF-8 with 415. See what is refused. With `strict`: `"utf-8"`.
   *
   * Differs from Fastify 4.x: `'replace'`.
   *
   * @default "replace"
   * @example
   * ```ts
   * cloister({ bodyText: 'utf-8' })
   * ```
   */
  bodyText?: 'replace' | 'utf-8'
  /**
   * Sets what happens to a name that an object in a JSON body has twice: `'last'` keeps the last value, as in
   * Fastify 4.x; `'refuse'` sends 400 (RFC 7493). A query or form with a name twice has a list. With `strict`:
   * `"refuse"`.
   *
   * Differs from Fastify 4.x: `'last'`.
   *
   * @default "last"
   * @example
   * ```ts
   * cloister({ duplicateNames: 'refuse' })
   * ```
   */
  duplicateNames?: 'last' | 'refuse'
  /**
   * Sets what happens to a body with a `Content-Encoding` that no `preParsing` hook has decoded: `'ignore'` reads it
   * as it is, as in Fastify 4.x; `'refuse'` sends 415 with `Accept-Encoding`. Parsers of the application that take
   * bytes or a stream decode themselves. With `strict`: `"refuse"`.
   *
   * Differs from Fastify 4.x: `'ignore'`.
   *
   * @default "ignore"
   * @example
   * ```ts
   * cloister({ unknownEncodings: 'refuse' })
   * ```
   */
  unknownEncodings?: 'ignore' | 'refuse'
  /**
   * Sets what happens to a key `__proto__` in a JSON body, and to a name in a form with that step: `'error'` sends
   * 400, `'remove'` drops the key, `'ignore'` keeps it.
   *
   * @default "error"
   */
  onProtoPoisoning?: 'error' | 'remove' | 'ignore'
  /**
   * Sets what happens to `constructor.prototype` in a JSON body, and to a name in a form with the step
   * `constructor`, as in `onProtoPoisoning`.
   *
   * @default "error"
   */
  onConstructorPoisoning?: 'error' | 'remove' | 'ignore'
  /**
   * Accepts a schema that is only a list of properties, without `type` and `properties`.
   *
   * As in Fastify 4.x (5.x: removed).
   *
   * @default true
   */
  jsonShorthand?: boolean
  /**
   * Configures the default validator: `customOptions` for Ajv, `plugins` as functions or pairs of function and
   * options, `onCreate(ajv)`.
   *
   * @default {}
   * @throws `CLO_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ`
   * @throws `CLO_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR`
   * @example
   * ```ts
   * cloister({ ajv: { customOptions: { coerceTypes: 'array' } } })
   * ```
   */
  ajv?: AjvOptions
  /**
   * Configures the default serializer: `rounding` of integers, `largeArraySize`, `largeArrayMechanism`. Options that
   * do not change the output are ignored.
   *
   * @default {}
   * @example
   * ```ts
   * cloister({ serializerOpts: { rounding: 'ceil' } })
   * ```
   */
  serializerOpts?: { readonly [option: string]: unknown }
  /**
   * Replaces the store of shared schemas (`bucket`) and the factories of the compilers (`compilersFactory`).
   *
   * @default null
   * @throws `CLO_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN`
   */
  schemaController?: SchemaControllerOptions
  /**
   * Creates the error of a failed validation, from the violations and the part of the request.
   *
   * @default null
   * @throws `CLO_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN` unless it is a function that is not async
   * @example
   * ```ts
   * cloister({ schemaErrorFormatter: (errors, part) => new Error(`${part}: ${errors.length} mistakes`) })
   * ```
   */
  schemaErrorFormatter?: SchemaErrorFormatter
  /**
   * Sets the JSON Schema version of schemas without `$schema`. See dialects.
   *
   * From Fastify ours (draft-07 alone).
   *
   * @default "draft-07"
   * @example
   * ```ts
   * cloister({ jsonSchemaDialect: '2020-12' })
   * ```
   */
  jsonSchemaDialect?: 'draft-07' | '2020-12'
  /**
   * Sets when validators and serializers are compiled: `'auto'` on first use, after checking every schema at boot;
   * `'eager'` at boot.
   *
   * Not in Fastify.
   *
   * @default "auto"
   */
  schemaCompilation?: 'auto' | 'eager'
  /**
   * Sets whether validators and serializers are generated code: `'hot'` only for functions that are called often,
   * `'always'`, or `'never'`, the default in processes that forbid code generation from strings.
   *
   * Not in Fastify.
   *
   * @default "hot"
   * @example
   * ```ts
   * cloister({ codeGeneration: 'never' })
   * ```
   */
  codeGeneration?: 'hot' | 'always' | 'never'
  /**
   * Coerces values in JSON bodies to the types of their schemas. `false` requires these types; queries, params,
   * headers and forms are still coerced. With `strict`: `false`.
   *
   * Not in Fastify.
   *
   * @default true
   */
  coerceJsonBodies?: boolean
  /**
   * Sets which numbers of a request are integers. `'exact'` refuses, with status 400, an integer that a number does
   * not represent exactly (beyond 2^53 - 1, and -0), and a number in JSON that is too large or is read as another
   * integer. `'bigint'` is the same, but every value whose schema has `type: 'integer'` and `format: 'int64'` is a
   * bigint, from -2^63 to 2^63 - 1, see 64-bit integers. `'number'` reads the nearest number, as in Fastify 4.x.
   * With `strict`: `"exact"`.
   *
   * Differs from Fastify 4.x: `'number'`.
   *
   * @default "number"
   * @example
   * ```ts
   * cloister({ integers: 'exact' })
   * ```
   */
  integers?: 'number' | 'exact' | 'bigint'
  /**
   * Sets how payloads are converted to the types of their schemas: `'compat'` as in Fastify 4.x, `'strict'` makes
   * every lossy conversion an error, see serialization. Plugins and routes can set their own. With `strict`:
   * `"strict"`.
   *
   * Not in Fastify.
   *
   * @default "compat"
   */
  serialization?: 'compat' | 'strict'
  /**
   * Sets what happens to a `default` in the schema of a request part that the same schema refuses, such as `'x'` for
   * an integer, so that each request without the value gets a 400: `'warn'` emits the process warning
   * `CLO_WRN_DEFAULT_REFUSED`, `'refuse'` makes it an error. Types, constants and limits are compared. With
   * `strict`: `"refuse"`.
   *
   * Differs from Fastify 4.x: not noticed.
   *
   * @default "warn"
   * @throws `CLO_ERR_SCH_INVALID`
   * @example
   * ```ts
   * cloister({ refusedDefaults: 'refuse' })
   * ```
   */
  refusedDefaults?: 'warn' | 'refuse'
  /**
   * Sets which violations are reported for a union whose branches have a discriminating property: `'all'` those of
   * every branch, `'branch'` those of the branch that the property selects. With `strict`: `"branch"`.
   *
   * Not in Fastify.
   *
   * @default "all"
   */
  unionErrors?: 'all' | 'branch'
  /**
   * Sets where a union (`anyOf`, `oneOf`) removes undeclared properties: `'each'` in every branch that is tried,
   * even if it doesn't match; `'branch'` only those that no matching branch declares, and none in conditions (`if`,
   * `not`). It needs `removeAdditional: true`, the default, and has no effect on schemas that only Ajv can decide.
   * With `strict`: `"branch"`.
   *
   * Not in Fastify.
   *
   * @default "each"
   */
  unionRemoval?: 'each' | 'branch'
  /**
   * Limits the violations that one error reports; a union reports one per branch. Ajv's `allErrors` overrides it.
   * Schemas that only Ajv can decide report the first. With `strict`: `20`.
   *
   * Unit: errors. Not in Fastify.
   *
   * @default 1
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is an integer of at least 1
   * @example
   * ```ts
   * cloister({ validationErrorLimit: 20 })
   * ```
   */
  validationErrorLimit?: number
  /**
   * Translates the messages of violations: an object with a function for each language tag, such as those of
   * `ajv-i18n`, or one function of violations and request. `Accept-Language` selects from the object, and the
   * response has `Content-Language`. `keyword` and `params` stay the same.
   *
   * Not in Fastify.
   *
   * @default null
   * @example
   * ```ts
   * cloister({ validationMessages: { de: (issues) => issues.forEach((issue) => { issue.message = 'ist falsch' }) } })
   * ```
   */
  validationMessages?: ValidationTranslator | { readonly [language: string]: ValidationTranslation }
  /**
   * Sets when the library of a response schema (Zod, Valibot, …) validates payloads: `'needed'` if the schema has
   * checks or changes that a serializer doesn't make, such as formats, limits, refinements and transforms;
   * `'always'`; or `'never'`. A library without JSON Schema always validates. Routes can set their own. With
   * `strict`: `"always"`.
   *
   * Not in Fastify.
   *
   * @default "needed"
   * @example
   * ```ts
   * cloister({ validateResponses: 'always' })
   * ```
   */
  validateResponses?: 'needed' | 'always' | 'never'
  /**
   * Sets what happens to content whose status, or media type in a `content` map, the route's `response` schemas
   * don't declare: `'send'` sends it, `'log'` also logs a warning, `'error'` makes it an error with status 500.
   * Responses of error handlers, and of hooks before the handler, aren't checked. Routes can set their own. With
   * `strict`: `"error"`.
   *
   * Not in Fastify.
   *
   * @default "send"
   * @example
   * ```ts
   * cloister({ undeclaredStatuses: 'error' })
   * ```
   */
  undeclaredStatuses?: 'send' | 'log' | 'error'
  /**
   * Sets what `schema.cookies` of a route does: `'validate'` makes it a part of the request, as `request.cookies`;
   * `'document'` leaves it to documentation, as in 4.x.
   *
   * From Fastify `'document'`.
   *
   * @default "validate"
   * @example
   * ```ts
   * cloister({ cookieSchemas: 'document' })
   * ```
   */
  cookieSchemas?: 'validate' | 'document'
  /**
   * Sets by which of its two paths documents of `@cloister/openapi` name the route `/` below a prefix: `'no-slash'`
   * is `/prefix`, `'slash'` is `/prefix/`. `@cloister/fastify` sets `'slash'`.
   *
   * From Fastify `'slash'` in documents of `@fastify/swagger`.
   *
   * @default "no-slash"
   * @example
   * ```ts
   * cloister({ documentedTrailingSlash: 'slash' })
   * ```
   */
  documentedTrailingSlash?: 'no-slash' | 'slash'
  /**
   * Requires schemas of every route: for `params` if its path has some, `querystring`, `body` if its method has one,
   * and `response`; a list requires only those. If one is missing, the app doesn't start; the error lists all.
   * Routes can set their own.
   *
   * Not in Fastify.
   *
   * @default false
   * @throws `CLO_ERR_SCH_REQUIRED`
   * @example
   * ```ts
   * cloister({ requireSchemas: ['params', 'body', 'response'] })
   * ```
   */
  requireSchemas?: boolean | readonly ('params' | 'querystring' | 'body' | 'response')[]
  /**
   * Handles errors before a route is found, such as a path that can't be decoded.
   *
   * @default null
   */
  frameworkErrors?: (error: CaughtError, request: FastifyRequest, reply: FastifyReply) => unknown
  /**
   * Sends messages of unexpected errors (status 500 and above) to clients. Set it to `false` in production; the log
   * has them. With `strict`: `false`.
   *
   * Not in Fastify.
   *
   * @default true
   * @example
   * ```ts
   * cloister({ exposeErrors: process.env['NODE_ENV'] !== 'production' })
   * ```
   */
  exposeErrors?: boolean
  /**
   * Keeps what a reply says about caches when its request fails, as Fastify does. With `false`, an error response
   * has no `ETag`, `Last-Modified`, `Expires`, `CDN-Cache-Control` and `Surrogate-Control` that were set before the
   * error, and a `Cache-Control` without `no-store` or `no-cache` becomes `no-store`. Headers of the error itself,
   * and those that error handlers and `onSend` hooks set, are sent. With `strict`: `false`.
   *
   * Not in Fastify.
   *
   * @default true
   * @example
   * ```ts
   * cloister({ cacheErrors: false })
   * ```
   */
  cacheErrors?: boolean
  /**
   * Sends error responses as `application/problem+json` (RFC 9457), with a list of violations: `true` always,
   * `'accepted'` if the request's `Accept` allows that type. See errors. With `strict`: `"accepted"`.
   *
   * Not in Fastify.
   *
   * @default false
   * @example
   * ```ts
   * cloister({ problemDetails: true })
   * ```
   */
  problemDetails?: boolean | 'accepted'
  /**
   * Sets the URL to which the error's code is appended in the `type` of problem details. With `about:blank`, nothing
   * is appended, and `title` is the reason phrase of the status.
   *
   * Not in Fastify.
   *
   * @default "about:blank"
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is a non-empty string
   * @example
   * ```ts
   * cloister({ problemTypeBase: 'https://example.com/problems#' })
   * ```
   */
  problemTypeBase?: string
  /**
   * Sets the prefix of this app's error codes; `createErrorCodes` creates their constructors. `@cloister/fastify`
   * sets `'FST_ERR_'`.
   *
   * Not in Fastify.
   *
   * @default "CLO_ERR_"
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is a non-empty string
   */
  errorCodePrefix?: string
  /**
   * Sets the name of the root context in `app.pluginName`. `@cloister/fastify` sets `'fastify'`.
   *
   * From Fastify `'fastify'`.
   *
   * @default "root"
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is a non-empty string
   */
  rootPluginName?: string
  /**
   * Allows a context to set its error handler more than once.
   *
   * From Fastify 5.x.
   *
   * @default true
   */
  allowErrorHandlerOverride?: boolean
  /**
   * Turns on logging: `true`, options of pino (with `stream` or `file`), or a logger.
   *
   * @default false
   * @throws `CLO_ERR_LOG_INVALID_DESTINATION`
   * @throws `CLO_ERR_LOG_INVALID_LOGGER`
   * @example
   * ```ts
   * cloister({ logger: { level: 'info' } })
   * ```
   */
  logger?: boolean | LoggerConfig | BaseLogger
  /**
   * Sets a logger, instead of `logger`.
   *
   * From Fastify 5.x.
   *
   * @default undefined
   * @throws `CLO_ERR_LOG_INVALID_LOGGER_INSTANCE`
   * @throws `CLO_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED`
   */
  loggerInstance?: BaseLogger
  /**
   * Omits log lines about requests and their errors; a function decides per request.
   *
   * As in Fastify 4.x; the function is from 5.x.
   *
   * @default false
   * @example
   * ```ts
   * cloister({ disableRequestLogging: (request) => request.url === '/health' })
   * ```
   */
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean)
  /**
   * Writes the log lines about requests: an instance of `LogController`, or of a class that extends it.
   * `disableRequestLogging` and `requestIdLogLabel` are then options of its constructor.
   *
   * From Fastify 5.x.
   *
   * @default null
   * @throws `CLO_ERR_LOG_INVALID_LOG_CONTROLLER`
   */
  logController?: RequestLogController | undefined
  /**
   * Creates the logger of a request, from the parent logger, bindings, options and Node's request.
   *
   * From Fastify 5.x; 4.x has the setter.
   *
   * @default null
   */
  childLoggerFactory?: ChildLoggerFactory
  /**
   * Names the header of the request id. `false` ignores clients' ids; `true` is the default header.
   *
   * As in Fastify 4.x (5.x: `false`).
   *
   * @default "request-id"
   * @example
   * ```ts
   * cloister({ requestIdHeader: 'x-request-id' })
   * ```
   */
  requestIdHeader?: string | boolean
  /**
   * Sets the key of the request id in log lines.
   *
   * @default "reqId"
   * @throws `CLO_ERR_INIT_OPTS_INVALID` unless it is a non-empty string
   */
  requestIdLogLabel?: string
  /**
   * Generates the request id (`request.id`); the default ids are `req-1`, `req-2`, ….
   *
   * As in Fastify 4.x; if it throws, the error is logged and the request gets its default id.
   *
   * @default null
   * @example
   * ```ts
   * cloister({ genReqId: () => crypto.randomUUID() })
   * ```
   */
  genReqId?: (request: RawRequestOf) => string
}

/** Options of a route whose types do not depend on its schema. */
export interface PlainRouteOptions {
  /**
   * Runs the handler for invalid requests too, with `request.validationError` set.
   *
   * @default false
   */
  attachValidation?: boolean
  /**
   * Keeps the bytes of the body in `request.rawBody`, for signatures of webhooks. A body that a parser reads as a
   * stream gets the status 415.
   *
   * @default false
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID`
   */
  rawBody?: boolean
  /**
   * Switches requests that ask for it to another protocol: `take` gets their connection, after the hooks and the
   * validation of the route. Plugins such as `@cloister/websocket` use it.
   *
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID`
   */
  upgrade?: RouteUpgrade
  /**
   * Sets the compiler that turns the request schemas of this route into validators.
   *
   * @default the one of the context
   */
  validatorCompiler?: ValidatorCompiler<never>
  /**
   * Sets the compiler that turns the response schemas of this route into serializers.
   *
   * @default the one of the context
   */
  serializerCompiler?: SerializerCompiler<never>
  /**
   * Sets how payloads are converted to the types of their schemas; with `'strict'`, a lossy conversion is an error.
   *
   * @default the one of the context
   */
  serialization?: 'compat' | 'strict'
  /**
   * Sets the function that creates the error of a failed validation.
   *
   * @default the one of the context
   */
  schemaErrorFormatter?: SchemaErrorFormatter
  /**
   * Adds a HEAD route for this GET route.
   *
   * @default the option `exposeHeadRoutes` of the app
   */
  exposeHeadRoute?: boolean
  /**
   * Sets how the path `/` below a prefix is registered: as `/prefix/`, as `/prefix`, or as both.
   *
   * @default 'both'
   */
  prefixTrailingSlash?: 'slash' | 'no-slash' | 'both'
  /**
   * Sets constraints, which select between routes with the same path: `version`, `host`, and your own.
   *
   * @example
   * ```ts
   * app.get('/', { constraints: { version: '2.0.0' } }, () => 'two')
   * ```
   */
  constraints?: RouteConstraints
  /**
   * Sets the constraint `version`.
   *
   * @deprecated Use `constraints.version`.
   */
  version?: string
  /**
   * Sets the lowest level that is logged.
   *
   * @default the one of the context
   * @throws `CLO_ERR_ROUTE_LOG_LEVEL_INVALID`
   */
  logLevel?: LogLevel
  /**
   * Sets functions that convert values for the log, by property name.
   *
   * @default the one of the context
   */
  logSerializers?: { readonly [key: string]: (value: never) => unknown }
  /**
   * Sets the function that creates the loggers of requests to this route.
   *
   * @default the one of the context
   */
  childLoggerFactory?: ChildLoggerFactory
  /**
   * Limits the time until the response head is sent; then the client gets the status 503 and `request.signal` is
   * aborted.
   *
   * Unit: milliseconds.
   *
   * @default the option `handlerTimeout` of the app
   * @throws `CLO_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT` unless it is an integer of at least 1 and at most 2147483647
   */
  handlerTimeout?: number
  /**
   * Sends a comment on an event stream that has been silent for this time. 0 sends none.
   *
   * Unit: milliseconds.
   *
   * @default the option `heartbeatMs` of the app
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID` unless it is an integer of at least 0 and at most 2147483647
   */
  heartbeatMs?: number
  /**
   * Limits the size of the body, also for parsers that read the stream; a larger one gets the status 413.
   *
   * Unit: bytes.
   *
   * @default the option `bodyLimit` of the app
   * @throws `CLO_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT` unless it is an integer of at least 1
   */
  bodyLimit?: number
  /**
   * Limits the size of a body that is read line by line, in bytes. `bodyLimit` limits each line.
   *
   * Unit: bytes.
   *
   * @default the option `itemsLimit` of the app
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID` unless it is an integer of at least 1
   */
  itemsLimit?: number
  /**
   * Sets when the library of a response schema (Zod, Valibot, …) validates the payload: `'needed'`, `'always'` or
   * `'never'`.
   *
   * @default the option `validateResponses` of the app
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID` unless it is one of "needed", "always", "never"
   */
  validateResponses?: 'needed' | 'always' | 'never'
  /**
   * Sets what happens to content with an undeclared status or media type: `'send'` sends it, `'log'` also logs a
   * warning, `'error'` makes it an error with status 500.
   *
   * @default the option `undeclaredStatuses` of the app
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID` unless it is one of "send", "log", "error"
   */
  undeclaredStatuses?: 'send' | 'log' | 'error'
  /**
   * Lists the required schemas; `true` for all, `false` for none.
   *
   * @default the option `requireSchemas` of the app
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID` unless it is a boolean or an array of "params", "querystring", "body", "response"
   * @throws `CLO_ERR_SCH_REQUIRED`
   */
  requireSchemas?: boolean | readonly ('params' | 'querystring' | 'body' | 'response')[]
}

/** The options that `app.initialConfig` has. */
export type ShownOption =
  | 'strict'
  | 'http2'
  | 'http2SessionTimeout'
  | 'connectionTimeout'
  | 'keepAliveTimeout'
  | 'headersTimeout'
  | 'requestTimeout'
  | 'writeTimeout'
  | 'maxHeadersCount'
  | 'maxRequestsPerSocket'
  | 'forceCloseConnections'
  | 'return503OnClosing'
  | 'trustProxy'
  | 'pluginTimeout'
  | 'handlerTimeout'
  | 'ignoreTrailingSlash'
  | 'ignoreDuplicateSlashes'
  | 'caseSensitive'
  | 'allowUnsafeRegex'
  | 'useSemicolonDelimiter'
  | 'maxParamLength'
  | 'exposeHeadRoutes'
  | 'bodyLimit'
  | 'onProtoPoisoning'
  | 'onConstructorPoisoning'
  | 'jsonShorthand'
  | 'jsonSchemaDialect'
  | 'schemaCompilation'
  | 'codeGeneration'
  | 'serialization'
  | 'exposeErrors'
  | 'problemDetails'
  | 'problemTypeBase'
  | 'disableRequestLogging'
  | 'requestIdHeader'
  | 'requestIdLogLabel'
