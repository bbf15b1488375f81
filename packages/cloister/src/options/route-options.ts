import { createError } from '../errors.ts'
import type { AppOptions, SharedOption } from './checked-options.generated.ts'
import { mustBe, type RouteCheck } from './option-row.ts'
import { OPTIONS } from './option-table.ts'
import { routeOnlyOptions } from './rows/routes.ts'
import type { Dictionary } from '../guards.ts'

/** The options of the app that routes can override. */
export type RouteSettings = Readonly<Pick<AppOptions, SharedOption>>

/** How the values of shared options are read and checked. */
const SHARED = new Map(
  [...OPTIONS].flatMap(([name, { kind: ofApp, route }]) => {
    if (route === undefined) return []
    const { kind = ofApp, refuse } = route
    const check: RouteCheck = (given, _name, label) => {
      if (kind.read(given) !== undefined) return null
      const problem = mustBe(name, kind, given)
      return refuse?.(given) ?? createError('ROUTE_OPTION_INVALID', { route: label, problem })
    }
    return [[name, { kind, check }] as const]
  }),
)

const CHECKS = new Map<string, { readonly check?: RouteCheck }>([
  ...Object.entries(routeOnlyOptions),
  ...SHARED,
])

/** The names of all route options except hooks. */
export const ROUTE_OPTIONS: readonly string[] = [...CHECKS.keys()]

/**
 * Checks the values of route options.
 *
 * @throws `CLO_ERR_ROUTE_OPTION_INVALID`, `CLO_ERR_SETTING_NOT_FN` and the errors that the rows name
 */
export function checkRouteValues(given: Dictionary, label: string): void {
  for (const name in given) {
    const value = given[name]
    const problem = value == null ? null : CHECKS.get(name)?.check?.(value, name, label)
    if (problem != null) throw problem
  }
}

/** Returns the settings of a route: its own options, with those of the app as defaults. */
export function settingsOf(own: Dictionary, app: AppOptions): RouteSettings {
  let given: Record<string, unknown> | null = null
  // Only own options count, so a polluted `Object.prototype` sets nothing.
  for (const name of Object.keys(own)) {
    const value = own[name] == null ? undefined : SHARED.get(name)?.kind.read(own[name])
    if (value !== undefined) (given ??= {})[name] = value
  }
  return given === null ? app : Object.freeze({ ...app, ...given })
}
