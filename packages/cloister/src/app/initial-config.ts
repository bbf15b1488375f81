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

/** The options that the application gives to its plugins through the factory. */
function pickUnknown(given: unknown): Record<string, unknown> {
  return isRecord(given) ? pick(given, unknownOptions(given)) : {}
}

function pickGiven(options: AppOptions, given: unknown): Record<string, unknown> {
  return isRecord(given)
    ? pick(
        options,
        SHOWN_WHERE_GIVEN.filter((name) => given[name] !== undefined),
      )
    : {}
}

/**
 * The checked options that plugins may read; keys and certificates are not among them.
 *
 * @param given - the options as the application wrote them
 */
export function publicConfig(options: AppOptions, given: unknown): Readonly<Record<string, unknown>> {
  const shown = { ...pickUnknown(given), ...pickGiven(options, given), ...pick(options, SHOWN) }
  if (isRecord(given) && isRecord(given['routerOptions']))
    shown['routerOptions'] = Object.freeze(pick(options, SHOWN_OF_ROUTER))
  if (options.https !== null)
    shown['https'] =
      'allowHTTP1' in options.https ? Object.freeze({ allowHTTP1: options.https['allowHTTP1'] }) : true
  if (options.constraints !== null) shown['constraints'] = Object.freeze({ ...options.constraints })
  return Object.freeze(shown)
}
