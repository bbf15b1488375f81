import { isStandardSchema } from '@cloister/schema'
import {
  findCapitalPatterns,
  findIdleKeywords,
  findMisspeltNames,
  findUnmatchedValues,
} from '@cloister/schema/internal'

import { isRecord, recordOf, type Dictionary } from '../../guards.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import { warn } from '../../logging/warnings.ts'
import { placeOf, type RouteRecord } from '../route-record.ts'
import { isWarned, type DoubtfulPart } from './check-defaults.ts'

/** Warns of expressions for header names that match none. */
export function warnOfPatterns(record: RouteRecord, headers: unknown): void {
  const pointers = isWarned(record) ? findCapitalPatterns(headers) : []
  if (pointers.length > 0)
    warn('HEADER_PATTERN_CAPITAL', { ...placeOf(record), pointers: pointers.join(', ') })
}

/**
 * Warns of mistakes in the schemas of a request.
 *
 * @param isOurs - whether our validators check the schemas
 */
export function warnOfParts(
  record: RouteRecord,
  params: unknown,
  parts: readonly DoubtfulPart[],
  isOurs: boolean,
): void {
  warnOfValues(record, parts)
  warnOfNames(record, params, parts)
  if (isOurs) warnOfKeywords(record, parts)
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
