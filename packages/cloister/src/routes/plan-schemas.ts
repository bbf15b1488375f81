import {
  BodyContent,
  isPlainObject,
  isStandardSchema,
  normalizeRouteSchema,
  SchemaError,
} from '@cloister/schema'
import type { CompileSite, NormalizedResponse, NormalizedRouteSchema } from '@cloister/schema'

import { createError, isError } from '../errors.ts'
import { isFunction, isRecord } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import type {
  ContentValidators,
  PartValidateFunction,
  PartValidator,
  PlanSerializers,
  PlanValidators,
  RequestPart,
  StatusSerializers,
} from '../request/route-plan.ts'
import { exactStoreOf, headerStoreOf, storeOf } from './compilers.ts'
import type { CompilersInCharge } from './compilers.ts'
import { routeLabel } from './route-record.ts'
import type { RouteRecord } from './route-record.ts'
import { validateWithStandardSchema } from './standard-schema.ts'

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
  record.options['schema'] = publicForm(schema, full)
  return {
    validators: planValidators(record, full, compilers.validator),
    serializers: planSerializers(record, full, compilers.serializer),
  }
}

function normalize(record: RouteRecord, schema: unknown): NormalizedRouteSchema {
  const route = routeLabel(record)
  const place = record.place.toString()
  if (!isRecord(schema))
    throw createError('SCH_INVALID', { route, place, reason: 'schema must be an object' })
  try {
    return normalizeRouteSchema(schema, { shorthand: record.context.app.options.jsonShorthand })
  } catch (cause) {
    throw explainShape(cause, route, place)
  }
}

function explainShape(cause: unknown, route: string, place: string): unknown {
  if (!(cause instanceof SchemaError)) return cause
  const { code, part = 'schema', reason } = cause
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
      return createError('SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX', { route, key: reason }, { cause })
    default:
      return createError('SCH_INVALID', { route, place, reason: cause.message }, { cause })
  }
}

/** The key that the pointer of an error ends with (RFC 6901 section 4). */
function lastToken({ pointer = '' }: SchemaError): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/** The schema as `request.routeOptions.schema` and tools see it: full forms in the shape that they were given in. */
function publicForm(given: unknown, full: NormalizedRouteSchema): unknown {
  const { body, response, ...rest } = full
  const original = isRecord(given) ? given : {}
  return {
    ...rest,
    ...(body === undefined ? {} : { body: body instanceof BodyContent ? original['body'] : body }),
    ...(response === undefined ? {} : { response: original['response'] }),
  }
}

function planValidators(
  record: RouteRecord,
  schema: NormalizedRouteSchema,
  compiler: AnyFunction | null,
): PlanValidators | null {
  const compile = (part: RequestPart, partSchema: unknown): PartValidator | null =>
    partSchema === undefined ? null : compilePart(record, part, partSchema, compiler)
  const { params, querystring, headers, body } = schema
  if (params === undefined && querystring === undefined && headers === undefined && body === undefined)
    return null
  const inOrder = [
    compile('params', params),
    body instanceof BodyContent ? compileContent(record, body, compiler) : compile('body', body),
    compile('querystring', querystring),
    compile('headers', headers),
  ]
  return { inOrder: inOrder.filter((validator) => validator !== null) }
}

function compileContent(
  record: RouteRecord,
  body: BodyContent,
  compiler: AnyFunction | null,
): ContentValidators {
  const byEssence = new Map<string, PartValidator>()
  for (const [essence, schema] of body.content) {
    byEssence.set(essence, compilePart(record, 'body', schema, compiler, essence))
  }
  return { part: 'body', byEssence }
}

function compilePart(
  record: RouteRecord,
  part: RequestPart,
  schema: unknown,
  compiler: AnyFunction | null,
  contentType?: string,
): PartValidator {
  const { method, url, context } = record
  const common = { part, byEssence: null, exact: null, admitsAbsence: admitsNull(schema) }
  if (compiler === null && isStandardSchema(schema)) {
    return { ...common, validate: validateWithStandardSchema(schema), custom: true, replaces: false }
  }
  try {
    if (compiler === null) {
      const validate = context.app.engine.compileValidator({
        schema,
        httpPart: part,
        store: part === 'headers' ? headerStoreOf(context, schema) : storeOf(context),
        site: siteOf(record),
      })
      const validator: PartValidator = { ...common, validate, custom: false, replaces: true }
      const { exactEngine } = context.app
      if (part !== 'body' || exactEngine === null) return validator
      const exact = exactEngine.compileValidator({
        schema,
        httpPart: part,
        store: exactStoreOf(context, exactEngine),
        site: siteOf(record),
      })
      return { ...validator, exact: { ...validator, validate: exact } }
    }
    const input = { schema, method, url, httpPart: part }
    const validate = compiler(contentType === undefined ? input : { ...input, contentType })
    if (!isPartValidate(validate)) throw new Error('the validator compiler must return a function')
    // Ajv marks what it compiled from a `$async` schema: its result is the data, whoever called Ajv.
    const custom = Reflect.get(validate, '$async') !== true
    return isAjvFunction(validate)
      ? { ...common, validate: tellPlace(validate), custom, replaces: true }
      : { ...common, validate, custom, replaces: false }
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, part, cause)
  }
}

