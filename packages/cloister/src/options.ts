import type { ServerOptions as HttpServerOptions } from 'node:http'

import { createError } from './errors.ts'
import { nearestName } from './nearest-name.ts'
import type { AnyFunction } from './functions.ts'
import { isAsyncFunction, isFunction, isRecord, typeName } from './functions.ts'

/**
 * Every option of the factory: its default and its check, in one table. The options are checked once, when the
 * app is made; what the rest of the framework reads is the frozen result. Times are milliseconds, sizes bytes.
 */

type Rule = (value: unknown) => string | undefined

/** The checked options of an app. */
export interface AppOptions {
  readonly http: HttpServerOptions | null
  readonly http2: boolean
  readonly https: Readonly<Record<string, unknown>> | null
  readonly connectionTimeout: number
  readonly keepAliveTimeout: number
  readonly maxRequestsPerSocket: number
  readonly requestTimeout: number
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

const bool: Rule = (v) => (typeof v === 'boolean' ? undefined : 'must be a boolean')
const fn: Rule = (v) => (v === null || isFunction(v) ? undefined : 'must be a function')
const object: Rule = (v) => (v === null || isRecord(v) ? undefined : 'must be an object')
const any: Rule = () => undefined
const string: Rule = (v) => (typeof v === 'string' ? undefined : 'must be a string')
const text: Rule = (v) => (typeof v === 'string' && v !== '' ? undefined : 'must be a non-empty string')
const integerFrom =
  (least: number): Rule =>
  (v) =>
    Number.isInteger(v) && Number(v) >= least ? undefined : `must be an integer of at least ${least}`
const oneOf =
  (...values: readonly unknown[]): Rule =>
  (v) =>
    values.includes(v) ? undefined : `must be one of ${values.map((x) => JSON.stringify(x)).join(', ')}`
const either =
  (...rules: readonly Rule[]): Rule =>
  (v) =>
    rules.some((rule) => rule(v) === undefined) ? undefined : rules.map((rule) => rule(v)).join(' or ')
const strings: Rule = (v) =>
  Array.isArray(v) && v.every((x) => typeof x === 'string') ? undefined : 'must be an array of strings'
const poisoning = oneOf('error', 'remove', 'ignore')
/** Options that have an error of their own are checked where they are used. */
const checkedElsewhere = any

/** name: [default, check] */
const OPTIONS: Readonly<Record<keyof AppOptions, readonly [unknown, Rule]>> = {
  http: [null, object],
  http2: [false, bool],
  https: [null, either(bool, object)],
  connectionTimeout: [0, integerFrom(0)],
  keepAliveTimeout: [72_000, integerFrom(0)],
  maxRequestsPerSocket: [0, integerFrom(0)],
  requestTimeout: [300_000, integerFrom(0)],
  handlerTimeout: [0, integerFrom(0)],
  http2SessionTimeout: [72_000, integerFrom(0)],
  pluginTimeout: [10_000, integerFrom(0)],
  closeGraceMs: [10_000, integerFrom(0)],
  bodyLimit: [1_048_576, checkedElsewhere],
  forceCloseConnections: ['idle', oneOf(true, false, 'idle')],
  return503OnClosing: [true, bool],
  serverFactory: [null, fn],
  clientErrorHandler: [null, fn],
  rewriteUrl: [null, fn],
  frameworkErrors: [null, fn],
  trustProxy: [false, either(bool, text, integerFrom(0), strings, fn)],
  ignoreTrailingSlash: [false, bool],
  ignoreDuplicateSlashes: [false, bool],
  caseSensitive: [true, bool],
  allowUnsafeRegex: [false, bool],
  useSemicolonDelimiter: [true, bool],
  maxParamLength: [100, integerFrom(1)],
  onMaxParamLength: [null, fn],
  onBadUrl: [null, fn],
  defaultRoute: [null, fn],
  buildPrettyMeta: [null, fn],
  compile: [false, bool],
  constraints: [null, object],
  querystringParser: [null, checkedElsewhere],
  exposeHeadRoutes: [true, bool],
  onProtoPoisoning: ['error', poisoning],
  onConstructorPoisoning: ['error', poisoning],
  jsonShorthand: [true, bool],
  ajv: [{}, object],
  serializerOpts: [{}, object],
  schemaController: [null, object],
  schemaErrorFormatter: [null, checkedElsewhere],
  schemaCompilation: ['auto', oneOf('auto', 'eager')],
  serialization: ['compat', oneOf('compat', 'strict')],
  coerceJsonBodies: [true, bool],
  unionErrors: ['all', oneOf('all', 'branch')],
  exposeErrors: [true, bool],
  allowErrorHandlerOverride: [true, bool],
  logger: [false, any],
  loggerInstance: [undefined, any],
  disableRequestLogging: [false, either(bool, fn)],
  logController: [null, checkedElsewhere],
  childLoggerFactory: [null, fn],
  requestIdHeader: ['request-id', either(bool, string)],
  requestIdLogLabel: ['reqId', text],
  genReqId: [null, fn],
}

/** Options that 5.x accepts inside `routerOptions` too. */
const ROUTER_OPTIONS: readonly string[] = [
  'ignoreTrailingSlash',
  'ignoreDuplicateSlashes',
  'caseSensitive',
  'allowUnsafeRegex',
  'useSemicolonDelimiter',
  'maxParamLength',
  'onMaxParamLength',
  'onBadUrl',
  'defaultRoute',
  'buildPrettyMeta',
  'compile',
  'constraints',
  'querystringParser',
]

const AJV_OPTIONS: readonly string[] = ['customOptions', 'plugins', 'onCreate', 'mode']

function refuse(problem: string): never {
  throw createError('INIT_OPTS_INVALID', { problem })
}

function withRouterOptions(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { routerOptions, versioning, ...others } = given
  const rest: Record<string, unknown> = others
  if (versioning !== undefined) {
    const { storage, deriveVersion } = asRecord(versioning)
    const version = { name: 'version', mustMatchWhenDerived: true, storage, deriveConstraint: deriveVersion }
    rest['constraints'] = { ...asRecord(rest['constraints']), version }
  }
  if (routerOptions === undefined) return rest
  if (!isRecord(routerOptions)) refuse('routerOptions must be an object')
  for (const name of Object.keys(routerOptions)) {
    if (!ROUTER_OPTIONS.includes(name)) {
      refuse(`routerOptions has no option '${name}'${nearestName(name, ROUTER_OPTIONS)}`)
    }
  }
  return { ...rest, ...routerOptions }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

/** Numbers may come as text, as environments have them. */
function asNumber(value: unknown, byDefault: unknown): unknown {
  return typeof byDefault === 'number' && typeof value === 'string' && /^\d+$/.test(value)
    ? Number(value)
    : value
}

function checkBodyLimit({ bodyLimit }: Readonly<Record<string, unknown>>): void {
  if (bodyLimit != null && !(Number.isInteger(bodyLimit) && Number(bodyLimit) > 0)) {
    throw createError('ROUTE_BODY_LIMIT_OPTION_NOT_INT', { value: String(bodyLimit) })
  }
}

function checkSchemaOptions(given: Readonly<Record<string, unknown>>): void {
  const { querystringParser, schemaErrorFormatter, ajv, schemaController } = given
  if (querystringParser != null && !isFunction(querystringParser)) {
    throw createError('QSP_NOT_FN', { type: typeName(querystringParser) })
  }
  if (
    schemaErrorFormatter != null &&
    (!isFunction(schemaErrorFormatter) || isAsyncFunction(schemaErrorFormatter))
  ) {
    throw createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: typeName(schemaErrorFormatter) })
  }
  if (isRecord(ajv)) {
    const { customOptions, plugins } = ajv
    const unknown = Object.keys(ajv).find((name) => !AJV_OPTIONS.includes(name))
    // Compilers of the application's own may know others.
    if (unknown !== undefined && schemaController == null) {
      refuse(`ajv has no option '${unknown}'${nearestName(unknown, AJV_OPTIONS)}`)
    }
    if (customOptions !== undefined && !isRecord(customOptions)) {
      throw createError('AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ', { type: typeName(customOptions) })
    }
    if (plugins !== undefined && !Array.isArray(plugins)) {
      throw createError('AJV_CUSTOM_OPTIONS_OPT_NOT_ARR', { type: typeName(plugins) })
    }
  }
  if (isRecord(schemaController)) {
    const { bucket } = schemaController
    if (bucket !== undefined && !isFunction(bucket)) {
      throw createError('SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN', { type: typeName(bucket) })
    }
  }
}

