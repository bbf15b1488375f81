import { isRecord } from '../functions.ts'
import type { AppOptions } from '../options/app-options.ts'
import { unknownOptions } from '../options/check-options.ts'

/** The options that `app.initialConfig` shows. */
const SHOWN = [
  'connectionTimeout',
  'keepAliveTimeout',
  'maxRequestsPerSocket',
  'headersTimeout',
  'requestTimeout',
  'writeTimeout',
  'maxHeadersCount',
  'handlerTimeout',
  'forceCloseConnections',
  'bodyLimit',
  'caseSensitive',
  'allowUnsafeRegex',
  'http2',
  'ignoreTrailingSlash',
  'ignoreDuplicateSlashes',
  'disableRequestLogging',
  'maxParamLength',
  'onProtoPoisoning',
  'onConstructorPoisoning',
  'pluginTimeout',
  'requestIdHeader',
  'requestIdLogLabel',
  'http2SessionTimeout',
  'exposeHeadRoutes',
  'useSemicolonDelimiter',
  'return503OnClosing',
  'jsonShorthand',
  'schemaCompilation',
  'serialization',
  'exposeErrors',
] as const satisfies readonly (keyof AppOptions)[]

/** Those that it shows once more below `routerOptions`, for apps that have written some there. */
const SHOWN_OF_ROUTER = [
  'ignoreTrailingSlash',
  'ignoreDuplicateSlashes',
  'caseSensitive',
  'allowUnsafeRegex',
  'maxParamLength',
  'useSemicolonDelimiter',
  'compile',
] as const satisfies readonly (keyof AppOptions)[]

function pick(options: AppOptions, names: readonly (keyof AppOptions)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, options[name]]))
}

/** What the application hands to its plugins through the factory. */
function pickGiven(given: unknown): Record<string, unknown> {
  return isRecord(given) ? Object.fromEntries(unknownOptions(given).map((name) => [name, given[name]])) : {}
}

/**
 * The checked options that plugins may read; keys and certificates are not among them.
 *
 * @param given - the options as the application wrote them
 */
export function publicConfig(options: AppOptions, given: unknown): Readonly<Record<string, unknown>> {
  const shown = { ...pickGiven(given), ...pick(options, SHOWN) }
  if (isRecord(given) && isRecord(given['routerOptions']))
    shown['routerOptions'] = Object.freeze(pick(options, SHOWN_OF_ROUTER))
  if (options.https !== null)
    shown['https'] =
      'allowHTTP1' in options.https ? Object.freeze({ allowHTTP1: options.https['allowHTTP1'] }) : true
  if (options.constraints !== null) shown['constraints'] = Object.freeze({ ...options.constraints })
  return Object.freeze(shown)
}
