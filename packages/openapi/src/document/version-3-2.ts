import { isRecord, mapValues } from '../guards.ts'
import type { JsonSchema, MediaTypeObject, OpenApiDocument } from '../types.ts'

/** Media types of sequences: their schema is that of one item (OpenAPI Specification 3.2.0, section 4.14.3). */
const SEQUENCES = ['application/x-ndjson', 'application/jsonl', 'application/json-seq']
const EVENTS = 'text/event-stream'

/** Returns what a body of a media type is a sequence of: items or events; `null` for one value. */
export function streamOf(type: string): 'items' | 'events' | null {
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (essence === EVENTS) return 'events'
  return SEQUENCES.includes(essence) ? 'items' : null
}

/** Converts a document to version 3.2: items of streams get `itemSchema`, and other methods become operations. */
export function inNewerVersion(document: OpenApiDocument): OpenApiDocument {
  return { ...document, openapi: '3.2.0', paths: mapValues(document.paths, pathItem) }
}

function pathItem(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { 'x-additionalOperations': additional, ...known } = item
  const { QUERY: query, ...others } = isRecord(additional) ? additional : {}
  const operations = { ...known, ...(query === undefined ? {} : { query }) }
  return {
    ...mapValues(operations, operation),
    ...(Object.keys(others).length === 0 ? {} : { additionalOperations: mapValues(others, operation) }),
  }
}

function operation(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { requestBody, responses } = value
  return {
    ...value,
    ...(isRecord(requestBody) ? { requestBody: withItems(requestBody) } : {}),
    ...(isRecord(responses) ? { responses: mapValues(responses, withItems) } : {}),
  }
}

function withItems(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value['content'])) return value
  return { ...value, content: mapValues(value['content'], mediaType) }
}

function mediaType(value: unknown, type: string): unknown {
  const stream = streamOf(type)
  if (stream === null || !isRecord(value) || !('schema' in value)) return value
  const { schema, ...rest }: MediaTypeObject = value
  return { ...rest, itemSchema: stream === 'events' ? eventOf(schema) : schema }
}

/** Returns the schema of an event whose data is JSON text. */
function eventOf(data: JsonSchema | undefined): JsonSchema {
  const text = { type: 'string' }
  return {
    type: 'object',
    properties: {
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
      event: text,
      id: text,
      retry: { type: 'integer', minimum: 0 },
    },
  }
}
