import { isStandardSchema, SchemaError, type NormalizedRouteSchema } from '@cloister/schema'
import {
  lowerHeaderNames,
  normalizeRouteSchema,
  BodyContent,
  canonicalMediaType,
  unwrapFluent,
  instanceKeys,
} from '@cloister/schema/internal'

import type { Context } from '../../context/context.ts'
import { createError } from '../../errors.ts'
import { isRecord, recordOf, type Dictionary } from '../../guards.ts'
import type { PlanMessages, RoutePlan } from '../../request/route-plan.ts'
import { type CompilersInCharge, storeOf } from './compilers.ts'
import { compileSerializer, planSerializers } from './plan-serializers.ts'
import { withRefusals } from './refusals.ts'
import { compileMessages, planValidators } from './plan-validators.ts'
import { checkDefaults, doubtfulParts } from './check-defaults.ts'
import { warnOfParts, warnOfPatterns } from './warn-of-schemas.ts'
import { upgradeOf } from '../upgrades/upgrade-option.ts'
import {
  failedBuild,
  placeOf,
  RecordRef,
  routeLabel,
  unusableSchema,
  type RouteRecord,
} from '../route-record.ts'

interface PlanSchemas extends Pick<RoutePlan, 'messages' | 'parsers' | 'serializers' | 'validators'> {
  /** the route describes responses itself */
  readonly describesResponses: boolean
  /** with `strict: 'report'`, the defaults that `strict` would refuse */
  readonly refusedDefaults: string | null
  /** the schemas as the application will see them */
  readonly shown: unknown
}

/**
 * Compiles the schemas of a route.
 *
 * @param parsers - the parsers of the context
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`, `CLO_ERR_SCH_SERIALIZATION_BUILD` and related errors, with route, part, call
 * site and reason
 */
export function planSchemas(
  record: RouteRecord,
  compilers: CompilersInCharge,
  parsers: RoutePlan['parsers'],
): PlanSchemas {
  const { schema } = record.options
  const serializersOf = (own: NormalizedRouteSchema): RoutePlan['serializers'] =>
    planSerializers(record, withRefusals(record, own, 'serialize'), compilers.serializer)
  if (schema === undefined || schema === null) {
    const messages = planMessages(record, compilers)
    const nothing = { validators: null, describesResponses: false, shown: undefined, refusedDefaults: null }
    return { ...nothing, serializers: serializersOf({}), parsers, messages }
  }
  if (!isRecord(schema)) throw unusableSchema(record, 'schema must be an object')
  const { full, lowered } = normalize(record, schema)
  const planned = planValidators(record, lowered, compilers.validator, parsers)
  const isOurs = compilers.validator === null
  const doubtful = doubtfulParts(record, full)
  warnOfParts(record, full.params, doubtful, isOurs)
  const refusedDefaults = isOurs ? checkDefaults(record, doubtful) : null
  return {
    ...planned,
    serializers: serializersOf(full),
    describesResponses: full.response !== undefined,
    shown: publicSchema(record, schema, full, compilers),
    refusedDefaults,
    messages: planMessages(record, compilers),
  }
}

/** Returns a schema in full form: with header names as written, and in lower case as transports provide them. */
function normalize(record: RouteRecord, schema: object): Record<'full' | 'lowered', NormalizedRouteSchema> {
  try {
    const shorthand = record.context.app.options.jsonShorthand
    const full = normalizeRouteSchema(schema, { shorthand, lowerHeaders: false })
    const { headers } = full
    // Libraries read headers by the names in their schemas.
    if (headers === undefined || isStandardSchema(headers)) return { full, lowered: full }
    warnOfPatterns(record, headers)
    return { full, lowered: { ...full, headers: lowerHeaderNames(headers) } }
  } catch (cause) {
    throw explainShape(cause, record)
  }
}

