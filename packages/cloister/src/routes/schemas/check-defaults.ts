import { isStandardSchema, type NormalizedRouteSchema } from '@cloister/schema'
import { BodyContent, findRefusedDefaults, type SchemaHints } from '@cloister/schema/internal'

import { recordOf } from '../../guards.ts'
import { warn } from '../../logging/warnings.ts'
import { JSON_TYPE } from '../../request/stages/validate-request.ts'
import { placeOf, unusableSchema, type RouteRecord } from '../route-record.ts'

/** The parts of a request that may have a JSON Schema. */
const PARTS = ['params', 'querystring', 'headers', 'cookies', 'body'] as const

/** A part with a JSON Schema that may contain a mistake. */
export interface DoubtfulPart extends SchemaHints {
  readonly part: (typeof PARTS)[number]
  readonly schema: unknown
}

/** Returns the parts in which checks may find something. Call it after the validators are compiled. */
export function doubtfulParts({ app }: RouteRecord, schema: NormalizedRouteSchema): readonly DoubtfulPart[] {
  const parts: DoubtfulPart[] = []
  for (const part of PARTS) {
    const one = schema[part]
    if (one === undefined || isStandardSchema(one)) continue
    const hints = app.engine.hintsOf(one)
    if (Object.values(hints).includes(true)) parts.push({ part, schema: one, ...hints })
  }
  return parts
}

/**
 * Warns of defaults that refuse each request without the value, or refuses them.
 *
 * @returns with `strict: 'report'`, what `strict` would refuse
 * @throws `CLO_ERR_SCH_INVALID`
 */
export function checkDefaults(record: RouteRecord, parts: readonly DoubtfulPart[]): string | null {
  const reason = record.automatic ? null : refusedDefaults(record, parts)
  if (reason === null) return null
  const isRefused = record.app.options.refusedDefaults === 'refuse'
  if (!isWarned(record)) return isRefused ? reason : null
  if (isRefused) throw unusableSchema(record, reason)
  warn('DEFAULT_REFUSED', { ...placeOf(record), reason })
  return null
}

/** Describes the defaults that their own schema refuses; `null` if there are none. */
function refusedDefaults(record: RouteRecord, parts: readonly DoubtfulPart[]): string | null {
  const doubtful = parts.filter(({ defaults }) => defaults)
  if (doubtful.length === 0) return null
  const { options, engine } = record.app
  const { coerceTypes, useDefaults } = recordOf(recordOf(options.ajv)['customOptions'])
  if (useDefaults === false) return null
  const mode = typeof coerceTypes === 'boolean' ? coerceTypes : 'array'
  // Of a body with media types, each schema has hints of its own.
  const find = (part: string, one: unknown, coercion: typeof mode): string[] =>
    isStandardSchema(one) || !engine.hintsOf(one).defaults
      ? []
      : findRefusedDefaults(one, coercion).map((at) => `${part}${at}`)
  const found = doubtful.flatMap(({ part, schema }) => {
    if (part !== 'body') return find(part, schema, mode)
    const content =
      schema instanceof BodyContent ? [...schema.content] : [['application/json', schema] as const]
    // Forms, and what other parsers return, are always coerced.
    return content.flatMap(([type, one]) =>
      find(part, one, JSON_TYPE.test(type) && !options.coerceJsonBodies ? false : mode),
    )
  })
  if (found.length === 0) return null
  const places = [...new Set(found)].join(', ')
  return `their own schema refuses these defaults, so that each request without the value gets a 400: ${places}; correct the default, or the schema beside it`
}

/** An automatic HEAD route has the schema of its GET route. */
export const isWarned = (record: RouteRecord): boolean =>
  !record.automatic && record.app === record.context.app
