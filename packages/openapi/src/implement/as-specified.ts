import isEqual from 'fast-deep-equal'

import { templatesOf } from '../document/path.ts'
import type { PathTemplate } from '../document/path.ts'
import { defined, entriesOf, isRecord } from '../guards.ts'
import type { DocumentOptions } from '../options.ts'
import type { JsonSchema, Operation } from '../types.ts'
import { parameterNames, routeUrl } from './paths.ts'
import { METHODS } from './specification.ts'
import type { Part, Specification, SpecifiedOperation } from './specification.ts'

/*
 * Operations that an app implements are written from the schemas of their routes, as all others. What the app does
 * not know (examples, links, styles, extensions) comes from the implemented document. Parts that are equal in both
 * are written as in that document, with its references.
 */

/** The key in the `config` of a route that holds its operation. */
export const SPECIFIED = '@cloister/openapi/operation'

export interface Specified {
  readonly spec: Specification
  readonly operation: SpecifiedOperation
}

/** Returns the operation that a route implements; undefined if it implements none. */
export function specifiedBy(config: Part): Specified | undefined {
  const found = config[SPECIFIED]
  return isSpecified(found) ? found : undefined
}

function isSpecified(value: unknown): value is Specified {
  return isRecord(value) && 'spec' in value && 'operation' in value
}

/** Returns an operation's path as its document has it, after the route's prefix unless a server URL has that. */
export function specifiedPath(own: PathTemplate, { spec, operation: { path } }: Specified): PathTemplate {
  const [plain] = templatesOf(routeUrl(path))
  const prefix = own.text.slice(0, own.text.length - (plain?.text.length ?? 0))
  const { servers = [] } = spec.document
  const isServed = servers.some(({ url }) => url.replace(/^[^/]*\/\/[^/]*/, '').replace(/\/$/, '') === prefix)
  const names = parameterNames(path)
  const first = own.parameters.length - names.length
  const parameters = own.parameters.map((parameter, index) => {
    return { ...parameter, documentName: names[index - first] ?? parameter.documentName, pattern: null }
  })
  return { shape: own.shape, text: `${isServed ? '' : prefix}${path}`, parameters }
}

/** Writes an operation as its document has it, where the route is equal. */
export function asSpecified(written: Operation, { spec, operation }: Specified): Operation {
  const { requestBody, responses } = operation.fields
  const left = new Set<object>(written.parameters)
  const parameters = operation.parameters.map((given) => {
    const { name, in: where } = spec.follow(given)
    const key = where === 'header' ? String(name).toLowerCase() : name
    const found = written.parameters?.find((one) => one.in === where && one.name === key)
    // The framework reads some headers itself.
    if (found === undefined) return given
    left.delete(found)
    return merged(given, { schema: found.schema, required: found.required }, spec)
  })
  const all = new Map<string, unknown>(entriesOf(responses))
  for (const [status, one] of Object.entries(written.responses)) {
    const key = all.has(status) ? status : status.toLowerCase()
    if (all.has(key))
      all.set(key, merged(all.get(key), 'content' in one ? { content: one.content } : {}, spec))
    else if (all.size === 0) all.set(status, one)
  }
  const { operationId, security } = written
  const { requestBody: _, ...fields } = operation.fields
  const body = written.requestBody
  const list = [...parameters, ...left]
  const specified = {
    operationId,
    ...fields,
    ...(list.length === 0 ? {} : { parameters: list }),
    ...(body === undefined ? {} : { requestBody: merged(requestBody, { required: false, ...body }, spec) }),
    responses: Object.fromEntries(all),
    ...defined({ security }),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a document may have references for parts
  return specified as Operation
}

/** Merges a part of a document with the schemas of the app; returns its reference if they are equal. */
function merged(given: unknown, { schema, required, content }: Part, spec: Specification): object {
  const resolved = spec.follow(given)
  // A part that allows any value has an empty schema in the app, and may have none in the document.
  const isNone = resolved['schema'] === undefined && ('content' in resolved || isEqual(schema, {}))
  const types = entriesOf(content).map(([type, media]): [string, object] => {
    const entry = isRecord(resolved['content']) ? resolved['content'][type] : undefined
    return [type, merged(entry, isRecord(media) ? media : {}, spec)]
  })
  const whole = {
    ...resolved,
    ...(isNone ? {} : defined({ schema })),
    ...(resolved['required'] === (required ?? false) || !(required ?? resolved['required'])
      ? {}
      : { required }),
    ...(types.length === 0 ? {} : { content: Object.fromEntries(types) }),
  }
  return isRecord(given) && isEqual(whole, resolved) ? given : whole
}

/** Returns the options of a document from the fields of the implemented document. */
export function specifiedOptions(spec: Specification | undefined): DocumentOptions {
  if (spec === undefined) return {}
  const { info, servers, tags, security, externalDocs, components = {} } = spec.document
  const { schemas: _, ...others } = components
  return defined({ info, servers, tags, security, externalDocs, components: others })
}

/** Returns the fields of a document without options, such as `webhooks`. */
export function otherFieldsOf(spec: Specification | undefined): Part {
  return without(
    spec?.document,
    'openapi info servers tags security externalDocs components paths'.split(' '),
  )
}

/** Returns the schemas of a document that no operation of the app refers to. */
export function unusedSchemas(spec: Specification | undefined, used: Part): Record<string, JsonSchema> {
  return without(spec?.document.components?.schemas, Object.keys(used))
}

/** Returns the fields of a path item that all of its operations share. */
export function itemFieldsOf(specified: Specified | undefined): Part {
  return without(specified?.operation.item, [...METHODS, 'parameters', '$ref'])
}

function without<Value>(
  object: Readonly<Record<string, Value>> = {},
  keys: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