function explainShape(cause: unknown, record: RouteRecord): unknown {
  if (cause instanceof TypeError) return unusableSchema(record, cause.message, { cause })
  if (!(cause instanceof SchemaError)) return cause
  const { code, reason, part = 'schema' } = cause
  const route = routeLabel(record)
  switch (code) {
    case 'PART_DUPLICATE':
      return createError('SCH_DUPLICATE', { part: 'querystring', route }, { cause })
    case 'CONTENT_SCHEMA_MISSING': {
      const contentType = instanceKeys(cause.pointer).at(-1) ?? ''
      return createError('SCH_CONTENT_MISSING_SCHEMA', { contentType, part, route }, { cause })
    }
    case 'STATUS_KEY_INVALID':
      return createError('SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX', { ...placeOf(record), reason }, { cause })
    default:
      return unusableSchema(record, cause.message, { cause })
  }
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
  given: Dictionary,
  full: NormalizedRouteSchema,
  compilers: CompilersInCharge,
): Dictionary {
  const { body, response, params, querystring, headers, cookies, ...rest } = full
  const isOurs = compilers.validator === null && compilers.serializer === null
  const show: Show = isOurs ? (schema, side) => asJsonSchema(record.context, schema, side) : asGiven
  const compiled = compilers.validator === null ? afterCompilation(record) : asGiven
  const showPart = (schema: unknown): unknown =>
    isStandardSchema(schema) ? show(schema, 'input') : compiled(schema, 'input')
  const parts = {
    params: showPart(params),
    querystring: showPart(querystring),
    // The header names of the compiled schema are in lower case.
    headers: show(headers, 'input'),
    cookies: showPart(cookies),
    body: body instanceof BodyContent ? mapContent(given['body'], body.content, showPart) : showPart(body),
    response: response === undefined ? undefined : mapResponses(given['response'], response, show),
  }
  return givenIfSame(given, {
    ...rest,
    ...Object.fromEntries(Object.entries(parts).filter(([, schema]) => schema !== undefined)),
  })
}

/** Returns the object of the application where nothing had to be completed: tools find a route again by it. */
function givenIfSame(given: Dictionary, shown: Dictionary): Dictionary {
  const names = Object.keys(shown)
  const isSame =
    names.length === Object.keys(given).length && names.every((name) => shown[name] === given[name])
  return isSame ? given : shown
}

type Show = (schema: unknown, side: 'input' | 'output') => unknown

const asGiven: Show = (schema) => schema

/** Returns the JSON Schema of a library's schema, and any other schema itself. */
export function asJsonSchema({ app }: Context, schema: unknown, side: 'input' | 'output'): unknown {
  return isStandardSchema(schema) ? (app.libraries.jsonSchema(schema, side)?.schema ?? schema) : schema
}

/** Keywords of the application may change the schema that contains them. */
function afterCompilation(record: RouteRecord): Show {
  const { context } = record
  const { engine, options } = context.app
  const { plugins } = options.ajv
  if (!Array.isArray(plugins) || plugins.length === 0) return asGiven
  const route = new RecordRef(record)
  return (schema) =>
    schema === undefined
      ? undefined
      : engine.readAfterCompilation({ schema, httpPart: 'input', store: storeOf(context), route })
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
    return [mediaType, schema === undefined ? entry : { ...recordOf(entry), schema: show(schema) }]
  })
  return { ...holder, content: Object.fromEntries<unknown>(content) }
}

/**
 * Compiles the message schemas of a route with `upgrade`.
 *
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`, `CLO_ERR_SCH_SERIALIZATION_BUILD`
 */
function planMessages(record: RouteRecord, compilers: CompilersInCharge): PlanMessages | null {
  if (upgradeOf(record) === null) return null
  const { incoming, outgoing } = messageSchemas(record)
  return {
    incoming: incoming === undefined ? null : compileMessages(record, incoming, compilers.validator),
    outgoing: outgoing === undefined ? null : compileSerializer(record, outgoing, compilers.serializer),
  }
}

/** Returns the message schemas in full form. They may be written like those of bodies and payloads. */
export function messageSchemas(record: RouteRecord): Readonly<Record<'incoming' | 'outgoing', unknown>> {
  const { options, context } = record
  const { incoming, outgoing } = recordOf(options['schema'])
  const shorthand = context.app.options.jsonShorthand
  try {
    const { body, response } = normalizeRouteSchema(
      { body: incoming, ...(outgoing === undefined ? {} : { response: { default: outgoing } }) },
      { shorthand, lowerHeaders: false },
    )
    if (body instanceof BodyContent) throw new TypeError('messages are JSON and have no media types')
    return { incoming: body, outgoing: response?.get('default')?.schema }
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, 'messages', cause)
  }
}
