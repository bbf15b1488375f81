import { BodyContent, isStandardSchema, normalizeRouteSchema, SchemaError } from '@cloister/schema'
import type { NormalizedRouteSchema } from '@cloister/schema'

import { createError } from '../../errors.ts'
import { isRecord } from '../../functions.ts'
import type { PlanSerializers, PlanValidators } from '../../request/route-plan.ts'
import type { CompilersInCharge } from './compilers.ts'
import { planSerializers } from './plan-serializers.ts'
import { planValidators } from './plan-validators.ts'
import { routeLabel } from '../route-record.ts'
import type { RouteRecord } from '../route-record.ts'
import { jsonSchemaOf } from './standard-schema.ts'

/** The compiled schemas of a route. */
export interface PlanSchemas {
  readonly validators: PlanValidators | null
  readonly serializers: PlanSerializers | null
}

const NO_SCHEMAS: PlanSchemas = { validators: null, serializers: null }

/**
 * Compiles the schemas of a route.
 *
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`, `CLO_ERR_SCH_SERIALIZATION_BUILD` and kin: route, part, place, reason
 */
export function planSchemas(record: RouteRecord, compilers: CompilersInCharge): PlanSchemas {
  const { schema } = record.options
  if (schema === undefined || schema === null) return NO_SCHEMAS
  const full = normalize(record, schema)
  // What the application sees from now on is the full form.
  record.options['schema'] = publicForm(schema, full, compilers)
  return {
    validators: planValidators(record, full, compilers.validator),
    serializers: planSerializers(record, full, compilers.serializer),
  }
}

function normalize(record: RouteRecord, schema: unknown): NormalizedRouteSchema {
  try {
    if (!isRecord(schema)) throw new TypeError('schema must be an object')
    return normalizeRouteSchema(schema, { shorthand: record.context.app.options.jsonShorthand })
  } catch (cause) {
    throw explainShape(cause, routeLabel(record), record.place.toString())
  }
}

function explainShape(cause: unknown, route: string, place: string): unknown {
  if (cause instanceof TypeError) {
    return createError('SCH_INVALID', { route, place, reason: cause.message }, { cause })
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
      return createError('SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX', { route, reason, place }, { cause })
    default:
      return createError('SCH_INVALID', { route, place, reason: cause.message }, { cause })
  }
}

/** The key that the pointer of an error ends with (RFC 6901 section 4). */
function lastToken({ pointer }: SchemaError): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/**
 * The schema as `request.routeOptions.schema` and tools see it: full forms in the shape that they were given in, and
 * JSON Schema in the place of another library's schema that offers it. Where the application has compilers of its own
 * its tools know these schemas, and they stay.
 */
function publicForm(given: unknown, full: NormalizedRouteSchema, compilers: CompilersInCharge): unknown {
  const { body, response, params, querystring, headers, ...rest } = full
  const original = isRecord(given) ? given : {}
  const parts = { params, querystring, headers, body: body instanceof BodyContent ? original['body'] : body }
  const show = compilers.validator === null && compilers.serializer === null ? readable : asGiven
  const shown = Object.entries(parts).filter(([, schema]) => schema !== undefined)
  return {
    ...rest,
    ...Object.fromEntries(shown.map(([part, schema]) => [part, show(schema, 'input')])),
    ...(response === undefined ? {} : { response: mapResponses(original['response'], show) }),
  }
}

type Show = (schema: unknown, side: 'input' | 'output') => unknown

/** The object itself where nothing in it is to be shown otherwise: most routes need no second one. */
function mapResponses(response: unknown, show: Show): unknown {
  if (!isRecord(response)) return response
  const entries = Object.entries(response)
  const shown = entries.map(([status, schema]): [string, unknown] => [status, show(schema, 'output')])
  return shown.some(([, schema], index) => schema !== entries[index]?.[1])
    ? Object.fromEntries(shown)
    : response
}

const asGiven: Show = (schema) => schema

const readable: Show = (schema, side) =>
  isStandardSchema(schema) ? (jsonSchemaOf(schema, side) ?? schema) : schema
