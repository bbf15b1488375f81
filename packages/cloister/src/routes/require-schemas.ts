import { createError } from '../errors.ts'
import { isRecord } from '../functions.ts'
import type { AppOptions } from '../options/app-options.ts'
import type { BodyRule } from '../request/route-plan.ts'
import { routeLabel } from './route-record.ts'
import type { RouteRecord } from './route-record.ts'

/** What decides which schemas a route needs. */
export interface SchemaDemands {
  readonly options: Pick<AppOptions, 'requireSchemas'>
  readonly methods: { bodyRule(method: string): BodyRule }
}

/** A schema that a route may need. */
interface Part {
  readonly name: string
  /** other keys of `schema` that hold it */
  readonly also: readonly string[]
  /** whether requests of the route have the part */
  readonly occurs: (record: RouteRecord, app: SchemaDemands) => boolean
}

const PARTS: readonly Part[] = [
  { name: 'params', also: [], occurs: ({ url }) => /(?<!:):[^:]|\*/.test(url) },
  { name: 'querystring', also: ['query'], occurs: () => true },
  { name: 'body', also: [], occurs: ({ method }, { methods }) => mayHaveBody(methods.bodyRule(method)) },
  { name: 'response', also: [], occurs: () => true },
]

const mayHaveBody = (rule: BodyRule): boolean => rule !== 'never' && rule !== 'seldom'

/**
 * Refuses routes without the schemas that the app, or the route itself, demands.
 *
 * @throws `CLO_ERR_SCH_REQUIRED` with every schema that is missing, and the call site of its route
 * @throws `CLO_ERR_ROUTE_OPTION_INVALID` when the option of a route is no boolean and no list of parts
 */
export function requireSchemas(app: SchemaDemands, records: readonly RouteRecord[]): void {
  const missing = records.flatMap((record) => {
    // The HEAD route beside a GET one has its options.
    const parts = record.automatic ? [] : missingParts(app, record)
    return parts.length === 0
      ? []
      : `${routeLabel(record)} lacks ${parts.join(', ')} (at ${record.callSite.toString()})`
  })
  if (missing.length > 0) throw createError('SCH_REQUIRED', { missing: missing.join('; ') })
}

function missingParts(app: SchemaDemands, record: RouteRecord): string[] {
  const wanted = demandOf(record, app.options.requireSchemas)
  if (wanted === false) return []
  const schema = isRecord(record.options['schema']) ? record.options['schema'] : {}
  return PARTS.filter(
    ({ name, also, occurs }) =>
      (wanted === true || wanted.includes(name)) &&
      [name, ...also].every((key) => schema[key] == null) &&
      occurs(record, app),
  ).map(({ name }) => name)
}

/** What the route demands, or the app where the route says nothing. */
function demandOf(record: RouteRecord, ofApp: boolean | readonly string[]): boolean | readonly unknown[] {
  const { requireSchemas: own } = record.options
  if (own == null) return ofApp
  if (typeof own === 'boolean') return own
  const names = PARTS.map(({ name }) => name)
  const wanted: readonly unknown[] = Array.isArray(own) ? own : [own]
  if (Array.isArray(own) && wanted.every((name) => names.some((known) => known === name))) return wanted
  const problem = `'requireSchemas' must be a boolean or an array of ${names.join(', ')} (at ${record.callSite.toString()})`
  throw createError('ROUTE_OPTION_INVALID', { route: routeLabel(record), problem })
}
