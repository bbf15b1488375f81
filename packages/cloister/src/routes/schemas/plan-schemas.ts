import {
  findCapitalPatterns,
  isStandardSchema,
  lowerHeaderNames,
  normalizeRouteSchema,
  SchemaError,
  type NormalizedRouteSchema,
  BodyContent,
  canonicalMediaType,
  unwrapFluent,
} from '@cloister/schema'

import type { ParserLookup } from '../../body/parser-table.ts'
import { createError } from '../../errors.ts'
import { isRecord } from '../../guards.ts'
import { warn } from '../../logging/warnings.ts'
import type { PlanSerializers, PlanValidators } from '../../request/route-plan.ts'
import { type CompilersInCharge, storeOf } from './compilers.ts'
import { planForm, withFormParsers } from './plan-forms.ts'
import { planSerializers } from './plan-serializers.ts'
import { planValidators } from './plan-validators.ts'
import { routeLabel, type RouteRecord, routeRefOf } from '../route-record.ts'

/** The compiled schemas of a route. */
export interface PlanSchemas {
  readonly validators: PlanValidators | null
  readonly serializers: PlanSerializers | null
  /** those of the context, and of the forms that the body schema declares */
  readonly parsers: ParserLookup
  /** what the application sees of them from now on */
  readonly shown: unknown
}

/**
 * Compiles the schemas of a route.
 *
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`, `CLO_ERR_SCH_SERIALIZATION_BUILD` and kin: route, part, place, reason
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

/** A schema in full, with header names as they are written and as Node gives them. */
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
    // Libraries find headers by the names in their schemas.
    if (headers === undefined || isStandardSchema(headers)) return { full, lowered: full }
    warnOfPatterns(record, headers)
    return { full, lowered: { ...full, headers: lowerHeaderNames(headers) } }
  } catch (cause) {
    throw explainShape(cause, routeLabel(record), record.callSite.toString())
  }
}

function warnOfPatterns(record: RouteRecord, headers: unknown): void {
  // The HEAD of a GET has the same schema.
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

/** The key that the pointer of an error ends with (RFC 6901 section 4). */
function lastToken({ pointer }: SchemaError): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/**
 * The schema as `request.routeOptions.schema` and tools see it: full forms under the keys that they were given under,
 * header names as they are written, and what keywords of Ajv plugins have made of it. JSON Schema is shown in the place of
 * another library's schema that offers it; where the application has compilers of its own its tools know these schemas,
 * and they stay.
 *
 * @param given - the schema as the application wrote it
 * @param full - its full form
 */
function publicSchema(
  record: RouteRecord,
  given: unknown,
  full: NormalizedRouteSchema,
  compilers: CompilersInCharge,
): Record<string, unknown> {
  const { body, response, params, querystring, headers, ...rest } = full
  const original = isRecord(given) ? given : {}
  const show = compilers.validator === null && compilers.serializer === null ? asJsonSchema(record) : asGiven
  const compiled = compilers.validator === null ? afterCompilation(record) : asGiven
  const shown: Record<string, unknown> = rest
  const add = (part: string, schema: unknown): void => {
    if (schema !== undefined) shown[part] = schema
  }
  const showPart = (schema: unknown): unknown =>
    isStandardSchema(schema) ? show(schema, 'input') : compiled(schema, 'input')
  add('params', params === undefined ? undefined : showPart(params))
  add('querystring', querystring === undefined ? undefined : showPart(querystring))
  // The compiled one has its names in lower case.
  add('headers', headers === undefined ? undefined : show(headers, 'input'))
  if (body instanceof BodyContent) add('body', mapContent(original['body'], body.content, showPart))
  else add('body', body === undefined ? undefined : showPart(body))
  add('response', response === undefined ? undefined : mapResponses(original['response'], response, show))
  return shown
}

type Show = (schema: unknown, side: 'input' | 'output') => unknown

const asGiven: Show = (schema) => schema

function asJsonSchema({ context }: RouteRecord): Show {
  const { libraries } = context.app
  return (schema, side) =>
    isStandardSchema(schema) ? (libraries.jsonSchema(schema, side)?.schema ?? schema) : schema
}

/** Keywords of the application may change the schema that they are in. */
function afterCompilation(record: RouteRecord): Show {
  const { context } = record
  const { engine, options } = context.app
  const { plugins } = options.ajv
  if (!Array.isArray(plugins) || plugins.length === 0) return asGiven
  return (schema) =>
    engine.readAfterCompilation({
      schema,
      httpPart: 'input',
      store: storeOf(context),
      route: routeRefOf(record),
    })
}

/** The responses with their schemas in full; the map of the application itself where they are so already. */
function mapResponses(
  given: unknown,
  full: NonNullable<NormalizedRouteSchema['response']>,
  show: Show,
): unknown {
  if (!isRecord(given)) return {}
  const showOutput = (schema: unknown): unknown => show(schema, 'output')
  let shown: Record<string, unknown> = given
  for (const status of Object.keys(given)) {
    const { schema, content } = full.get(status.toLowerCase()) ?? {}
    const entry = given[status]
    const shownEntry = content === undefined ? showOutput(schema) : mapContent(entry, content, showOutput)
    if (shownEntry === entry) continue
    if (shown === given) shown = { ...given }
    shown[status] = shownEntry
  }
  return shown
}

/** A `content` map with its schemas in full; what else it says of a media type stays. */
function mapContent(
  given: unknown,
  schemas: ReadonlyMap<string, unknown>,
  show: (schema: unknown) => unknown,
): unknown {
  const holder = unwrapFluent(given)
  if (!isRecord(holder) || !isRecord(holder['content'])) return given
  const content = Object.entries(holder['content']).map(([mediaType, entry]): [string, unknown] => {
    const schema = schemas.get(canonicalMediaType(mediaType) ?? '')
    return [
      mediaType,
      schema === undefined ? entry : { ...(isRecord(entry) ? entry : {}), schema: show(schema) },
    ]
  })
  return { ...holder, content: Object.fromEntries<unknown>(content) }
}
