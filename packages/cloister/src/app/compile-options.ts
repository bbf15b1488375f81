import { createSchemaEngine, type SchemaEngine, type SchemaWarning } from '@cloister/schema'

import { errorOfEscapes } from '../body/exact/encodings.ts'
import { exactRules } from '../body/exact/exact-rules.ts'
import { refuseInexact, type ExactInput } from '../body/exact/rules.ts'
import type { SchemaServices } from '../context/services.ts'
import { dependencies } from '../dependencies.ts'
import { atOnce, createError } from '../errors.ts'
import { isAddress } from '../exchange/host.ts'
import { isFunction, recordOf, type Dictionary } from '../guards.ts'
import { warn } from '../logging/warnings.ts'
import { acceptAll, LibrarySchemas } from '../libraries/library-schemas.ts'
import type { LogOwner } from '../logging/request-log.ts'
import { strictOptions } from '../options/strict-options.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { Judge } from '../request/report/judge.ts'
import type { RequestServices, ServedApp } from '../request/services.ts'

const NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']

/**
 * Compiles the option `trustProxy` into a function that decides whether an address may set forwarded headers. Returns
 * `null` when no address may.
 */
export function compileTrust(trust: AppOptions['trustProxy']): RequestServices['trustProxy'] {
  if (trust === false) return null
  if (trust === true) return () => true
  if (isFunction(trust)) return (address, hop) => atOnce(trust(address, hop), 'trustProxy') === true
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  if (typeof trust === 'string' || !('hops' in trust)) return compileAddresses(trust)
  const { hops } = trust
  const isFrom = compileAddresses(trust.from)
  return (address, hop) => hop < hops && isFrom(address, hop)
}

/** @throws `CLO_ERR_INIT_OPTS_INVALID` */
function compileAddresses(from: string | readonly string[]): (address: string, hop: number) => boolean {
  const entries = typeof from === 'string' ? from.split(',').map((entry) => entry.trim()) : [...from]
  for (const entry of entries) {
    // proxy-addr reads `1` as 0.0.0.1, and numbers with leading zeros as octal.
    if (!NAMES.includes(entry) && !isAddress(entry.split('/', 1)[0] ?? '')) throw refuse(entry)
  }
  // Without its feature a worker says which one it needs.
  const library = dependencies.proxyAddr()
  try {
    return library.compile(entries)
  } catch (cause) {
    throw refuse(entries.join(', '), cause)
  }
}

function refuse(entry: string, cause?: unknown): Error {
  const wanted = `IP addresses, ranges ('10.0.0.0/8') or the names ${NAMES.join(', ')}`
  const problem = `'trustProxy' takes ${wanted}, got ${JSON.stringify(
    entry,
  )}; a number of hops is { hops, from }`
  return createError('INIT_OPTS_INVALID', { problem }, { cause })
}

export function createQueryParser(options: AppOptions, exact: ExactInput): ServedApp['parseQuery'] {
  const parse = queryParserOf(options)
  if (exact.bodyText === 'replace') return parse
  return (text, request) => {
    exact.refuse(errorOfEscapes(text, 'querystring'), request)
    return parse(text)
  }
}

function queryParserOf({ querystringParser }: AppOptions): (text: string) => unknown {
  if (querystringParser !== null) return (text) => atOnce(querystringParser(text), 'querystringParser')
  const { parse } = dependencies.fastQuerystring()
  return (text) => parse(text)
}

/** Creates the engines from the options of the app. The one without coercion is created on first use. */
export function createSchemaEngines(options: AppOptions): Pick<SchemaServices, 'engine' | 'uncoercedEngine'> {
  const warned = new Set<string>()
  const onWarning = ({ code, message, pattern }: SchemaWarning): void => {
    if (warned.has(pattern)) return
    warned.add(pattern)
    warn(code, { message })
  }
  const { ajv, maxParamLength, validationErrorLimit: errorLimit } = options
  // Most options of the engine are options of the app, by the same names.
  const settings = { ...options, errorLimit, longestText: { params: maxParamLength }, onWarning }
  let uncoerced: SchemaEngine | null = null
  return {
    engine: createSchemaEngine(settings),
    uncoercedEngine: () =>
      (uncoerced ??= createSchemaEngine({
        ...settings,
        ajv: { ...ajv, customOptions: { ...recordOf(ajv['customOptions']), coerceTypes: false } },
      })),
  }
}

/** Creates the services that judge requests as `strict` would, in an app with `strict: 'report'`. */
export function createJudge(app: LogOwner, options: AppOptions, given: Dictionary): Judge | null {
  if (options.strict !== 'report') return null
  const strict = strictOptions(options, given)
  const libraries = createLibraries(strict.options, acceptAll)
  // Validators of the app itself read 64-bit integers, and refuse what is not exact.
  const judged: AppOptions =
    options.integers === 'bigint' ? { ...strict.options, integers: 'number' } : strict.options
  const services = { ...createSchemaEngines(judged), options: judged, libraries }
  return new Judge(app, services, options, strict.problems)
}

/** Returns how the app reads input that is not exact. */
export function exactInputOf(options: AppOptions, judge: Judge | null): ExactInput {
  const { bodyText, duplicateNames, unknownEncodings, ...judged } = judge?.options ?? options
  const integers = options.integers === 'number' ? judged.integers : options.integers
  const refuse: ExactInput['refuse'] =
    judge === null ? refuseInexact : (error, request) => judge.refuse(error, request)
  const own = judge === null ? null : exactRules(options)
  const literals = options.integers === 'bigint' ? new WeakMap<object, Map<string, string>>() : null
  const judgesEncodings = bodyText === 'utf-8' || unknownEncodings === 'refuse'
  return { bodyText, duplicateNames, integers, unknownEncodings, judgesEncodings, refuse, own, literals }
}

/**
 * Creates the schemas of other libraries.
 *
 * @param createValidator - creates the validators of requests; the default calls the library
 */
export function createLibraries(
  options: AppOptions,
  createValidator?: ConstructorParameters<typeof LibrarySchemas>[2],
): LibrarySchemas {
  return new LibrarySchemas(
    () => createCoercer(options),
    () => createFinder(options),
    createValidator,
  )
}

/** After this many values that can't be coerced, the remaining ones stay text. */
const COERCION_ERRORS = 100

/**
 * Creates the engine that coerces text for the schemas of other libraries, with the coercion settings of the app. It
 * continues after a value that it can't coerce; the library reports that value. Returns `null` if the app coerces
 * nothing.
 */
function createCoercer(options: AppOptions): SchemaEngine | null {
  const { coerceTypes = 'array' } = recordOf(options.ajv['customOptions'])
  return coerceTypes === 'array' || coerceTypes === true ? createForLibraries(options, coerceTypes) : null
}

/** Creates the engine that finds inexact integers for the schemas of other libraries; `null` if the app accepts these. */
function createFinder(options: AppOptions): SchemaEngine | null {
  return options.integers !== 'number' ? createForLibraries(options, false) : null
}

function createForLibraries(options: AppOptions, coerceTypes: boolean | 'array'): SchemaEngine {
  return createSchemaEngine({
    ajv: { customOptions: { coerceTypes, removeAdditional: false } },
    jsonSchemaDialect: options.jsonSchemaDialect,
    schemaCompilation: options.schemaCompilation,
    codeGeneration: options.codeGeneration,
    // The library has no bigint where its JSON Schema has an integer.
    integers: options.integers === 'number' ? 'number' : 'exact',
    errorLimit: COERCION_ERRORS,
    // The library matches its patterns itself.
    onWarning: () => {},
  })
}
