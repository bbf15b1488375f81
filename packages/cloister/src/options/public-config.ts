import { isRecord, type Dictionary } from '../guards.ts'
import type { AppOptions } from './checked-options.generated.ts'
import { OPTIONS, ROUTER_OPTIONS } from './option-table.ts'

/** Options that stand for others. */
const FOLDED: readonly string[] = ['routerOptions', 'versioning']

/** Returns the names that aren't options of the framework. Plugins may read them. */
export function unknownOptions(given: Dictionary): string[] {
  return Object.keys(given).filter((name) => !OPTIONS.has(name) && !FOLDED.includes(name))
}

/**
 * Returns `app.initialConfig`: the checked options that plugins may read, and the unknown options that the application
 * passes on to plugins. It contains no keys or certificates.
 *
 * @param given - the options as the application wrote them
 */
export function publicConfig(options: AppOptions, given: Dictionary): Dictionary {
  const shown = Object.fromEntries(unknownOptions(given).map((name) => [name, given[name]]))
  const ofRouter: Record<string, unknown> = {}
  for (const [name, { shown: when }] of OPTIONS) {
    const value: unknown = Reflect.get(options, name)
    if (when === 'always' || (when === 'given' && given[name] !== undefined)) shown[name] = value
    if (when !== undefined && ROUTER_OPTIONS.includes(name)) ofRouter[name] = value
  }
  if (isRecord(given['routerOptions'])) shown['routerOptions'] = Object.freeze(ofRouter)
  const { https, constraints } = options
  if (https !== null)
    shown['https'] = 'allowHTTP1' in https ? Object.freeze({ allowHTTP1: https['allowHTTP1'] }) : true
  if (constraints !== null) shown['constraints'] = Object.freeze({ ...constraints })
  return Object.freeze(shown)
}
