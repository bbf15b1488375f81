import type { ChildLoggerFactory, LogLevel } from './logger.ts'
import type { SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from './compilers.ts'
import type { HttpMethod } from './raw.ts'
import type { FastifyContextConfig, FastifySchema } from './peer.ts'

/** What the framework itself adds to the `config` of a route. */
export interface RouteConfig {
  /** Path of the route. */
  url: string
  /** Method of the route. */
  method: HttpMethod | HttpMethod[]
}

/** Conditions of a route beside method and path. */
export interface RouteConstraints {
  /** Value of the `Accept-Version` header. */
  version?: string
  /** Value of the `Host` header. */
  host?: string | RegExp
  /** Strategies of your own. */
  [name: string]: unknown
}

/** Options of a route that have no types of their own to carry. */
export interface PlainRouteOptions {
  /** Invalid requests reach the handler, with `request.validationError`. */
  attachValidation?: boolean
  /** A HEAD route beside this GET route. */
  exposeHeadRoute?: boolean
  /** The validator compiler of this route. */
  validatorCompiler?: ValidatorCompiler<never>
  /** The serializer compiler of this route. */
  serializerCompiler?: SerializerCompiler<never>
  /** The largest body, in bytes. */
  bodyLimit?: number
  /** Milliseconds the handler may take. */
  handlerTimeout?: number
  /** Lowest level that is logged. */
  logLevel?: LogLevel
  /** How values are written to the log, by their key. */
  logSerializers?: { readonly [key: string]: (value: never) => unknown }
  /** Conditions beside method and path. */
  constraints?: RouteConstraints
  /** The constraint `version`, in its old place. */
  version?: string
  /** How `/` under a prefix is registered. */
  prefixTrailingSlash?: 'slash' | 'no-slash' | 'both'
  /** Makes the loggers of this route's requests. */
  childLoggerFactory?: ChildLoggerFactory
  /** Makes the errors of failed validations. */
  schemaErrorFormatter?: SchemaErrorFormatter
  /** `strict`: a conversion that loses something is an error. */
  serialization?: 'compat' | 'strict'
}

/** The options of a route as requests see them. */
export interface ResolvedRouteOptions<Config = unknown> {
  /** Method or methods. */
  readonly method: HttpMethod | HttpMethod[]
  /** Path with prefix; `undefined` when no route was found. */
  readonly url: string | undefined
  /** The largest body, in bytes. */
  readonly bodyLimit: number
  /** Milliseconds the handler may take. */
  readonly handlerTimeout: number
  /** Whether invalid requests reach the handler. */
  readonly attachValidation: boolean
  /** Lowest level that is logged. */
  readonly logLevel: string
  /** Whether there is a HEAD route beside this one. */
  readonly exposeHeadRoute: boolean
  /** How `/` under a prefix was registered. */
  readonly prefixTrailingSlash: string
  /** What the route carries for plugins and handlers. */
  readonly config: FastifyContextConfig & RouteConfig & Config
  /** The schema; none when no route was found. */
  readonly schema?: FastifySchema | undefined
  /** The handler. */
  readonly handler: (...args: never[]) => unknown
  /** Version constraint. */
  readonly version?: string | undefined
}
