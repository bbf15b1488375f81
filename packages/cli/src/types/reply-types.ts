import { canonicalMediaType, isSchemaObject } from '@cloister/schema/internal'
import type { NormalizedResponse } from '@cloister/schema'
import type { InspectedRoute } from 'cloister/inspect'

import { inPart, isFile, typeOf } from './schema-type.ts'
import type { Writing } from './schema-type.ts'
import { anyOf, print, UNKNOWN } from './type-text.ts'
import type { TypeText } from './type-text.ts'

/** A status, a class or `default`, with the type of the body. */
export type StatusType = readonly [status: string, type: TypeText]

const NOTHING: TypeText = ['undefined']
const BYTES: TypeText = ['ReadableStream<Uint8Array<ArrayBuffer>>']
/** Media types whose bodies the client iterates. */
const STREAMS: Readonly<Record<string, string>> = {
  'text/event-stream': 'Events',
  'application/x-ndjson': 'Items',
  'application/jsonl': 'Items',
  'application/json-seq': 'Items',
}
const WITHOUT_CONTENT = new Set(['204', '205', '304'])

/** Writes the replies of a route by status. Replies without a schema are `unknown`, and reported. */
export function replyTypes(route: InspectedRoute, writing: Writing): StatusType[] {
  const responses = [...(route.schema.response ?? [])]
  const types = responses.map(([status, response]): StatusType => [
    status,
    WITHOUT_CONTENT.has(status) || route.description.method === 'HEAD'
      ? NOTHING
      : bodyType(response, mediaTypesOf(route, status), inPart(writing, `response ${status}`)),
  ])
  if (route.messages !== null) return types
  if (responses.some(([status]) => /^[123]|default/.test(status))) return types
  if (route.description.method === 'HEAD')
    return [...types, [types.length === 0 ? 'default' : '2xx', NOTHING]]
  writing.warn('its successful responses', 'no schema describes them; add schema.response[200]')
  return [...types, [types.length === 0 ? 'default' : '2xx', UNKNOWN]]
}

/** Returns the media types that the application declares for a status, also those without a schema. */
function mediaTypesOf({ written }: InspectedRoute, status: string): string[] {
  const { response } = written
  const entries = isSchemaObject(response) ? Object.entries(response) : []
  const [, entry] = entries.find(([key]) => key.toLowerCase() === status) ?? []
  const content = isSchemaObject(entry) ? entry['content'] : undefined
  return isSchemaObject(content) ? Object.keys(content).map((type) => canonicalMediaType(type) ?? type) : []
}

/** Returns the schemas of the JSON that a client reads in the replies of a status. */
export function jsonSchemas({ schema, content }: NormalizedResponse): unknown[] {
  if (content === undefined) return isFile(schema) ? [] : [schema]
  return [...content].flatMap(([type, one]) => (isReadAsJson(type) ? [one] : []))
}

function isReadAsJson(mediaType: string): boolean {
  return mediaType in STREAMS || /[/+]json$/.test(mediaType) || mediaType === '*/*'
}

function bodyType(
  { schema, content }: NormalizedResponse,
  mediaTypes: readonly string[],
  writing: Writing,
): TypeText {
  if (content !== undefined)
    return anyOf(mediaTypes.map((type) => contentType(type, content.get(type), writing)))
  if (isFile(schema)) return BYTES
  if (isSchemaObject(schema) && schema['type'] === 'null') return NOTHING
  return typeOf(writing.scope.open(schema), writing)
}

function contentType(mediaType: string, schema: unknown, writing: Writing): TypeText {
  const type = (): TypeText => typeOf(writing.scope.open(schema), writing)
  const stream = STREAMS[mediaType]
  if (stream !== undefined) return [`${stream}<${print(type())}>`]
  const isJson = /[/+]json$/.test(mediaType) || mediaType === '*/*'
  if (isJson && schema === undefined) writing.warn(writing.part, `${mediaType} has no schema`)
  if (isJson) return type()
  if (!mediaType.startsWith('text/')) return BYTES
  return isSchemaObject(schema) && schema['type'] === 'string' ? type() : ['string']
}

/** Returns the refusals of a route's guards that its schemas don't describe. */
export function refusalTypes(route: InspectedRoute): StatusType[] {
  const without = Object.entries(route.refusals).filter(([, body]) => body !== 'schema')
  return without.map(([status, body]) => {
    if (route.description.method === 'HEAD') return [status, NOTHING]
    return [status, body === 'error' ? failureOf(route) : UNKNOWN]
  })
}

/** Returns the errors that any route may send, except those that its schemas declare. */
export function failureTypes(route: InspectedRoute, declared: readonly StatusType[]): StatusType[] {
  const statuses = new Set(declared.map(([status]) => status))
  if (statuses.has('default')) return []
  const type = route.description.method === 'HEAD' ? NOTHING : failureOf(route)
  return ['4xx', '5xx'].filter((status) => !statuses.has(status)).map((status) => [status, type])
}

/** An error handler of the application may send anything. */
function failureOf({ description, problemDetails }: InspectedRoute): TypeText {
  if (description.errorHandlers.length > 0) return UNKNOWN
  if (problemDetails === 'accepted') return ['Failure', 'Problem']
  return [problemDetails ? 'Problem' : 'Failure']
}
