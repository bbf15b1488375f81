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

/**
 * Returns the schema for `request.routeOptions.schema` and for tools: in full form under the original keys, with header
 * names as written, and with the changes of Ajv plugins' keywords. JSON Schema replaces a library's schema that offers
 * it, unless the application has its own compilers, whose tools know the library's schemas.
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
  // The header names of the compiled schema are in lower case.
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

/** Keywords of the application may change the schema that contains them. */
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

/** Returns the responses with full schemas; the original map if they already are in full form. */
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

/** Returns a `content` map with full schemas. Other members of its media types don't change. */
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
