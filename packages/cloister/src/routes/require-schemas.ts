import { createError } from '../errors.ts'
import { isRecord } from '../guards.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { settingsOf } from '../options/route-options.ts'
import type { BodyRule } from '../request/route-plan.ts'
import { routeLabel, type RouteRecord } from './route-record.ts'

/** The parts of an app that decide which schemas a route needs. */
export interface SchemaDemands {
  readonly options: AppOptions
  readonly methods: { bodyRule(method: string): BodyRule }
}

interface Part {
  readonly name: string
  /** other keys of `schema` that may contain it */
  readonly also: readonly string[]
  /** returns whether requests of the route have the part */
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
 * Rejects routes without the schemas that the app or the route itself requires.
 *
 * @throws `CLO_ERR_SCH_REQUIRED` with all missing schemas and the call sites of their routes
 */
export function requireSchemas(app: SchemaDemands, records: readonly RouteRecord[]): void {
  const missing = records.flatMap((record) => {
    // An automatic HEAD route has the options of its GET route.
    const parts = record.automatic ? [] : missingParts(app, record)
    return parts.length === 0
      ? []
      : `${routeLabel(record)} lacks ${parts.join(', ')} (at ${record.callSite.toString()})`
  })
  if (missing.length > 0) throw createError('SCH_REQUIRED', { missing: missing.join('; ') })
}

function missingParts(app: SchemaDemands, record: RouteRecord): string[] {
  const wanted: boolean | readonly string[] = settingsOf(record.options, app.options).requireSchemas
  if (wanted === false) return []
  const schema = isRecord(record.options['schema']) ? record.options['schema'] : {}
  return PARTS.filter(
    ({ name, also, occurs }) =>
      (wanted === true || wanted.includes(name)) &&
      [name, ...also].every((key) => schema[key] == null) &&
      occurs(record, app),
  ).map(({ name }) => name)
}
