import { SchemaError, type SchemaErrorCode } from '../errors.ts'
import { isForeignSchema, isObject, isPlainObject, unwrapFluent } from '../guards.ts'
import { lowerHeaderNames } from './header-names.ts'
import { pointerToken } from '../document/pointer.ts'

/** A part of a request that a schema can describe. */
export type HttpPart = 'body' | 'querystring' | 'params' | 'headers' | 'cookies'

/** A body schema per media type; keys are canonical (lower case, no parameters). */
export class BodyContent {
  /** Canonical media type → schema. */
  readonly content: ReadonlyMap<string, unknown>
  /** Whether a request must have a body; false for `required: false` beside `content`. */
  readonly isRequired: boolean

  constructor(content: ReadonlyMap<string, unknown>, isRequired: boolean = true) {
    this.content = content
    this.isRequired = isRequired
  }
}

/** The schemas of the responses of one status: one, or one per media type. */
export interface NormalizedResponse {
  /** Absent when `content` is present. */
  readonly schema?: unknown
  /** Canonical media type → schema; omits types without a schema. */
  readonly content?: ReadonlyMap<string, unknown>
}

/** A route schema in full form; other keys (`tags`, `summary`, …) are kept. */
export interface NormalizedRouteSchema {
  /** The schema of the body; or `{ content, isRequired }`, where the map `content` has a schema for each media type. */
  readonly body?: unknown
  /** The schema of the query string. */
  readonly querystring?: unknown
  /** The schema of the path parameters. */
  readonly params?: unknown
  /** The schema of the headers, with names in lower case. */
  readonly headers?: unknown
  /** The schema of the cookies. */
  readonly cookies?: unknown
  /** Keys are statuses, classes in lower case (`2xx`), or `default`. */
  readonly response?: ReadonlyMap<string, NormalizedResponse>
  readonly [key: string]: unknown
}

/** Options of {@link normalizeRouteSchema}. */
export interface NormalizeOptions {
  /**
   * Expands shortened schemas. False: every schema is already in full form.
   * @default true
   */
  readonly shorthand?: boolean
  /**
   * Lowers header names. False: does not change them; call `lowerHeaderNames`.
   * @default true
   */
  readonly lowerHeaders?: boolean
}

const STATUS_KEY = /^(?:[1-5](?:\d\d|xx)|default)$/

const FULL_FORM = ['type', 'properties', '$ref', 'allOf', 'anyOf', 'oneOf', '$merge', '$patch']

/**
 * Converts a route schema to full form, without changing the input:
 *
 * - the shortened form (a list of properties without `type` and `properties`) becomes an object schema;
 * - `query` becomes `querystring`;
 * - header names become lower case, unless an option disables it;
 * - `content` maps get canonical media types, status keys become lower case.
 *
 * Schemas of other libraries (class instances, Standard Schema) do not change.
 *
 * @throws {@link SchemaError} with the part and pointer when the shape is invalid
 */
