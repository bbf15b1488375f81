import { isStandardSchema, type NormalizedRouteSchema } from '@cloister/schema'
import {
  BodyContent,
  findCapitalPatterns,
  findIdleKeywords,
  findMisspeltNames,
  findRefusedDefaults,
  findUnmatchedValues,
  type SchemaHints,
} from '@cloister/schema/internal'

import { isRecord, recordOf, type Dictionary } from '../../guards.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import { warn } from '../../logging/warnings.ts'
import { JSON_TYPE } from '../../request/stages/validate-request.ts'
import { placeOf, unusableSchema, type RouteRecord } from '../route-record.ts'

/** Warns of expressions for header names that match none. */
export function warnOfPatterns(record: RouteRecord, headers: unknown): void {
  const pointers = isWarned(record) ? findCapitalPatterns(headers) : []
  if (pointers.length > 0)
    warn('HEADER_PATTERN_CAPITAL', { ...placeOf(record), pointers: pointers.join(', ') })
}

/**
 * Warns of mistakes in the schemas of a request, or refuses them. Call it after the validators are compiled.
 *
 * @param isOurs - whether our validators check the schemas
 * @returns with `strict: 'report'`, the defaults that `strict` would refuse
 * @throws `CLO_ERR_SCH_INVALID`
 */
export function checkForMistakes(
  record: RouteRecord,
  schema: NormalizedRouteSchema,
  isOurs: boolean,
): string | null {
  const parts = doubtfulParts(record, schema)
  warnOfValues(record, parts)
  warnOfNames(record, schema.params, parts)
  if (!isOurs) return null
  warnOfKeywords(record, parts)
  return checkDefaults(record, parts)
}

/** The parts of a request that may have a JSON Schema. */
const PARTS = ['params', 'querystring', 'headers', 'cookies', 'body'] as const

/** A part with a JSON Schema that may contain a mistake. */
interface DoubtfulPart extends SchemaHints {
  readonly part: (typeof PARTS)[number]
  readonly schema: unknown
}

/** Returns the parts in which the checks below may find something. */
function doubtfulParts({ app }: RouteRecord, schema: NormalizedRouteSchema): readonly DoubtfulPart[] {
  const parts: DoubtfulPart[] = []
  for (const part of PARTS) {
    const one = schema[part]
    if (one === undefined || isStandardSchema(one)) continue
    const hints = app.engine.hintsOf(one)
    if (Object.values(hints).includes(true)) parts.push({ part, schema: one, ...hints })
  }
  return parts
}

/** Warns of values that no request has, because all parts but the body arrive as text. */
function warnOfValues(record: RouteRecord, parts: readonly DoubtfulPart[]): void {
  if (!isWarned(record)) return
  for (const { part, schema, values } of parts) {
    const pointers = values && part !== 'body' ? findUnmatchedValues(schema) : []
    if (pointers.length > 0)
      warn('VALUE_UNMATCHED', { ...placeOf(record), part, pointers: pointers.join(', ') })
  }
}

/** Parts whose names do not come from the path. */
const NAMED_PARTS: readonly DoubtfulPart['part'][] = ['querystring', 'headers', 'body']

/** Warns of required names that no request can have, or that are hardly meant. */
function warnOfNames(record: RouteRecord, params: unknown, parts: readonly DoubtfulPart[]): void {
  if (!isWarned(record)) return
  const path = record.url
  const named = isRecord(params) && !isStandardSchema(params) ? params : {}
  const absent = requiredOf(named).filter((name) => !path.includes(`:${name}`))
  if (absent.length > 0 && !path.includes('*'))
    warn('PARAM_ABSENT', { ...placeOf(record), names: absent.join("', '") })
  else if (isRecord(named['properties'])) warnOfParams(record, named['properties'])
  for (const { part, schema, undeclared } of parts) {
    if (!undeclared || !NAMED_PARTS.includes(part)) continue
    const names = findMisspeltNames(schema)
    if (names.length > 0) warn('REQUIRED_MISSPELT', { ...placeOf(record), part, names: names.join(', ') })
  }
}

/** Warns of keywords that check nothing, such as `properties` beside `type: 'array'`, unless Ajv would not either. */
function warnOfKeywords(record: RouteRecord, parts: readonly DoubtfulPart[]): void {
  for (const { part, schema, idle } of parts) {
    const keywords = idle && checksTypes(record.app.options) ? findIdleKeywords(schema) : []
    if (keywords.length > 0 && isWarned(record))
      warn('KEYWORD_IDLE', { ...placeOf(record), part, keywords: keywords.join(', ') })
  }
}

/** Whether Ajv would log such keywords. */
function checksTypes({ ajv }: AppOptions): boolean {
  const { strict, strictTypes = strict } = recordOf(recordOf(ajv)['customOptions'])
  return strictTypes !== false
}

/**
 * Warns of declared names that the path does not have, if it has another name that the schema lacks. Without such a
 * name, several routes may share the schema.
 */
function warnOfParams(record: RouteRecord, properties: Dictionary): void {
  const names = [...record.url.replaceAll(/\(.*?\)|::/g, '').matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const unknown = names.filter((name) => !Object.hasOwn(properties, name))
  const absent = Object.keys(properties).filter((name) => name !== '*' && !names.includes(name))
  if (unknown.length === 0 || absent.length === 0) return
  warn('PARAM_UNDECLARED', { ...placeOf(record), absent: absent.join("', '"), names: unknown.join("', '") })
}

function requiredOf({ required }: Dictionary): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Warns of defaults that refuse each request without the value, or refuses them. */
function checkDefaults(record: RouteRecord, parts: readonly DoubtfulPart[]): string | null {
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
const isWarned = (record: RouteRecord): boolean => !record.automatic && record.app === record.context.app
