import type { ServerOptions as HttpServerOptions } from 'node:http'

import type { AnyFunction } from '../functions.ts'

/**
 * The checked options of an app; `option-table.ts` has their defaults. Times are milliseconds, sizes bytes.
 */
export interface AppOptions {
  readonly http: HttpServerOptions | null
  readonly http2: boolean
  readonly https: Readonly<Record<string, unknown>> | null
  readonly connectionTimeout: number
  readonly keepAliveTimeout: number
  readonly maxRequestsPerSocket: number
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly writeTimeout: number
  readonly maxHeadersCount: number
  readonly handlerTimeout: number
  readonly http2SessionTimeout: number
  readonly pluginTimeout: number
  readonly closeGraceMs: number
  readonly bodyLimit: number
  readonly forceCloseConnections: boolean | 'idle'
  readonly return503OnClosing: boolean
  readonly serverFactory: AnyFunction | null
  readonly clientErrorHandler: AnyFunction | null
  readonly rewriteUrl: AnyFunction | null
  readonly frameworkErrors: AnyFunction | null
  readonly trustProxy: boolean | string | number | readonly string[] | AnyFunction
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
  readonly onProtoPoisoning: 'error' | 'remove' | 'ignore'
  readonly onConstructorPoisoning: 'error' | 'remove' | 'ignore'
  readonly jsonShorthand: boolean
  readonly ajv: Readonly<Record<string, unknown>>
  readonly serializerOpts: Readonly<Record<string, unknown>>
  readonly schemaController: Readonly<Record<string, unknown>> | null
  readonly schemaErrorFormatter: AnyFunction | null
  readonly schemaCompilation: 'auto' | 'eager'
  readonly serialization: 'compat' | 'strict'
  readonly coerceJsonBodies: boolean
  readonly unionErrors: 'all' | 'branch'
  readonly exposeErrors: boolean
  readonly errorCodePrefix: string
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
