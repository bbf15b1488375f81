import { isStandardSchema, type NormalizedRouteSchema } from '@cloister/schema'
import {
  BodyContent,
  findCapitalPatterns,
  findMisspeltNames,
  findRefusedDefaults,
  findUnmatchedValues,
} from '@cloister/schema/internal'

import { isRecord, recordOf } from '../../guards.ts'
import { warn } from '../../logging/warnings.ts'
import { JSON_TYPE } from '../../request/stages/validate-request.ts'
import { placeOf, unusableSchema, type RouteRecord } from '../route-record.ts'

/** Warns of expressions for header names that match none. */
export function warnOfPatterns(record: RouteRecord, headers: unknown): void {
  const pointers = isWarned(record) ? findCapitalPatterns(headers) : []
  if (pointers.length > 0)
    warn('HEADER_PATTERN_CAPITAL', { ...placeOf(record), pointers: pointers.join(', ') })
}

/** Parts of a request that arrive as text. */
const TEXT_PARTS = ['params', 'querystring', 'headers', 'cookies'] as const
/** Parts whose names do not come from the path. */
const NAMED_PARTS = ['querystring', 'headers', 'body'] as const

/** Returns the parts that are JSON Schemas, with their schemas. */
function jsonSchemas<Part extends string>(
  schema: NormalizedRouteSchema,
  parts: readonly Part[],
): [Part, unknown][] {
  const found: [Part, unknown][] = []
  for (const part of parts) {
    const one = schema[part]
    if (one !== undefined && !isStandardSchema(one)) found.push([part, one])
  }
  return found
}

/** Warns of values that no request has, because these parts arrive as text. */
export function warnOfValues(record: RouteRecord, schema: NormalizedRouteSchema): void {
  if (!isWarned(record)) return
  const { engine } = record.app
  for (const [part, one] of jsonSchemas(schema, TEXT_PARTS)) {
    if (!engine.hintsOf(one).values) continue
    const pointers = findUnmatchedValues(one)
    if (pointers.length > 0)
      warn('VALUE_UNMATCHED', { ...placeOf(record), part, pointers: pointers.join(', ') })
  }
}

/** Warns of required names that no request can have, or that are hardly meant. */
export function warnOfNames(record: RouteRecord, schema: NormalizedRouteSchema): void {
  if (!isWarned(record)) return
  const path = record.url
  const { params } = schema
  const absent = isStandardSchema(params)
    ? []
    : requiredOf(params).filter((name) => !path.includes(`:${name}`))
  if (absent.length > 0 && !path.includes('*'))
    warn('PARAM_ABSENT', { ...placeOf(record), names: absent.join("', '") })
  for (const [part, one] of jsonSchemas(schema, NAMED_PARTS)) {
    if (!record.app.engine.hintsOf(one).undeclared) continue
    const names = findMisspeltNames(one)
    if (names.length > 0) warn('REQUIRED_MISSPELT', { ...placeOf(record), part, names: names.join(', ') })
  }
}

function requiredOf(schema: unknown): string[] {
  const required = isRecord(schema) ? schema['required'] : undefined
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/**
 * Warns of defaults that refuse each request without the value, or refuses them.
 *
 * @returns with `strict: 'report'`, what `strict` would refuse
 * @throws `CLO_ERR_SCH_INVALID`
 */
export function checkDefaults(record: RouteRecord, schema: NormalizedRouteSchema): string | null {
  const reason = record.automatic ? null : refusedDefaults(record, schema)
  if (reason === null) return null
  const isRefused = record.app.options.refusedDefaults === 'refuse'
  if (!isWarned(record)) return isRefused ? reason : null
  if (isRefused) throw unusableSchema(record, reason)
  warn('DEFAULT_REFUSED', { ...placeOf(record), reason })
  return null
}

/** Describes the defaults that their own schema refuses; `null` if there are none. */
function refusedDefaults(record: RouteRecord, schema: NormalizedRouteSchema): string | null {
  const { options, engine } = record.app
  const { coerceTypes, useDefaults } = recordOf(recordOf(options.ajv)['customOptions'])
  if (useDefaults === false) return null
  const mode = typeof coerceTypes === 'boolean' ? coerceTypes : 'array'
  const find = (part: string, one: unknown, coercion: typeof mode): string[] =>
    engine.hintsOf(one).defaults ? findRefusedDefaults(one, coercion).map((at) => `${part}${at}`) : []
  const found = [
    ...jsonSchemas(schema, TEXT_PARTS).flatMap(([part, one]) => find(part, one, mode)),
    ...jsonSchemas(schema, ['body']).flatMap(([part, body]) =>
      (body instanceof BodyContent ? [...body.content] : [['application/json', body] as const]).flatMap(
        ([type, one]) => {
          // Forms, and what other parsers return, are always coerced.
          const isTyped = JSON_TYPE.test(type) && !options.coerceJsonBodies
          return isStandardSchema(one) ? [] : find(part, one, isTyped ? false : mode)
        },
      ),
    ),
  ]
  if (found.length === 0) return null
  const places = [...new Set(found)].join(', ')
  return `their own schema refuses these defaults, so that each request without the value gets a 400: ${places}; correct the default, or the schema beside it`
}

/** An automatic HEAD route has the schema of its GET route. */
const isWarned = (record: RouteRecord): boolean => !record.automatic && record.app === record.context.app
