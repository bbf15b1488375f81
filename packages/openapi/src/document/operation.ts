import type { InspectedRoute } from 'cloister/inspect'

import { defined, entriesOf, isJson, mapValues } from '../guards.ts'
import type { DocumentOptions } from '../options.ts'
import type { Translator } from '../schema/translate.ts'
import type { Operation, ResponseObject } from '../types.ts'
import { specifiedBy } from '../implement/as-specified.ts'
import { requestBodyOf, responsesOf } from './bodies.ts'
import type { FrameworkResponses } from './framework-responses.ts'
import { parametersOf } from './parameters.ts'
import type { PathTemplate } from './path.ts'
import type { AddHeaders, ResponseHeaders } from './response-headers.ts'
import { RouteSchemas } from './route.ts'
import type { SecurityTable } from './security.ts'
import { withReplay } from './topics.ts'

/** What all operations of a document share. */
export interface OperationParts {
  readonly options: DocumentOptions
  readonly translator: Translator
  readonly security: SecurityTable
  /** `null` if they are not documented. */
  readonly frameworkResponses: FrameworkResponses | null
  /** `null` if they are not documented. */
  readonly responseHeaders: ResponseHeaders | null
}

export function operationOf(
  route: InspectedRoute,
  operationId: string,
  template: PathTemplate,
  { options, translator, security, frameworkResponses, responseHeaders }: OperationParts,
): Operation {
  const schemas = new RouteSchemas(route, operationId, { translator, toJsonSchema: options.toJsonSchema })
  const parameters = parametersOf(schemas, template)
  const requirements = security.requirementsOf(route)
  const isSpecified = specifiedBy(route.config) !== undefined
  const headers = isSpecified || responseHeaders === null ? NO_HEADERS : responseHeaders.of(route)
  const own = mapValues({ ...switchingOf(route), ...responsesOf(schemas) }, (one, status) =>
    headers.described(status, one),
  )
  const isSecured = (requirements ?? options.security ?? []).length > 0
  // A guard describes its refusals only.
  const isDescribed = Object.keys(own).some((status) => route.refusals[status] !== 'schema')
  const added = isDescribed ? ('of' as const) : ('refusalsOf' as const)
  const framework = isSpecified
    ? {}
    : frameworkResponses?.[added](route, own, { isSecured, headed: headers.shared })
  const responses = { ...own, ...framework, ...(isDescribed ? {} : ANY_RESPONSE) }
  const operation: Operation = {
    operationId,
    ...annotationsOf(route.written),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...defined({ requestBody: requestBodyOf(schemas) }),
    responses: ordered(responses),
    ...defined({ security: requirements }),
    ...messagesOf(schemas),
  }
  const complete = withReplay(operation)
  return options.transform?.(complete, route.description) ?? complete
}

const unchanged: AddHeaders = (_status, response) => response
const NO_HEADERS = { described: unchanged, shared: unchanged }

const ANY_RESPONSE = { default: { description: 'Any response' } } as const

function switchingOf({ messages }: InspectedRoute): Record<string, ResponseObject> {
  if (messages === null) return {}
  const name = messages.protocol === 'websocket' ? 'WebSocket' : messages.protocol
  return { 101: { description: `The connection speaks ${name}` } }
}

/** Returns the messages after an upgrade, for which OpenAPI has no field in any version. */
function messagesOf(schemas: RouteSchemas): object {
  const { messages } = schemas.route
  if (messages === null) return {}
  const { protocol, incoming, outgoing } = messages
  const shown = defined({
    incoming: incoming === undefined ? undefined : schemas.read(incoming, 'input', 'incoming'),
    outgoing: outgoing === undefined ? undefined : schemas.read(outgoing, 'output', 'outgoing'),
  })
  return protocol === 'websocket' ? { 'x-websocket': shown } : { 'x-upgrade': { protocol, ...shown } }
}

/** Sorts statuses by number, then classes, then `default`. */
function ordered<T>(responses: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(responses).toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1)))
}

function rank(status: string): string {
  return status === 'default' ? '~' : status
}

function annotationsOf(written: Readonly<Record<string, unknown>>): Partial<Operation> {
  const { tags, summary, description, deprecated, externalDocs, servers, callbacks } = written
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  const extensions = entriesOf(written)
    .filter(([key]) => key.startsWith('x-'))
    .map(([key, value]): [string, unknown] => [key, asJson(value)])
  return {
    ...defined({
      tags: Array.isArray(tags) && tags.length > 0 ? tags.map(String) : undefined,
      summary: text(summary),
      description: text(description),
      deprecated: deprecated === undefined || deprecated === false ? undefined : true,
      externalDocs,
      servers,
      callbacks,
    }),
    ...Object.fromEntries(extensions),
  }
}

/** A document is JSON, in which a value may describe itself (`toJSON`), as a topic does. */
function asJson(value: unknown): unknown {
  return isJson(value) ? value : JSON.parse(JSON.stringify(value) ?? 'null')
}
