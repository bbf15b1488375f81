import type { CloisterInstance } from 'cloister'
import { inspectRoutes } from 'cloister/inspect'
import type { InspectedRoute } from 'cloister/inspect'

import { OpenApiError } from '../errors.ts'
import { defined, isRecord } from '../guards.ts'
import { checkDocumentOptions } from '../options.ts'
import type { DocumentOptions } from '../options.ts'
import {
  asSpecified,
  itemFieldsOf,
  otherFieldsOf,
  specifiedBy,
  specifiedOptions,
  specifiedPath,
  unusedSchemas,
} from '../implement/as-specified.ts'
import { Components } from '../schema/components.ts'
import { Translator } from '../schema/translate.ts'
import type { OpenApiDocument, Operation, TagObject } from '../types.ts'
import { errorMediaTypes, FrameworkResponses } from './framework-responses.ts'
import { operationOf } from './operation.ts'
import type { OperationParts } from './operation.ts'
import { OperationIds } from './operation-ids.ts'
import { templatesOf } from './path.ts'
import type { PathTemplate } from './path.ts'
import { isJsonSchema, labelOf } from './route.ts'
import { ResponseHeaders } from './response-headers.ts'
import { checkSchemes, SecurityTable } from './security.ts'

/** The members of an app that a document is made from. */
export type DocumentedApp = Pick<CloisterInstance, 'ready'>

/** A route under one path of the document. */
export interface Documented {
  readonly route: InspectedRoute
  readonly template: PathTemplate
  readonly method: string
  readonly operation: Operation
}

/** A document, with the route of each operation. */
export interface DocumentWithRoutes {
  /** Always version 3.1; the caller converts it. */
  readonly document: OpenApiDocument
  readonly operations: readonly Documented[]
  readonly options: DocumentOptions
}

/**
 * Creates the OpenAPI 3.1 document of an app that is ready.
 *
 * @param given - overrides the options of the registered plugin
 * @throws OpenApiError
 */
export function createDocument(app: DocumentedApp, given?: DocumentOptions): DocumentWithRoutes {
  const all = inspectRoutes(app)
  const specified = all.flatMap(({ config }) => specifiedBy(config) ?? [])
  const [spec] = specified.map((one) => one.spec)
  const options = { ...specifiedOptions(spec), ...optionsAmong(all), ...defined(given ?? {}) }
  checkDocumentOptions(options)
  const routes = documentedRoutes(all, options)
  const components = new Components(Object.keys(options.components?.schemas ?? {}))
  const translator = new Translator(components)
  const security = new SecurityTable()
  const frameworkResponses =
    options.frameworkResponses === false
      ? null
      : new FrameworkResponses(components, errorMediaTypes(routes[0]?.problemDetails ?? false))
  const responseHeaders =
    options.responseHeaders === false ? null : new ResponseHeaders(options.responseHeaders === 'all')
  for (const { schema, scope } of routes) {
    for (const one of responseSchemas(schema.response)) components.noteOutput(scope.open(one), scope)
  }
  const operations = writeOperations(routes, {
    options,
    translator,
    security,
    frameworkResponses,
    responseHeaders,
  })
  translator.writeComponents()
  const { info, servers, tags, externalDocs, components: extra } = options
  const securitySchemes = { ...security.schemes, ...extra?.securitySchemes }
  const secured = operations.map(
    ({ route, operation }) => [labelOf(route.description), operation.security] as const,
  )
  checkSchemes([['the option security', options.security], ...secured], securitySchemes)
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: info ?? { title: 'API', version: '0.0.0' },
    ...defined({ servers }),
    paths: pathsOf(operations),
    ...partsOf({
      ...extra,
      schemas: { ...unusedSchemas(spec, components.schemas), ...components.schemas, ...extra?.schemas },
      responses: { ...frameworkResponses?.components, ...extra?.responses },
      headers: { ...responseHeaders?.components, ...headersOf(extra) },
      securitySchemes,
    }),
    ...defined({ security: options.security, tags: tagsOf(operations, tags), externalDocs }),
    ...otherFieldsOf(spec),
  }
  return { document, operations, options }
}

function headersOf(components: DocumentOptions['components']): object {
  const headers = components?.['headers']
  return isRecord(headers) ? headers : {}
}

/** The key in the `config` of the plugin's routes that holds its options. */
export const SETTINGS = '@cloister/openapi'

/**
 * Returns the options of the plugin that was registered first, to create a document that differs in some of them.
 *
 * @param app - an app that is ready
 * @returns an empty object if the plugin is not registered
 * @throws `CLO_ERR_EXPLAIN_NOT_READY` before the app is ready
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { openapi, openApiDocument, registeredOptions } from '@cloister/openapi'
 *
 * const app = cloister()
 * app.register(openapi, { info: { title: 'Books', version: '1.0.0' }, ui: false })
 * await app.ready()
 * const { info } = openApiDocument(app, { ...registeredOptions(app), servers: [{ url: '/v1' }] })
 * console.log(info.title) // Books
 * ```
 */
export function registeredOptions(app: DocumentedApp): DocumentOptions {
  return optionsAmong(inspectRoutes(app))
}

function optionsAmong(routes: readonly InspectedRoute[]): DocumentOptions {
  return routes.map(({ config }) => config[SETTINGS]).find(isRecord) ?? {}
}

