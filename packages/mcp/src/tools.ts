import { templatesOf } from '@cloister/openapi/schema'
import type { PathTemplate } from '@cloister/openapi/schema'
import { inspectRoutes } from 'cloister/inspect'
import type { InspectedRoute } from 'cloister/inspect'

import { McpError } from './errors.ts'
import { checkTool } from './options.ts'
import type { Settings } from './options.ts'
import { createResource } from './resources.ts'
import type { Resource } from './resources.ts'
import { toolSchemas } from './tool-schemas.ts'
import type { ToolSchemas } from './tool-schemas.ts'
import type { McpTool, ToolDescription } from './types.ts'

/** A tool with what a call needs. */
export interface Tool extends ToolSchemas {
  readonly description: ToolDescription
  /** The route of which it was made: a call reaches it, or nothing. */
  readonly route: InspectedRoute
  /** The longest path first, then the one without an optional last parameter. */
  readonly templates: readonly PathTemplate[]
  /** The value of the constraint `version`. */
  readonly version: string | undefined
  /** What the client's user is asked before a call, and whether a client that cannot ask is refused. */
  readonly confirms: { readonly text: string | null; readonly isRequired: boolean } | null
}

/** What a method implies (RFC 9110, sections 9.2.1 and 9.2.2). */
const BY_METHOD: Readonly<Record<string, McpTool['annotations']>> = {
  GET: { readOnlyHint: true },
  HEAD: { readOnlyHint: true },
  POST: { destructiveHint: false },
  PUT: { idempotentHint: true },
  DELETE: { destructiveHint: true, idempotentHint: true },
}

/** Hooks that run before a handler and may refuse its request. */
const BEFORE_HANDLER: ReadonlySet<string> = new Set(
  'onRequest preParsing preValidation preHandler'.split(' '),
)

/** What clients of an app see. */
export interface Entries {
  /** By their names. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly resources: readonly Resource[]
}

/**
 * Creates the tools and resources for the routes with the option `mcp` in the context of the plugin and below.
 *
 * @param app - the instance of the plugin
 * @throws McpError; OpenApiError for a schema that cannot be written
 */
export function readEntries(app: Parameters<typeof inspectRoutes>[0], settings: Settings): Entries {
  const tools = new Map<string, Tool>()
  const resources: Resource[] = []
  for (const route of inspectRoutes(app)) {
    const { description, isSecondPath, written } = route
    const label = labelOf(route)
    const isWithin = app === route.instance || Object.prototype.isPrototypeOf.call(app, route.instance)
    const given = isWithin ? checkTool(route.options['mcp'], label) : null
    if (given === null || description.automatic || isSecondPath || written['hide'] === true) continue
    const tool = createTool(route, given, settings)
    if (given.as !== 'resource') addTool(tools, tool, label)
    if (given.as !== undefined && given.as !== 'tool') addResource(resources, tool, given, label)
  }
  return { tools, resources }
}

function addTool(tools: Map<string, Tool>, tool: Tool, label: string): void {
  const { name } = tool.description
  const other = tools.get(name)
  if (other !== undefined) {
    throw new McpError(
      'CLO_ERR_MCP_NAME',
      `${label}: ${other.description.method} ${other.description.url} is the tool '${name}' too; ` +
        'give one of them another name with mcp: { name }',
    )
  }
  tools.set(name, tool)
}

function addResource(resources: Resource[], tool: Tool, given: McpTool, label: string): void {
  if (tool.description.method !== 'GET') {
    throw new McpError('CLO_ERR_MCP_ROUTE', `${label}: only a GET route can be a resource; leave mcp.as out`)
  }
  if (given.as === 'resource' && given.annotations !== undefined) {
    throw new McpError(
      'CLO_ERR_MCP_ROUTE',
      `${label}: mcp.annotations are hints of tools; a resource has none`,
    )
  }
  if (tool.confirms !== null) {
    throw new McpError(
      'CLO_ERR_MCP_ROUTE',
      `${label}: a resource is read without a question; leave mcp.confirm out`,
    )
  }
  const resource = createResource(tool)
  const { uri, uriTemplate } = resource.description
  const other = resources.find(
    ({ description }) => description.uriTemplate === uriTemplate && description.uri === uri,
  )
  if (other !== undefined) {
    throw new McpError(
      'CLO_ERR_MCP_NAME',
      `${label}: ${labelOf(other.route)} is the resource ${uri ?? uriTemplate ?? ''} too; leave the option mcp out of one`,
    )
  }
  resources.push(resource)
}

function labelOf({ description: { method, url, callSite } }: InspectedRoute): string {
  return `${method} ${url}${callSite === null ? '' : ` (${callSite})`}`
}

function createTool(route: InspectedRoute, given: McpTool, { toJsonSchema }: Settings): Tool {
  const label = labelOf(route)
  const { written, description } = route
  const { method, url, callSite, constraints, hooks } = description
  const other = Object.keys(constraints).find((name) => name !== 'version')
  if (other !== undefined) {
    throw new McpError(
      'CLO_ERR_MCP_ROUTE',
      `${label}: a route with the constraint '${other}' cannot be a tool or a resource: a call has no value for it; leave the option mcp out`,
    )
  }
  const name = given.name ?? textOf(written['operationId']) ?? nameOf(method, url)
  const schemas = toolSchemas({ route, label, name, toJsonSchema })
  const title = given.title ?? textOf(written['summary'])
  const text = given.description ?? textOf(written['description'])
  return {
    ...schemas,
    route,
    templates: templatesOf(url),
    version: constraints['version'],
    confirms: confirmsOf(given, method),
    description: Object.freeze({
      name,
      ...(title === undefined ? {} : { title }),
      ...(text === undefined ? {} : { description: text }),
      annotations: { ...BY_METHOD[method], ...given.annotations },
      inputSchema: schemas.inputSchema,
      ...(schemas.outputSchema === undefined ? {} : { outputSchema: schemas.outputSchema }),
      method,
      url,
      callSite,
      guards: hooks.filter((hook) => BEFORE_HANDLER.has(hook.name)),
    }),
  }
}

function confirmsOf({ confirm, annotations }: McpTool, method: string): Tool['confirms'] {
  if (confirm === true) return { text: null, isRequired: true }
  if (typeof confirm === 'string') return { text: confirm, isRequired: true }
  const { destructiveHint } = { ...BY_METHOD[method], ...annotations }
  return confirm === undefined && destructiveHint === true ? { text: null, isRequired: false } : null
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Returns a name such as `get_books_id` for `GET /books/:id`. */
function nameOf(method: string, url: string): string {
  return `${method.toLowerCase()}_${url}`
    .replaceAll(/[\W_]+/g, '_')
    .replace(/_$/, '')
    .slice(0, 128)
}
