import type { RouteTable } from './route-table.ts'

/**
 * The routes as a tree of text.
 *
 * @param options - `method`, `commonPrefix` (default true), `includeMeta` and `includeHooks`
 */
export function printRoutes(routes: RouteTable, options: Readonly<Record<string, unknown>>): string {
  const { includeHooks, includeMeta, ...rest } = options
  return routes.print({ ...rest, includeMeta: includeHooks === true ? true : (includeMeta ?? false) })
}
