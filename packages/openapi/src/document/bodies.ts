import { STATUS_CODES } from 'node:http'

import { BodyContent } from '@cloister/schema/internal'
import type { NormalizedResponse } from '@cloister/schema'
import type { InspectedRoute } from 'cloister/inspect'

import { entriesOf, isRecord } from '../guards.ts'
import type { MediaTypeObject, RequestBody, ResponseObject } from '../types.ts'
import { errorMediaTypes } from './framework-responses.ts'
import type { RouteSchemas } from './route.ts'

const JSON_TYPE = 'application/json'
const CLASSES: Readonly<Record<string, string>> = {
  '1xx': 'Informational response',
  '2xx': 'Successful response',
  '3xx': 'Redirection',
  '4xx': 'Client error',
  '5xx': 'Server error',
  default: 'Default response',
}
/** Statuses whose responses have no content (RFC 9110 section 6.4.1). */
const WITHOUT_CONTENT = /^(?:1\d\d|204|205|304)$/

/** Writes the body of an operation; returns undefined if it has none or does not describe it. */
export function requestBodyOf(schemas: RouteSchemas): RequestBody | undefined {
  const { schema, written, bodyRule, requiresBody } = schemas.route
  const { body } = schema
  const types = namesIn(written['consumes'])
  if (bodyRule === 'never' || (body === undefined && types.length === 0)) return undefined
  const given = written['body']
  const { description } = isRecord(given) ? given : {}
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(requiresBody ? { required: true } : {}),
    content: body === undefined ? mapTypes(types, () => ({})) : bodyContent(schemas, body, given, types),
  }
}

function bodyContent(
  schemas: RouteSchemas,
  body: unknown,
  given: unknown,
  types: readonly string[],
): Readonly<Record<string, MediaTypeObject>> {
  if (body instanceof BodyContent) {
    return contentOf(body.content, given, (schema, type) => schemas.read(schema, 'input', `body ${type}`))
  }
  const schema = schemas.read(body, 'input', 'body')
  return mapTypes(types.length === 0 ? [JSON_TYPE] : types, () => ({ schema }))
}

/** Writes the responses that the schemas of a route describe, by status. */
export function responsesOf(schemas: RouteSchemas): Record<string, ResponseObject> {
  const { schema, written } = schemas.route
  const given = new Map(entriesOf(written['response']).map(([key, entry]) => [key.toLowerCase(), entry]))
  const links = isRecord(written['links']) ? written['links'] : {}
  const responses: Record<string, ResponseObject> = {}
  for (const [status, entry] of schema.response ?? []) {
    responses[status.replace('xx', 'XX')] = {
      ...responseOf(schemas, status, entry, given.get(status)),
      ...(isRecord(links[status]) ? { links: links[status] } : {}),
    }
  }
  return responses
}

function responseOf(
  schemas: RouteSchemas,
  status: string,
  entry: NormalizedResponse,
  given: unknown,
): ResponseObject {
  const part = `response ${status}`
  const fields = isRecord(given) ? given : {}
  const headers = headersOf(schemas, fields['headers'], part)
  const content = responseContent(schemas, status, entry, given)
  return {
    description: descriptionOf(status, fields),
    ...(headers === undefined ? {} : { headers }),
    ...(content === undefined ? {} : { content }),
  }
}

/** Keys in a response's schema that belong to the response. */
const OF_RESPONSE = ['headers', 'x-response-description']

function responseContent(
  schemas: RouteSchemas,
  status: string,
  { schema, content }: NormalizedResponse,
  given: unknown,
): Readonly<Record<string, MediaTypeObject>> | undefined {
  const part = `response ${status}`
  if (WITHOUT_CONTENT.test(status)) return undefined
  if (content !== undefined) {
    return contentOf(content, given, (one, type) => schemas.read(one, 'output', `${part} ${type}`))
  }
  const root = schemas.open(schema, 'output', part)
  const { schema: target } = schemas.follow(root)
  const type = isRecord(target) ? target['type'] : undefined
  if (type === 'null') return undefined
  const types = namesIn(schemas.route.written['produces'])
  const usual = usualTypes(status, type, schemas.route.problemDetails)
  const isMixed =
    isRecord(root.schema) && OF_RESPONSE.some((key) => isRecord(root.schema) && key in root.schema)
  const written = schemas.write(root, part, isMixed ? OF_RESPONSE : [], 'output')
  return mapTypes(types.length === 0 ? usual : types, () => ({ schema: written }))
}

function usualTypes(
  status: string,
  type: unknown,
  problemDetails: InspectedRoute['problemDetails'],
): readonly string[] {
  // A string is sent as is. The framework writes its own errors with the schema of their status.
  if (type === 'string') return ['text/plain']
  return /^(?:[45]|default)/.test(status) ? errorMediaTypes(problemDetails) : [JSON_TYPE]
}

function descriptionOf(status: string, fields: Readonly<Record<string, unknown>>): string {
  for (const key of ['x-response-description', 'description']) {
    const text = fields[key]
    if (typeof text === 'string' && text !== '') return text
  }
  return CLASSES[status] ?? STATUS_CODES[status] ?? `Status ${status}`
}

function headersOf(
  schemas: RouteSchemas,
  headers: unknown,
  part: string,
): Readonly<Record<string, object>> | undefined {
  const entries = entriesOf(headers)
  if (entries.length === 0) return undefined
  const written = entries.map(([name, schema]): [string, object] => {
    const { description } = isRecord(schema) ? schema : {}
    return [
      name,
      {
        ...(typeof description === 'string' ? { description } : {}),
        schema: schemas.read(schema, 'output', `${part} headers`),
      },
    ]
  })
  return Object.fromEntries(written)
}

/** Writes a `content` map, and keeps its other fields (`examples`, `encoding`). */
function contentOf(
  content: ReadonlyMap<string, unknown>,
  given: unknown,
  write: (schema: unknown, type: string) => MediaTypeObject['schema'],
): Readonly<Record<string, MediaTypeObject>> {
  const map = isRecord(given) ? given['content'] : undefined
  return Object.fromEntries(
    entriesOf(map).map(([type, entry]): [string, MediaTypeObject] => {
      const { schema: _, ...rest } = isRecord(entry) ? entry : {}
      const schema = content.get(type.split(';', 1)[0]?.trim().toLowerCase() ?? '')
      return [type, schema === undefined ? rest : { ...rest, schema: write(schema, type) ?? true }]
    }),
  )
}

function mapTypes(
  types: readonly string[],
  make: () => MediaTypeObject,
): Readonly<Record<string, MediaTypeObject>> {
  return Object.fromEntries(types.map((type) => [type, make()]))
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
