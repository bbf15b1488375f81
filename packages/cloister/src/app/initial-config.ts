import { isRecord } from '../guards.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { unknownOptions } from '../options/check-options.ts'
import { OPTIONS, optionNames, ROUTER_OPTIONS } from '../options/option-table.ts'

/** The options that `app.initialConfig` always shows. */
const SHOWN = optionNames(({ shown }) => shown === 'always')

/** Those that it shows for apps that have given them. */
const SHOWN_WHERE_GIVEN = optionNames(({ shown }) => shown === 'given')

/** Those that it shows once more below `routerOptions`, for apps that have written some there. */
const SHOWN_OF_ROUTER = ROUTER_OPTIONS.filter((name) => OPTIONS.get(name)?.shown !== undefined)

function pick(options: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(options, name)]))
}

/**
 * The checked options that plugins may read, with those that the application gives to plugins through the factory. Keys
 * and certificates are not among them.
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
