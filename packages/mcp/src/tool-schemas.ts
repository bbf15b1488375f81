import { BodyContent } from '@cloister/schema/internal'
import { StandaloneSchemas, templatesOf } from '@cloister/openapi/schema'
import type { JsonSchema } from '@cloister/openapi/schema'
import type { InspectedRoute } from 'cloister/inspect'

import { isRecord, McpError } from './errors.ts'
import type { Settings } from './options.ts'
import { isItems } from './read-items.ts'
import type { ToolDescription } from './types.ts'

/** The schemas of a tool, and how payloads become results. */
export interface ToolSchemas {
  readonly inputSchema: ToolDescription['inputSchema']
  readonly outputSchema: ToolDescription['outputSchema']
  /** Whether the payload becomes the member `result` of the structured result, which must be an object. */
  readonly isWrapped: boolean
  readonly parts: readonly string[]
  /** The media type of the body; null for a tool without one. */
  readonly bodyType: string | null
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

interface Source {
  readonly route: InspectedRoute
  readonly label: string
  readonly name: string
  readonly toJsonSchema: Settings['toJsonSchema']
}

/**
 * Creates the schemas of a tool from those of its route.
 *
 * @throws McpError `CLO_ERR_MCP_ROUTE` for a body that is not JSON; OpenApiError `CLO_ERR_OPENAPI_SCHEMA`
 */
export function toolSchemas(source: Source): ToolSchemas {
  return { ...inputOf(source), ...outputOf(source) }
}

function inputOf({
  route,
  label,
  name,
  toJsonSchema,
}: Source): Pick<ToolSchemas, 'inputSchema' | 'parts' | 'bodyType'> {
  const schemas = new StandaloneSchemas(route, `${name}Input`, toJsonSchema)
  const { params, querystring } = route.schema
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  const names = pathNames(route)
  if (names.all.length > 0) {
    properties['params'] =
      params === undefined
        ? textsOf(names)
        : withRequired(schemas.write(params, 'input', 'params'), names.always)
    if (names.always.length > 0) required.push('params')
  }
  if (querystring !== undefined) {
    const query = schemas.write(querystring, 'input', 'querystring')
    properties['query'] = query
    if (isRecord(query) && Array.isArray(query['required']) && query['required'].length > 0) {
      required.push('query')
    }
  }
  const body = bodyOf(route, label)
  if (body !== null) {
    properties['body'] = schemas.write(body.schema, 'input', 'body')
    if (route.requiresBody) required.push('body')
  }
  const inputSchema = {
    type: 'object' as const,
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...definitionsOf(schemas),
  }
  return { inputSchema, parts: Object.keys(properties), bodyType: body?.mediaType ?? null }
}

type PathNames = Readonly<Record<'all' | 'always', readonly string[]>>

function pathNames({ description: { url } }: InspectedRoute): PathNames {
  const [longest = [], ...others] = templatesOf(url).map(({ parameters }) =>
    parameters.map(({ name }) => name),
  )
  return { all: longest, always: others[0] ?? longest }
}

function textsOf({ all, always }: PathNames): JsonSchema {
  const properties = Object.fromEntries(all.map((name) => [name, { type: 'string' }]))
  return { type: 'object', properties, required: always }
}

/** A URL needs a value for each parameter, whether the schema requires it or not. */
function withRequired(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (!isRecord(schema)) return schema
  const given: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return { ...schema, required: [...new Set([...given, ...names])] }
}

function bodyOf(
  { schema: { body }, bodyRule }: InspectedRoute,
  label: string,
): { readonly schema: unknown; readonly mediaType: string } | null {
  if (bodyRule === 'never' || body === undefined) return null
  if (!(body instanceof BodyContent)) return { schema: body, mediaType: 'application/json' }
  const found = [...body.content].find(([mediaType]) => JSON_TYPE.test(mediaType))
  if (found !== undefined) return { schema: found[1], mediaType: found[0] }
  throw new McpError('CLO_ERR_MCP_ROUTE', `${label}: a tool needs a body of JSON; leave the option mcp out`)
}

function outputOf({ route, name, toJsonSchema }: Source): Pick<ToolSchemas, 'outputSchema' | 'isWrapped'> {
  const schemas = new StandaloneSchemas(route, `${name}Output`, toJsonSchema)
  const successes = [...(route.schema.response ?? [])].filter(([status]) => status.startsWith('2'))
  const written: JsonSchema[] = []
  for (const [status, { schema, content }] of successes) {
    const json = [...(content ?? [])].find(([type]) => JSON_TYPE.test(type))
    const items = json === undefined ? [...(content ?? [])].find(([type]) => isItems(type)) : undefined
    const given = content === undefined ? schema : (json ?? items)?.[1]
    // Unless each success has a schema, a result might not match the output schema.
    if (given === undefined || given === null) return { outputSchema: undefined, isWrapped: false }
    const one = schemas.write(given, 'output', `response ${status}`)
    written.push(items === undefined ? one : { type: 'array', items: one })
  }
  const [first] = written
  if (first === undefined) return { outputSchema: undefined, isWrapped: false }
  const root = written.length === 1 ? first : { anyOf: written }
  if (isObjectSchema(root, schemas.definitions())) {
    return { outputSchema: { ...root, type: 'object', ...definitionsOf(schemas) }, isWrapped: false }
  }
  const object = { type: 'object' as const, properties: { result: root }, required: ['result'] }
  return { outputSchema: { ...object, ...definitionsOf(schemas) }, isWrapped: true }
}

function isObjectSchema(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): schema is Exclude<JsonSchema, boolean> {
  return resolve(schema, definitions)['type'] === 'object'
}

/** Follows the references at the root of a schema; returns an empty object for a boolean one. */
export function resolve(schema: unknown, definitions: unknown): Readonly<Record<string, unknown>> {
  const seen = new Set<unknown>()
  let at: unknown = schema
  while (isRecord(at) && isRecord(definitions) && typeof at['$ref'] === 'string' && !seen.has(at)) {
    seen.add(at)
    at = definitions[at['$ref'].slice('#/$defs/'.length)]
  }
  return isRecord(at) ? at : {}
}

function definitionsOf(schemas: StandaloneSchemas): { readonly $defs?: object } {
  const $defs = schemas.definitions()
  return Object.keys($defs).length === 0 ? {} : { $defs }
}
