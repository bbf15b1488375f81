import { isRecord } from '../guards.ts'
import type { RouteRecord } from './route-record.ts'
import type { RouteTable } from './route-table.ts'

/** The query of the application for a route. */
interface Query {
  readonly method: string
  readonly url: string
  readonly constraints: Readonly<Record<string, unknown>>
}

/** A route that a path reaches, or that is defined with it. */
export interface FoundRoute {
  readonly record: RouteRecord
  readonly params: unknown
  readonly queryText: string
}

/**
 * Whether a route is defined with this path as it is written there, or matches this path. A route that ends in a
 * wildcard matches whatever has no route of its own, so it counts for its own path alone.
 */
export function hasRoute(routes: RouteTable, options: unknown): boolean {
  const { method, url, constraints } = readQuery(options)
  if (routes.lookup(method, url, constraints) !== null) return true
  const match = routes.match(method, url, constraints)
  return match !== null && !match.record.url.endsWith('*')
}

/** Returns the route that a path reaches, or that is defined with it. */
export function findRoute(routes: RouteTable, options: unknown): FoundRoute | null {
  const { method, url, constraints } = readQuery(options)
  const match = routes.match(method, url, constraints)
  if (match !== null) return match
  const record = routes.lookup(method, url, constraints)
  return record === null ? null : { record, params: {}, queryText: '' }
}

function readQuery(options: unknown): Query {
  const { method = '', url = '', constraints } = isRecord(options) ? options : {}
  return {
    method: String(method).toUpperCase(),
    url: String(url),
    constraints: isRecord(constraints) ? constraints : {},
  }
}
