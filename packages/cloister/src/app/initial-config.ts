import { isRecord } from '../guards.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { unknownOptions } from '../options/check-options.ts'
import { OPTIONS, optionNames, ROUTER_OPTIONS } from '../options/option-table.ts'

/** Options that `app.initialConfig` always shows. */
const SHOWN = optionNames(({ shown }) => shown === 'always')

/** Options that it shows only if the application set them. */
const SHOWN_WHERE_GIVEN = optionNames(({ shown }) => shown === 'given')

/** Options that it repeats below `routerOptions` if the application set them there. */
const SHOWN_OF_ROUTER = ROUTER_OPTIONS.filter((name) => OPTIONS.get(name)?.shown !== undefined)

function pick(options: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(options, name)]))
}

/**
 * Returns `app.initialConfig`: the checked options that plugins may read, and the unknown options that the application
 * passes on to plugins. It contains no keys or certificates.
 *
 * @param given - the options as the application wrote them
 */
export function publicConfig(
  options: AppOptions,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { https, constraints } = options
  const whereGiven = SHOWN_WHERE_GIVEN.filter((name) => given[name] !== undefined)
  const shown = {
    ...pick(given, unknownOptions(given)),
    ...pick(options, [...whereGiven, ...SHOWN]),
  }
  if (isRecord(given['routerOptions'])) shown['routerOptions'] = Object.freeze(pick(options, SHOWN_OF_ROUTER))
  if (https !== null)
    shown['https'] = 'allowHTTP1' in https ? Object.freeze({ allowHTTP1: https['allowHTTP1'] }) : true
  if (constraints !== null) shown['constraints'] = Object.freeze({ ...constraints })
  return Object.freeze(shown)
}
