import type { RouteOptionRow } from '../options/option-row.ts'
import { ROUTE_NAMES } from './option-data.ts'

/** The options that only routes have. In a sealed worker they were checked when it was built. */
export const routeOnlyOptions: Readonly<Record<string, RouteOptionRow>> = Object.fromEntries(
  ROUTE_NAMES.map((name) => [name, { doc: '' }]),
)