/** Returns the routes of the document, without hidden ones and those that the framework derived from others. */
function documentedRoutes(
  routes: readonly InspectedRoute[],
  { select }: DocumentOptions,
): readonly InspectedRoute[] {
  const shown = routes.filter(
    (route) => !isHidden(route) && (select === undefined || select(route.description)),
  )
  const sites = new Set(shown.map((route) => siteOf(route, route.description.url)))
  return shown.filter((route) => !isOtherPath(route, sites))
}

/** The route `/` below a prefix is one route with two paths; the option `documentedTrailingSlash` names one of them. */
function isOtherPath(route: InspectedRoute, sites: ReadonlySet<string>): boolean {
  const { description, isSecondPath, documentedTrailingSlash } = route
  const { url } = description
  if (isSecondPath === (documentedTrailingSlash === 'slash')) return false
  const twin = { description, isSecondPath: !isSecondPath }
  return sites.has(siteOf(twin, isSecondPath ? url.slice(0, -1) : `${url}/`))
}

function responseSchemas(responses: InspectedRoute['schema']['response']): unknown[] {
  const all = [...(responses?.values() ?? [])]
  return all.flatMap(({ schema, content }) => [schema, ...(content?.values() ?? [])]).filter(isJsonSchema)
}

function siteOf(
  { description, isSecondPath }: Pick<InspectedRoute, 'description' | 'isSecondPath'>,
  url: string,
): string {
  const { method, callSite, context } = description
  return JSON.stringify([method, url, callSite, context, isSecondPath])
}

function isHidden({ description, written, config }: InspectedRoute): boolean {
  const { hide, tags } = written
  return (
    description.automatic ||
    hide === true ||
    config['openapi'] === false ||
    (Array.isArray(tags) && tags.includes('X-HIDDEN'))
  )
}

function writeOperations(routes: readonly InspectedRoute[], parts: OperationParts): Documented[] {
  const ids = new OperationIds(routes)
  const templates = new Map<string, PathTemplate>()
  const taken = new Map<string, InspectedRoute>()
  return routes.flatMap((route) =>
    templatesOf(route.description.url).map((given) => {
      const specified = specifiedBy(route.config)
      const own = specified === undefined ? given : specifiedPath(given, specified)
      const first = templates.get(own.shape) ?? own
      templates.set(own.shape, first)
      const template = renamed(own, first)
      const method = route.description.method.toLowerCase()
      claim(taken, `${method} ${template.shape}`, route)
      const operationId = ids.nameOf({ route, method, path: template.text })
      const written = operationOf(route, operationId, template, parts)
      const operation = specified === undefined ? written : asSpecified(written, specified)
      return { route, template, method, operation }
    }),
  )
}

/** Paths that differ only in the names of their parameters are one path of a document, with the first names. */
function renamed(own: PathTemplate, { text, shape, parameters }: PathTemplate): PathTemplate {
  return {
    text,
    shape,
    parameters: own.parameters.map((parameter, index) => ({
      ...parameter,
      documentName: parameters[index]?.documentName ?? parameter.documentName,
    })),
  }
}

function claim(taken: Map<string, InspectedRoute>, key: string, route: InspectedRoute): void {
  const other = taken.get(key)
  taken.set(key, route)
  if (other === undefined) return
  throw new OpenApiError(
    'CLO_ERR_OPENAPI_PATH',
    `OpenAPI has one operation for a method and a path, and here are two: ${described(other)} and ` +
      `${described(route)}; leave one out with schema: { hide: true } or with the option select, ` +
      'which can also make a document for each version or host',
  )
}

function described({ description }: InspectedRoute): string {
  const constraints = Object.entries(description.constraints).map(([name, value]) => `${name} ${value}`)
  return `${labelOf(description)}${constraints.length === 0 ? '' : ` with ${constraints.join(', ')}`}`
}

/** Methods with a field in a path item (OpenAPI Specification 3.1.1, section 4.8.9). */
const METHODS: ReadonlySet<string> = new Set('get put post delete options head patch trace'.split(' '))

function pathsOf(operations: readonly Documented[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { route, template, method, operation } of operations) {
    const item = (paths[template.text] ??= { ...itemFieldsOf(specifiedBy(route.config)) })
    if (METHODS.has(method)) item[method] = operation
    else {
      const others = item['x-additionalOperations']
      item['x-additionalOperations'] = {
        ...(isRecord(others) ? others : {}),
        [method.toUpperCase()]: operation,
      }
    }
  }
  return paths
}

function partsOf(components: Readonly<Record<string, unknown>>): Pick<OpenApiDocument, 'components'> {
  const given = Object.entries(components).filter(
    ([, part]) => !isRecord(part) || Object.keys(part).length > 0,
  )
  return given.length === 0 ? {} : { components: Object.fromEntries(given) }
}

/** Returns the tags of the options, then further tags of the operations. */
function tagsOf(
  operations: readonly Documented[],
  given: readonly TagObject[] = [],
): readonly TagObject[] | undefined {
  // A document that the app implements lists its tags itself.
  const own = operations.filter(({ route }) => specifiedBy(route.config) === undefined)
  const names = new Set(own.flatMap(({ operation }) => operation.tags ?? []))
  for (const { name } of given) names.delete(name)
  const all = [...given, ...[...names].map((name) => ({ name }))]
  return all.length === 0 ? undefined : all
}