function isPartValidate(value: unknown): value is PartValidateFunction {
  return isFunction(value)
}

type AjvFunction = PartValidateFunction & { readonly schemaEnv: object }

/** What an Ajv of the application compiled. */
const isAjvFunction = (validate: PartValidateFunction): validate is AjvFunction => 'schemaEnv' in validate

/** Ajv replaces a value that is no object only where it is told its place. */
function tellPlace(validate: AjvFunction): PartValidateFunction {
  const placed: PartValidateFunction = (data, holder) =>
    holder === undefined
      ? validate(data)
      : Reflect.apply(validate, undefined, [data, { parentData: holder, parentDataProperty: 'value' }])
  return Object.defineProperty(placed, 'errors', { get: () => validate.errors })
}

/** A schema that names `null` admits a body that is not there. */
function admitsNull(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false
  return schema['nullable'] === true || [schema['type']].flat().includes('null')
}

function planSerializers(
  record: RouteRecord,
  { response }: NormalizedRouteSchema,
  compiler: AnyFunction | null,
): PlanSerializers | null {
  if (response === undefined) return null
  const exact = new Map<number, StatusSerializers>()
  const byClass: (StatusSerializers | undefined)[] = []
  let fallback: StatusSerializers | null = null
  for (const [key, entry] of Object.entries(response)) {
    const serializers = compileStatus(record, key, entry, compiler)
    if (key === 'default') fallback = serializers
    else if (key.endsWith('xx')) byClass[Number(key[0])] = serializers
    else exact.set(Number(key), serializers)
  }
  return { exact, byClass, fallback }
}

function compileStatus(
  record: RouteRecord,
  status: string,
  { schema, content }: NormalizedResponse,
  compiler: AnyFunction | null,
): StatusSerializers {
  if (content === undefined) {
    return {
      serialize: schema === undefined ? null : compileSerializer(record, status, schema, undefined, compiler),
      byEssence: null,
    }
  }
  const byEssence = new Map<string, (payload: unknown) => string>()
  for (const [essence, typeSchema] of content) {
    byEssence.set(essence, compileSerializer(record, status, typeSchema, essence, compiler))
  }
  return { serialize: null, byEssence }
}

type Serialize = (payload: unknown) => string

function compileSerializer(
  record: RouteRecord,
  httpStatus: string,
  schema: unknown,
  contentType: string | undefined,
  compiler: AnyFunction | null,
): Serialize {
  const { method, url, context } = record
  const serialization = readingOf(record)
  try {
    if (compiler === null) {
      return context.app.engine.compileSerializer({
        schema,
        httpStatus,
        store: storeOf(context),
        site: siteOf(record),
        ...(contentType === undefined ? {} : { contentType }),
        ...(serialization === null ? {} : { serialization }),
      })
    }
    const serialize = compiler({ schema, method, url, httpStatus, contentType })
    if (!isSerialize(serialize)) throw new Error('the serializer compiler must return a function')
    return serialize
  } catch (cause) {
    throw failedBuild('SCH_SERIALIZATION_BUILD', record, `response ${httpStatus}`, cause)
  }
}

/** The reading of the route's responses, where the route or a context says one. */
function readingOf(record: RouteRecord): 'compat' | 'strict' | null {
  const { context, options, place } = record
  const { serialization = null } = options
  if (serialization === null) return context.setting('serialization')
  if (serialization === 'compat' || serialization === 'strict') return serialization
  const reason = `serialization must be 'compat' or 'strict', got ${JSON.stringify(serialization)}`
  throw createError('SCH_INVALID', { route: routeLabel(record), place: place.toString(), reason })
}

function isSerialize(value: unknown): value is Serialize {
  return isFunction(value)
}

/** Where a schema stands. The place is turned into text only when an error names it. */
function siteOf({ method, url, place, context }: RouteRecord): CompileSite {
  return {
    method,
    url,
    get place() {
      return place.toString()
    },
    get context() {
      return context.path
    },
  }
}

function failedBuild(
  name: 'SCH_VALIDATION_BUILD' | 'SCH_SERIALIZATION_BUILD',
  record: RouteRecord,
  part: string,
  cause: unknown,
): Error {
  const reason = isError(cause) ? cause.message : String(cause)
  const place = record.place.toString()
  const { method, url } = record
  return createError(name, { method, url, part, place, reason }, { cause })
}
