import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import { ROUTE_OPTIONS } from '../options/route-options.ts'
import type { RouteOptions } from './route-record.ts'

/** The names of all route options. */
export const KNOWN: readonly string[] = [...ROUTE_OPTIONS, ...REQUEST_HOOK_NAMES]

/** Options that the framework adds for `onRoute` hooks, which may pass them on when they define further routes. */
export const PLACEMENT: readonly string[] = ['routePath', 'prefix']

/** Returns the names of route options that the framework does not read. */
export function pluginOptions(options: RouteOptions): string[] {
  return Object.keys(options).filter((name) => !KNOWN.includes(name) && !PLACEMENT.includes(name))
}
