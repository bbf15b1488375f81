import { createError } from '../errors.ts'
import type { AppOptions, SharedOption } from './checked-options.generated.ts'
import { mustBe } from './option-row.ts'
import { OPTIONS } from './option-table.ts'
import { routeOnlyOptions } from './rows/routes.ts'
import type { Dictionary } from '../guards.ts'

/** The options of the app that routes can override. */
export type RouteSettings = Readonly<Pick<AppOptions, SharedOption>>

const SHARED = [...OPTIONS].flatMap(([name, { kind, route }]) =>
  route === undefined ? [] : [{ name, kind: route.kind ?? kind, route }],
)

/** The names of all route options except hooks. */
export const ROUTE_OPTIONS: readonly string[] = [
  ...Object.keys(routeOnlyOptions),
  ...SHARED.map(({ name }) => name),
]

/**
 * Checks the values of route options.
 *
 * @throws `CLO_ERR_ROUTE_OPTION_INVALID`, `CLO_ERR_SETTING_NOT_FN` and the errors that the rows name
 */
export function checkRouteValues(given: Dictionary, label: string): void {
  for (const { name, kind, route } of SHARED) {
    const value = given[name]
    if (value == null || kind.read(value) !== undefined) continue
    if (route.refuse !== undefined) throw route.refuse(value)
    throw createError('ROUTE_OPTION_INVALID', { route: label, problem: mustBe(name, kind, value) })
  }
  for (const [name, { check }] of Object.entries(routeOnlyOptions)) {
    const problem = given[name] == null ? null : check?.(given[name], name, label)
    if (problem != null) throw problem
  }
}

/** Returns the settings of a route: its own options, with those of the app as defaults. */
export function settingsOf(own: Dictionary, app: AppOptions): RouteSettings {
  const given = SHARED.flatMap(({ name, kind }) => {
    // Only own options count, so a polluted `Object.prototype` sets nothing.
    const value = Object.hasOwn(own, name) && own[name] != null ? kind.read(own[name]) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return given.length === 0 ? app : Object.freeze({ ...app, ...Object.fromEntries<unknown>(given) })
}
