import { isStandardSchema, type NormalizedRouteSchema } from '@cloister/schema'
import { findCapitalPatterns, findMisspeltNames, findUnmatchedValues } from '@cloister/schema/internal'

import { isRecord } from '../../guards.ts'
import { warn } from '../../logging/warnings.ts'
import { placeOf, type RouteRecord } from '../route-record.ts'

/** Warns of expressions for header names that match none. */
export function warnOfPatterns(record: RouteRecord, headers: unknown): void {
  const pointers = isWarned(record) ? findCapitalPatterns(headers) : []
  if (pointers.length > 0)
    warn('HEADER_PATTERN_CAPITAL', { ...placeOf(record), pointers: pointers.join(', ') })
}

/** Parts of a request that arrive as text. */
const TEXT_PARTS = ['params', 'querystring', 'headers', 'cookies'] as const

/** Warns of values that no request has, because these parts arrive as text. */
export function warnOfValues(record: RouteRecord, schema: NormalizedRouteSchema): void {
  if (!isWarned(record)) return
  for (const part of TEXT_PARTS) {
    const pointers = isStandardSchema(schema[part]) ? [] : findUnmatchedValues(schema[part])
    if (pointers.length > 0)
      warn('VALUE_UNMATCHED', { ...placeOf(record), part, pointers: pointers.join(', ') })
  }
}

/** Warns of required names that no request can have, or that are hardly meant. */
export function warnOfNames(
  record: RouteRecord,
  { params, querystring, headers, body }: NormalizedRouteSchema,
): void {
  if (!isWarned(record)) return
  const path = record.url
  const absent = isStandardSchema(params)
    ? []
    : requiredOf(params).filter((name) => !path.includes(`:${name}`))
  if (absent.length > 0 && !path.includes('*'))
    warn('PARAM_ABSENT', { ...placeOf(record), names: absent.join("', '") })
  for (const [part, schema] of Object.entries({ querystring, headers, body })) {
    const names = isStandardSchema(schema) ? [] : findMisspeltNames(schema)
    if (names.length > 0) warn('REQUIRED_MISSPELT', { ...placeOf(record), part, names: names.join(', ') })
  }
}

function requiredOf(schema: unknown): string[] {
  const required = isRecord(schema) ? schema['required'] : undefined
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** An automatic HEAD route has the schema of its GET route. */
const isWarned = (record: RouteRecord): boolean => !record.automatic && record.app === record.context.app
