import { isFunction, isRecord } from '../functions.ts'
import type { AppOptions } from './app-options.ts'

/** What is wrong with a value, in words that follow the name of its option; nothing if it is right. */
type Rule = (value: unknown) => string | undefined

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
/** Options whose errors have codes of their own: see `check-options.ts`, and `log-controller.ts` for its option. */
const checkedElsewhere = any

/** Every option of the factory: `name: [default, check]`. */
export const OPTIONS: Readonly<Record<keyof AppOptions, readonly [unknown, Rule]>> = {
  http: [null, object],
  http2: [false, bool],
  https: [null, either(bool, object)],
  connectionTimeout: [0, integerFrom(0)],
  keepAliveTimeout: [72_000, integerFrom(0)],
  maxRequestsPerSocket: [0, integerFrom(0)],
  headersTimeout: [10_000, integerFrom(0)],
  requestTimeout: [300_000, integerFrom(0)],
  writeTimeout: [30_000, integerFrom(0)],
  maxHeadersCount: [1000, integerFrom(0)],
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
  errorCodePrefix: ['CLO_ERR_', text],
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
export const ROUTER_OPTIONS: readonly string[] = [
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

/** What the option `ajv` may hold. */
export const AJV_OPTIONS: readonly string[] = ['customOptions', 'plugins', 'onCreate', 'mode']

/** Options of Ajv itself; `format` was one, which older configurations still have. */
export const AJV_CUSTOM_OPTIONS: readonly string[] = [
  'strict',
  'strictSchema',
  'strictNumbers',
  'strictTypes',
  'strictTuples',
  'strictRequired',
  'allowMatchingProperties',
  'allowUnionTypes',
  'validateFormats',
  '$data',
  'allErrors',
  'verbose',
  'discriminator',
  'unicodeRegExp',
  'timestamp',
  'parseDate',
  'allowDate',
  'specialNumbers',
  '$comment',
  'format',
  'formats',
  'keywords',
  'schemas',
  'logger',
  'loadSchema',
  'removeAdditional',
  'useDefaults',
  'coerceTypes',
  'next',
  'unevaluated',
  'dynamicRef',
  'schemaId',
  'jtd',
  'meta',
  'defaultMeta',
  'validateSchema',
  'addUsedSchema',
  'inlineRefs',
  'passContext',
  'loopRequired',
  'loopEnum',
  'ownProperties',
  'multipleOfPrecision',
  'int32range',
  'messages',
  'code',
  'uriResolver',
  'ignoreKeywordsWithRef',
  'jsPropertySyntax',
  'unicode',
]

/** Options of Ajv that are a boolean or one of these words. */
export const AJV_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['removeAdditional', ['all', 'failing']],
  ['useDefaults', ['empty']],
  ['coerceTypes', ['array']],
])
