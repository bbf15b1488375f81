import type { ChildLoggerFactory, LogLevel } from './logger.ts'
import type { SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from './compilers.ts'
import type { HttpMethod } from './raw.ts'
import type { FastifyContextConfig, FastifySchema } from './peer.ts'

/** The keys that the framework adds to the `config` of a route. */
export interface RouteConfig {
  /** Path of the route. */
  url: string
  /** Method of the route. */
  method: HttpMethod | HttpMethod[]
}

/** The constraints of a route: conditions beside method and path. */
export interface RouteConstraints {
  /** The version in the `Accept-Version` header, as in `1.2.0`. */
  version?: string
  /** The host in the `Host` header, as text or regular expression. */
  host?: string | RegExp
  /** The values of your own constraint strategies. */
  [name: string]: unknown
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
   * Adds a HEAD route for this GET route.
   *
   * @default the option `exposeHeadRoutes` of the app
   */
  exposeHeadRoute?: boolean
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
   * Limits the size of the body; with a larger one, the answer is 413. The limit also holds for parsers that
   * read the stream.
   *
   * Unit: bytes.
   *
   * @default the option `bodyLimit` of the app
   * @throws `CLO_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT`
   */
  bodyLimit?: number
  /**
   * Limits the time until the request is answered; later, the answer is 503 and `request.signal` is aborted.
   *
   * Unit: milliseconds.
   *
   * @default the option `handlerTimeout` of the app
   * @throws `CLO_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT` unless it is an integer from 1 to 2147483647
   */
  handlerTimeout?: number
  /**
   * Sets the lowest level that is logged.
   *
   * @default the one of the context
   * @throws `CLO_ERR_ROUTE_LOG_LEVEL_INVALID`
   */
  logLevel?: LogLevel
  /** Sets functions that convert values for the log, by their key. */
  logSerializers?: { readonly [key: string]: (value: never) => unknown }
  /**
   * Sets the constraints of the route, which choose between routes with the same path.
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
   * Sets how the path `/` below a prefix is registered: as `/prefix`, as `/prefix/`, or as both.
   *
   * @default 'both'
   */
  prefixTrailingSlash?: 'slash' | 'no-slash' | 'both'
  /**
   * Sets the function that creates the loggers of requests to this route.
   *
   * @default the one of the context
   */
  childLoggerFactory?: ChildLoggerFactory
  /**
   * Sets the function that creates the error of a failed validation.
   *
   * @default the one of the context
   */
  schemaErrorFormatter?: SchemaErrorFormatter
  /**
   * Sets how payloads are converted to the types of their schemas; with `'strict'`, a lossy conversion is an
   * error.
   *
   * @default the one of the context
   */
  serialization?: 'compat' | 'strict'
  /**
   * Sets when the library of a response schema (Zod, Valibot, …) validates the payload: where its schema has checks or
   * changes (`'needed'`), `'always'`, or `'never'`.
   *
   * @default the option `validateResponses` of the app
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID`
   */
  validateResponses?: 'needed' | 'always' | 'never'
  /**
   * Sets what happens to a response with content whose status the response schemas do not declare: `'send'` sends it,
   * `'log'` also writes a warning, `'error'` makes it an error with status 500.
   *
   * @default the option `undeclaredStatuses` of the app
   * @throws `CLO_ERR_ROUTE_OPTION_INVALID`
   */
  undeclaredStatuses?: 'send' | 'log' | 'error'
  /**
   * Names the schemas without which the app does not start; `true` for all, `false` for none.
   *
   * @default the option `requireSchemas` of the app
   * @throws `CLO_ERR_SCH_REQUIRED`, `CLO_ERR_ROUTE_OPTION_INVALID`
   */
  requireSchemas?: boolean | readonly ('params' | 'querystring' | 'body' | 'response')[]
}

/** The options of a route with defaults, as requests have them; frozen. */
export interface ResolvedRouteOptions<Config = unknown> {
  /** Method or methods. */
  readonly method: HttpMethod | HttpMethod[]
  /** The path with its prefix; `undefined` if no route matches. */
  readonly url: string | undefined
  /** The largest body, in bytes. */
  readonly bodyLimit: number
  /** The time until a request must be answered, in milliseconds; 0 for no limit. */
  readonly handlerTimeout: number
  /** Whether the handler runs for invalid requests. */
  readonly attachValidation: boolean
  /** The lowest level that is logged. */
  readonly logLevel: string
  /** Whether there is a HEAD route beside this one. */
  readonly exposeHeadRoute: boolean
  /** How `/` under a prefix was registered. */
  readonly prefixTrailingSlash: string
  /** The `config` of the route, with its URL and method. */
  readonly config: FastifyContextConfig & RouteConfig & Config
  /** The schema; `undefined` if no route matches or the route has none. */
  readonly schema?: FastifySchema | undefined
  /** The handler. */
  readonly handler: (...args: never[]) => unknown
  /** The constraint `version`. */
  readonly version?: string | undefined
}
