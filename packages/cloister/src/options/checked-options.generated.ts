// Made by `npm run docs:options` from the rows in packages/cloister/src/options/rows. Do not edit.
import type { ServerOptions as HttpServerOptions } from 'node:http'
import type { AnyFunction } from '../guards.ts'
import type { TrustedHops } from '../types/options.ts'

/** The checked options of an app, with the defaults of the rows; frozen. */
export interface AppOptions {
  readonly strict: boolean | 'report'
  readonly http: HttpServerOptions | null
  readonly https: Readonly<Record<string, unknown>> | null
  readonly http2: boolean
  readonly http2SessionTimeout: number
  readonly transport: 'auto' | 'node'
  readonly connectionTimeout: number
  readonly keepAliveTimeout: number
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly writeTimeout: number
  readonly maxHeadersCount: number
  readonly maxRequestsPerSocket: number
  readonly forceCloseConnections: boolean | 'idle'
  readonly closeGraceMs: number
  readonly return503OnClosing: boolean
  readonly serverFactory: AnyFunction | null
  readonly clientErrorHandler: AnyFunction | null
  readonly trustProxy: boolean | string | number | readonly string[] | TrustedHops | AnyFunction
  readonly pluginTimeout: number
  readonly handlerTimeout: number
  readonly heartbeatMs: number
  readonly unsentReply: 'wait' | 'continue'
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly caseSensitive: boolean
  readonly allowUnsafeRegex: boolean
  readonly useSemicolonDelimiter: boolean
  readonly maxParamLength: number
  readonly onMaxParamLength: AnyFunction | null
  readonly onBadUrl: AnyFunction | null
  readonly defaultRoute: AnyFunction | null
  readonly buildPrettyMeta: AnyFunction | null
  readonly compile: boolean
  readonly constraints: Readonly<Record<string, unknown>> | null
  readonly querystringParser: AnyFunction | null
  readonly exposeHeadRoutes: boolean
  readonly methodNotAllowed: boolean
  readonly contentNegotiation: boolean
  readonly unknownRouteOptions: 'allow' | 'refuse' | readonly string[]
  readonly undefinedHooks: 'warn' | 'refuse'
  readonly rewriteUrl: AnyFunction | null
  readonly bodyLimit: number
  readonly itemsLimit: number
  readonly bodyText: 'replace' | 'utf-8'
  readonly duplicateNames: 'last' | 'refuse'
  readonly unknownEncodings: 'ignore' | 'refuse'
  readonly onProtoPoisoning: 'error' | 'remove' | 'ignore'
  readonly onConstructorPoisoning: 'error' | 'remove' | 'ignore'
  readonly jsonShorthand: boolean
  readonly ajv: Readonly<Record<string, unknown>>
  readonly serializerOpts: Readonly<Record<string, unknown>>
  readonly schemaController: Readonly<Record<string, unknown>> | null
  readonly schemaErrorFormatter: AnyFunction | null
  readonly jsonSchemaDialect: 'draft-07' | '2020-12'
  readonly schemaCompilation: 'auto' | 'eager'
  readonly codeGeneration: 'hot' | 'always' | 'never'
  readonly coerceJsonBodies: boolean
  readonly integers: 'number' | 'exact' | 'bigint'
  readonly serialization: 'compat' | 'strict'
  readonly refusedDefaults: 'warn' | 'refuse'
  readonly unionErrors: 'all' | 'branch'
  readonly unionRemoval: 'each' | 'branch'
  readonly validationErrorLimit: number
  readonly validationMessages: AnyFunction | Readonly<Record<string, unknown>> | null
  readonly validateResponses: 'needed' | 'always' | 'never'
  readonly undeclaredStatuses: 'send' | 'log' | 'error'
  readonly cookieSchemas: 'validate' | 'document'
  readonly documentedTrailingSlash: 'no-slash' | 'slash'
  readonly requireSchemas: boolean | readonly ('params' | 'querystring' | 'body' | 'response')[]
  readonly frameworkErrors: AnyFunction | null
  readonly exposeErrors: boolean
  readonly cacheErrors: boolean
  readonly problemDetails: boolean | 'accepted'
  readonly problemTypeBase: string
  readonly errorCodePrefix: string
  readonly rootPluginName: string
  readonly allowErrorHandlerOverride: boolean
  readonly logger: unknown
  readonly loggerInstance: unknown
  readonly disableRequestLogging: boolean | AnyFunction
  readonly logController: unknown
  readonly childLoggerFactory: AnyFunction | null
  readonly requestIdHeader: string | false
  readonly requestIdLogLabel: string
  readonly genReqId: AnyFunction | null
}

/** The options of an app that routes can set, too. */
export type SharedOption =
  | 'handlerTimeout'
  | 'heartbeatMs'
  | 'bodyLimit'
  | 'itemsLimit'
  | 'validateResponses'
  | 'undeclaredStatuses'
  | 'requireSchemas'
