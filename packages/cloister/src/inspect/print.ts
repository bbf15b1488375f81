import type { RouteRecord } from '../routes/route-record.ts'
import type { RouteTable } from '../routes/route-table.ts'
import { describeRoute } from './describe.ts'
import type { PluginDescription } from '../types/description.generated.ts'

/** Prints the plugins as a text tree with their load times in milliseconds. */
export function printPlugins(
  { name, tookMs, children }: PluginDescription,
  start: string = '',
  indent: string = '',
): string {
  const line = `${start}${name} ${Math.round(tookMs)} ms\n`
  const rest = children.map((child, index) =>
    index === children.length - 1
      ? printPlugins(child, `${indent}└── `, `${indent}    `)
      : printPlugins(child, `${indent}├── `, `${indent}│   `),
  )
  return line + rest.join('')
}

/** Returns the metadata that `printRoutes` shows for a route: the names of its hooks and of its error handler. */
export function routeMeta(record: RouteRecord): Record<string, unknown> {
  const { hooks, errorHandlers } = describeRoute(record)
  const names: Record<string, string[]> = {}
  for (const { name, fn } of hooks) (names[name] ??= []).push(`${fn}()`)
  const [nearest] = errorHandlers
  return nearest === undefined ? names : { ...names, errorHandler: `${nearest.fn}()` }
}

/**
 * Prints the routes as a text tree. The router creates it, because the tree has the shape of the paths.
 *
 * @param options - `method`, `commonPrefix` (default true), `includeMeta` and `includeHooks`
 */
export function printRoutes(routes: RouteTable, options: Readonly<Record<string, unknown>>): string {
  const { method, commonPrefix, includeHooks, includeMeta } = options
  const keys: unknown = includeHooks === true ? true : includeMeta
  return routes.print({
    method: typeof method === 'string' ? method : undefined,
    commonPrefix: commonPrefix !== false,
    includeMeta: Array.isArray(keys)
      ? keys.filter((key) => typeof key === 'string' || typeof key === 'symbol')
      : Boolean(keys),
  })
}