export function normalizeRouteSchema(schema: object, options: NormalizeOptions = {}): NormalizedRouteSchema {
  const shorthand = options.shorthand ?? true
  const { body, querystring, query, params, headers, cookies, response, ...rest }: Record<string, unknown> = {
    ...schema,
  }
  const normalized: Record<string, unknown> = rest
  if (isGiven(query) && isGiven(querystring)) {
    throw new SchemaError({
      code: 'PART_DUPLICATE',
      part: 'querystring',
      reason: '"query" and "querystring" are two names for one schema; keep one of them',
    })
  }
  const queryPart = isGiven(querystring) ? querystring : query
  if (isGiven(body)) normalized['body'] = normalizeBody(body, shorthand)
  if (isGiven(queryPart)) normalized['querystring'] = fullForm(queryPart, shorthand)
  if (isGiven(params)) normalized['params'] = fullForm(params, shorthand)
  if (isGiven(headers)) {
    const full = fullForm(headers, shorthand)
    normalized['headers'] = options.lowerHeaders === false ? full : lowerHeaderNames(full)
  }
  if (isGiven(cookies)) normalized['cookies'] = fullForm(cookies, shorthand)
  if (isGiven(response)) normalized['response'] = normalizeResponses(response, shorthand)
  return normalized
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function fullForm(input: unknown, shorthand: boolean): unknown {
  const schema = unwrapFluent(input)
  if (!shorthand || isForeignSchema(schema) || !isPlainObject(schema)) return schema
  return isPropertyList(schema) ? { type: 'object', properties: schema } : schema
}

/** Whether a schema has no keyword of the full form. */
function hasNoKeyword(schema: Record<string, unknown>): boolean {
  return !FULL_FORM.some((keyword) => keyword in schema)
}

/** Whether a schema has the shortened form: no keyword of the full form, and every entry is itself a schema. */
function isPropertyList(schema: Record<string, unknown>): boolean {
  if (!hasNoKeyword(schema)) return false
  const entries = Object.values(schema)
  return (
    entries.length > 0 &&
    entries.every((entry) => isPlainObject(unwrapFluent(entry)) || typeof entry === 'boolean')
  )
}

function normalizeBody(input: unknown, shorthand: boolean): unknown {
  const body = unwrapFluent(input)
  const content = contentOf(body)
  if (content === undefined) return fullForm(body, shorthand)
  const schemas = new Map<string, unknown>()
  for (const [mediaType, schema] of readContent(content, 'body')) {
    if (schema === undefined) throw missingSchema(mediaType, 'body')
    schemas.set(mediaType, fullForm(schema, shorthand))
  }
  return new BodyContent(schemas, !isObject(body) || body['required'] !== false)
}

function normalizeResponses(response: unknown, shorthand: boolean): Map<string, NormalizedResponse> {
  if (!isPlainObject(response)) {
    throw new SchemaError({
      code: 'SHAPE_INVALID',
      part: 'response',
      reason:
        'response schemas are an object with status codes as keys: { 200: schema, "4xx": schema, default: schema }',
    })
  }
  // Not an object: V8 would allocate room for every status up to the highest one.
  const normalized = new Map<string, NormalizedResponse>()
  for (const [key, entry] of Object.entries(response)) {
    const status = key.toLowerCase()
    const refuse = (reason: string, code: SchemaErrorCode = 'SHAPE_INVALID'): SchemaError =>
      new SchemaError({ code, part: 'response', pointer: `/${pointerToken(key)}`, reason })
    if (!STATUS_KEY.test(status)) {
      const reason = `"${key}" is no status; keys are a code ("201"), a class ("2xx") or "default"`
      throw refuse(reason, 'STATUS_KEY_INVALID')
    }
    // Without a serializer, the response would be sent in full, and could reveal more than its author intends.
    if (!isGiven(entry))
      throw refuse(`the schema of status "${key}" is ${String(entry)}; give it a schema, or remove the key`)
    if (normalized.has(status)) throw refuse(`status "${status}" is described twice; keep one of them`)
    normalized.set(status, normalizeResponse(unwrapFluent(entry), key, shorthand))
  }
  return normalized
}

function normalizeResponse(entry: unknown, key: string, shorthand: boolean): NormalizedResponse {
  const content = contentOf(entry)
  const part = `response ${key}`
  if (content === undefined) {
    // Without keywords of a schema, the response would be sent in full.
    if (
      isPlainObject(entry) &&
      'schema' in entry &&
      hasNoKeyword(entry) &&
      isPlainObject(entry['schema']) &&
      !(shorthand && isPropertyList(entry))
    )
      throw new SchemaError({
        code: 'SHAPE_INVALID',
        part: 'response',
        pointer: `/${pointerToken(key)}/schema`,
        reason: `a response has no "schema"; write the schema itself, or content: { 'application/json': { schema } }`,
      })
    return { schema: fullForm(entry, shorthand) }
  }
  const schemas = new Map<string, unknown>()
  const entries = readContent(content, part)
  for (const [mediaType, schema] of entries) {
    if (schema !== undefined) schemas.set(mediaType, fullForm(schema, shorthand))
    else if (entries.length > 1 || mentionsSchema(content)) throw missingSchema(mediaType, part)
  }
  return { content: schemas }
}

/**
 * Returns the `content` map of a body or response entry, unless `content` is a property in a schema. One media type
 * among its keys makes it a map; any other key is then an error.
 */
function contentOf(entry: unknown): Record<string, unknown> | undefined {
  if (!isPlainObject(entry) || 'type' in entry || 'properties' in entry) return undefined
  const { content } = entry
  if (!isPlainObject(content)) return undefined
  return Object.keys(content).some((key) => key.includes('/')) ? content : undefined
}

function readContent(content: Record<string, unknown>, part: string): [string, unknown][] {
  const seen = new Set<string>()
  return Object.entries(content).map(([key, entry]) => {
    const mediaType = canonicalMediaType(key)
    if (mediaType === undefined || seen.has(mediaType)) {
      throw new SchemaError({
        code: 'SHAPE_INVALID',
        part,
        pointer: `/content/${pointerToken(key)}`,
        reason:
          mediaType === undefined
            ? `"${key}" is no media type; write it like "application/json"`
            : `media type "${mediaType}" is described twice (case and parameters do not count); keep one of them`,
      })
    }
    seen.add(mediaType)
    return [mediaType, isObject(entry) && isGiven(entry['schema']) ? entry['schema'] : undefined]
  })
}

/** Whether any media type has the key `schema`, even with an undefined value, or is itself a schema. */
function mentionsSchema(content: Record<string, unknown>): boolean {
  return Object.values(content).some(
    (entry) => isObject(entry) && ('schema' in entry || (isPlainObject(entry) && !hasNoKeyword(entry))),
  )
}

function missingSchema(mediaType: string, part: string): SchemaError {
  return new SchemaError({
    code: 'CONTENT_SCHEMA_MISSING',
    part,
    pointer: `/content/${pointerToken(mediaType)}`,
    reason: `media type "${mediaType}" has no schema; add "schema", or remove the entry`,
  })
}

const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`)

/** Returns a media type in canonical form: lower case, trimmed, without parameters; undefined for other texts. */
export function canonicalMediaType(text: string): string | undefined {
  const [essence = ''] = text.split(';', 1)
  const canonical = essence.trim().toLowerCase()
  return MEDIA_TYPE.test(canonical) ? canonical : undefined
}