/**
 * Checks the options of the factory and fills in the defaults.
 *
 * @throws `CLO_ERR_OPTIONS_NOT_OBJ`, `CLO_ERR_INIT_OPTS_INVALID` (with the nearest known name),
 * `CLO_ERR_QSP_NOT_FN`, `CLO_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN`, `CLO_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ` and kin
 */
export function checkOptions(options: unknown): AppOptions {
  if (options != null && !isRecord(options)) {
    throw createError('OPTIONS_NOT_OBJ', { type: typeName(options) })
  }
  const given = withRouterOptions(options ?? {})
  checkBodyLimit(given)
  checkSchemaOptions(given)
  const known = Object.keys(OPTIONS)
  for (const name of Object.keys(given)) {
    if (!known.includes(name))
      refuse(`'${name}' is not an option${nearestName(name, [...known, 'routerOptions'])}`)
  }
  const checked: Record<string, unknown> = {}
  for (const [name, [byDefault, rule]] of Object.entries(OPTIONS)) {
    const value = asNumber(given[name], byDefault)
    const problem = value == null ? undefined : rule(value)
    if (problem !== undefined) refuse(`'${name}' ${problem}, got ${JSON.stringify(value) ?? typeName(value)}`)
    checked[name] = value ?? byDefault
  }
  // TLS without options of its own: the server refuses connections until it is given a certificate.
  if (checked['https'] === true) checked['https'] = {}
  if (checked['https'] === false) checked['https'] = null
  if (checked['requestIdHeader'] === true) checked['requestIdHeader'] = 'request-id'
  if (checked['requestIdHeader'] === '') checked['requestIdHeader'] = false
  if (typeof checked['requestIdHeader'] === 'string') {
    checked['requestIdHeader'] = checked['requestIdHeader'].toLowerCase()
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop above has given every key of the table its checked value
  return Object.freeze(checked) as unknown as AppOptions
}
