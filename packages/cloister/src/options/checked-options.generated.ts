// Made by `npm run docs:options` from the rows in packages/cloister/src/options/rows. Do not edit.
import type { ServerOptions as HttpServerOptions } from 'node:http'
import type { AnyFunction } from '../guards.ts'
import type { TrustedHops } from '../types/option-values.ts'

/** The options of an app after the check. */
export interface CheckedOptions {
  strict: boolean
  http: HttpServerOptions | null
  https: Readonly<Record<string, unknown>> | null
  http2: boolean
  http2SessionTimeout: number
  transport: 'auto' | 'node'
  connectionTimeout: number
  keepAliveTimeout: number
  headersTimeout: number
  requestTimeout: number
  writeTimeout: number
  maxHeadersCount: number
  maxRequestsPerSocket: number
  forceCloseConnections: boolean | 'idle'
  closeGraceMs: number
  return503OnClosing: boolean
  serverFactory: AnyFunction | null
  clientErrorHandler: AnyFunction | null
  trustProxy: boolean | string | number | readonly string[] | TrustedHops | AnyFunction
  pluginTimeout: number
  handlerTimeout: number
  unsentReply: 'wait' | 'continue'
  ignoreTrailingSlash: boolean
  ignoreDuplicateSlashes: boolean
  caseSensitive: boolean
  allowUnsafeRegex: boolean
  useSemicolonDelimiter: boolean
  maxParamLength: number
  onMaxParamLength: AnyFunction | null
  onBadUrl: AnyFunction | null
  defaultRoute: AnyFunction | null
  buildPrettyMeta: AnyFunction | null
  compile: boolean
  constraints: Readonly<Record<string, unknown>> | null
  querystringParser: AnyFunction | null
  exposeHeadRoutes: boolean
  unknownRouteOptions: 'allow' | 'refuse' | readonly string[]
  rewriteUrl: AnyFunction | null
  bodyLimit: number
  onProtoPoisoning: 'error' | 'remove' | 'ignore'
  onConstructorPoisoning: 'error' | 'remove' | 'ignore'
  jsonShorthand: boolean
  ajv: Readonly<Record<string, unknown>>
  serializerOpts: Readonly<Record<string, unknown>>
  schemaController: Readonly<Record<string, unknown>> | null
  schemaErrorFormatter: AnyFunction | null
  jsonSchemaDialect: 'draft-07' | '2020-12'
  schemaCompilation: 'auto' | 'eager'
  codeGeneration: 'hot' | 'always' | 'never'
  coerceJsonBodies: boolean
  serialization: 'compat' | 'strict'
  unionErrors: 'all' | 'branch'
  unionRemoval: 'each' | 'branch'
  validationErrorLimit: number
  validationMessages: AnyFunction | Readonly<Record<string, unknown>> | null
  validateResponses: 'needed' | 'always' | 'never'
  undeclaredStatuses: 'send' | 'log' | 'error'
  requireSchemas: boolean | readonly ('params' | 'querystring' | 'body' | 'response')[]
  frameworkErrors: AnyFunction | null
  exposeErrors: boolean
  problemDetails: boolean | 'accepted'
  problemTypeBase: string
  errorCodePrefix: string
  rootPluginName: string
  allowErrorHandlerOverride: boolean
  logger: unknown
  loggerInstance: unknown
  disableRequestLogging: boolean | AnyFunction
  logController: unknown
  childLoggerFactory: AnyFunction | null
  requestIdHeader: string | false
  requestIdLogLabel: string
  genReqId: AnyFunction | null
}

/** The options of an app that routes can set, too. */
export type SharedOption =
  | 'handlerTimeout'
  | 'bodyLimit'
  | 'validateResponses'
  | 'undeclaredStatuses'
  | 'requireSchemas'
