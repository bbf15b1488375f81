import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import { isFunction } from '../functions.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import type { RouteTable } from '../routes/route-table.ts'

/** Describes a route: the hooks that will run, by name, and who handles its errors. */
export function describeRoute({ context, options }: RouteRecord): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const name of REQUEST_HOOK_NAMES) {
    const own = [options[name] ?? []].flat().filter(isFunction)
    const names = [...context.hooksInForce(name).map(({ fn }) => fn), ...own].map(
      (fn) => `${fn.name || 'anonymous'}()`,
    )
    if (names.length > 0) described[name] = names
  }
  const handler = isFunction(options['errorHandler'])
    ? options['errorHandler']
    : context.setting('errorHandler')?.value
  if (handler != null) described['errorHandler'] = `${handler.name || 'anonymous'}()`
  return described
}

/**
 * The routes as a tree of text.
 *
 * @param options - `method`, `commonPrefix` (default true), `includeMeta` and `includeHooks`
 */
export function printRoutes(routes: RouteTable, options: Readonly<Record<string, unknown>>): string {
  const { includeHooks, includeMeta, ...rest } = options
  return routes.print({ ...rest, includeMeta: includeHooks === true ? true : (includeMeta ?? false) })
}
