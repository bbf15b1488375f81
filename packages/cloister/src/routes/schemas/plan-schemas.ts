import {
  findCapitalPatterns,
  isStandardSchema,
  lowerHeaderNames,
  normalizeRouteSchema,
  SchemaError,
  type NormalizedRouteSchema,
} from '@cloister/schema'

import type { ParserLookup } from '../../body/parser-table.ts'
import { createError } from '../../errors.ts'
import { isRecord } from '../../guards.ts'
import { warn } from '../../logging/warnings.ts'
import type { PlanSerializers, PlanValidators } from '../../request/route-plan.ts'
import type { CompilersInCharge } from './compilers.ts'
import { planForm, withFormParsers } from './plan-forms.ts'
import { planSerializers } from './plan-serializers.ts'
import { planValidators } from './plan-validators.ts'
import { publicSchema } from './public-schema.ts'
import { routeLabel, type RouteRecord } from '../route-record.ts'

export interface PlanSchemas {
  readonly validators: PlanValidators | null
  readonly serializers: PlanSerializers | null
  /** the parsers of the context, and those of forms in the body schema */
  readonly parsers: ParserLookup
  /** the schemas as the application will see them */
  readonly shown: unknown
}

/**
 * Compiles the schemas of a route.
 *
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`, `CLO_ERR_SCH_SERIALIZATION_BUILD` and related errors, with route, part, call
 * site and reason
 */
export function planSchemas(
  record: RouteRecord,
  compilers: CompilersInCharge,
  parsers: ParserLookup,
): PlanSchemas {
  const { schema } = record.options
  if (schema === undefined || schema === null)
    return { validators: null, serializers: null, parsers, shown: undefined }
  const { full, lowered } = normalize(record, schema)
  const form = planForm(record, full)
  return {
    validators: planValidators(record, lowered, compilers.validator, form),
    parsers: withFormParsers(parsers, record, full, form),
    serializers: planSerializers(record, full, compilers.serializer),
    shown: publicSchema(record, schema, full, compilers),
  }
}

/** A schema in full form: with header names as written, and in lower case as Node provides them. */
interface FullForms {
  readonly full: NormalizedRouteSchema
  readonly lowered: NormalizedRouteSchema
}

function normalize(record: RouteRecord, schema: unknown): FullForms {
  try {
    if (!isRecord(schema)) throw new TypeError('schema must be an object')
    const shorthand = record.context.app.options.jsonShorthand
    const full = normalizeRouteSchema(schema, { shorthand, lowerHeaders: false })
    const { headers } = full
    // Libraries read headers by the names in their schemas.
    if (headers === undefined || isStandardSchema(headers)) return { full, lowered: full }
    warnOfPatterns(record, headers)
    return { full, lowered: { ...full, headers: lowerHeaderNames(headers) } }
  } catch (cause) {
    throw explainShape(cause, routeLabel(record), record.callSite.toString())
  }
}

function warnOfPatterns(record: RouteRecord, headers: unknown): void {
  // An automatic HEAD route has the schema of its GET route.
  const pointers = record.automatic ? [] : findCapitalPatterns(headers)
  if (pointers.length === 0) return
  const callSite = record.callSite.toString()
  warn('HEADER_PATTERN_CAPITAL', { route: routeLabel(record), pointers: pointers.join(', '), callSite })
}

function explainShape(cause: unknown, route: string, callSite: string): unknown {
  if (cause instanceof TypeError) {
    return createError('SCH_INVALID', { route, callSite, reason: cause.message }, { cause })
  }
  if (!(cause instanceof SchemaError)) return cause
  const { code, reason } = cause
  const part = cause.part ?? 'schema'
  switch (code) {
    case 'PART_DUPLICATE':
      return createError('SCH_DUPLICATE', { part: 'querystring', route }, { cause })
    case 'CONTENT_SCHEMA_MISSING':
      return createError(
        'SCH_CONTENT_MISSING_SCHEMA',
        { contentType: lastToken(cause), part, route },
        { cause },
      )
    case 'STATUS_KEY_INVALID':
      return createError('SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX', { route, reason, callSite }, { cause })
    default:
      return createError('SCH_INVALID', { route, callSite, reason: cause.message }, { cause })
  }
}

/** Returns the key at the end of an error's JSON pointer (RFC 6901 section 4). */
function lastToken({ pointer }: SchemaError): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}
