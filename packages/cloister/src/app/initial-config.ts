import type { AppOptions } from '../options.ts'

/** The options that `app.initialConfig` shows. */
const SHOWN = [
  'connectionTimeout',
  'keepAliveTimeout',
  'maxRequestsPerSocket',
  'requestTimeout',
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

/** The checked options that plugins may read; keys and certificates are not among them. */
export function publicConfig(options: AppOptions): Readonly<Record<string, unknown>> {
  const shown: Record<string, unknown> = {}
  for (const name of SHOWN) shown[name] = options[name]
  if (options.https !== null)
    shown['https'] = 'allowHTTP1' in options.https ? { allowHTTP1: options.https['allowHTTP1'] } : true
  return Object.freeze(shown)
}
