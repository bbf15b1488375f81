import { childLocation } from '@cloister/schema'
import { BodyContent, isSchemaObject } from '@cloister/schema/internal'
import type { SchemaLocation } from '@cloister/schema'
import type { InspectedRoute } from 'cloister/inspect'

import { pathParameters } from './route-key.ts'
import { inPart, typeOf } from './schema-type.ts'
import type { Writing } from './schema-type.ts'
import { listOf, print, propertyName, quoted, UNKNOWN } from './type-text.ts'

/** Writes one part of the request of a route for its row of the table. */
export type WritePart = (route: InspectedRoute, writing: Writing, path: string) => readonly string[]

/** Writes the parameters of a path, with the types of their schema, or as text or number. All are required. */
export const writeParams: WritePart = ({ schema, scope }, writing, path) => {
  const parameters = pathParameters(path)
  const at = schema.params === undefined ? null : scope.open(schema.params)
  const whole = at === null ? UNKNOWN : typeOf(at, inPart(writing, 'params'))
  const properties = isSchemaObject(schema.params) ? schema.params['properties'] : undefined
  const described = isSchemaObject(properties) ? properties : {}
  // A reference or another library describes all of them.
  if (print(whole) !== 'unknown' && !isSchemaObject(properties)) return [`params: ${print(whole)}`]
  if (parameters.length === 0) return []
  const members = parameters.map(({ name, optional }) => {
    const isTyped = at !== null && Object.hasOwn(described, name)
    const type = isTyped ? typeOf(childLocation(at, ['properties', name]), writing) : ['string', 'number']
    return `${propertyName(name)}${optional ? '?' : ''}: ${print(type)}`
  })
  const isOptional = parameters.every(({ optional }) => optional)
  return [`params${isOptional ? '?' : ''}: { ${members.join('; ')} }`]
}

/** Writes the query; it is optional if nothing in it is required. */
export const writeQuery: WritePart = ({ schema, scope }, writing) => {
  const { querystring } = schema
  if (querystring === undefined) return []
  const at = scope.open(querystring)
  return [`query${requires(at, writing) ? '' : '?'}: ${print(typeOf(at, inPart(writing, 'querystring')))}`]
}

/** Writes the declared headers, and the one that selects the version of the route. */
export const writeHeaders: WritePart = ({ schema, scope, description }, writing) => {
  const { version } = description.constraints
  const known =
    schema.headers === undefined
      ? []
      : [`headers: ${print(typeOf(scope.open(schema.headers), inPart(writing, 'headers')))}`]
  return version === undefined
    ? known
    : [...known, `content: { headers: { 'accept-version': ${quoted(version)} } }`]
}

/** Whether an object has a required property without a default, itself or by reference. */
function requires(at: SchemaLocation, { scope }: Writing): boolean {
  let target: SchemaLocation | undefined = at
  // Guards against circular references, although the boot rejects them.
  for (let depth = 0; depth < 1000 && target !== undefined && isSchemaObject(target.schema); depth++) {
    const { $ref, required, properties }: Record<string, unknown> = target.schema
    const declared = isSchemaObject(properties) ? properties : {}
    const names: unknown[] = Array.isArray(required) ? required : []
    const isNeeded = names.some((name) => {
      const property = declared[String(name)]
      return !isSchemaObject(property) || property['default'] === undefined
    })
    if (isNeeded) return true
    target = typeof $ref === 'string' ? scope.resolve(target, $ref) : undefined
  }
  return false
}

/** Writes the body: for JSON only its type; otherwise a list of what belongs to each media type. */
export const writeBody: WritePart = ({ schema, scope, requiresBody, bodyRule }, given) => {
  const { body } = schema
  const writing = inPart(given, 'body')
  const mark = requiresBody ? '' : '?'
  if (body instanceof BodyContent) {
    const choices = [...body.content].flatMap(([type, one]) =>
      choicesOf(type, mark, scope.open(one), writing),
    )
    return [`content:\n${choices.map((choice) => `      | ${choice}\n`).join('')}`.trimEnd()]
  }
  if (body !== undefined) return [`body${mark}: ${print(typeOf(scope.open(body), writing))}`]
  const isRead = bodyRule !== 'never' && bodyRule !== 'seldom'
  return isRead ? ['content: { type?: string; body?: unknown }'] : []
}

const LINES = /^application\/(?:x-ndjson|jsonl)$/

/** Returns what a call may pass for one media type; `fetch` has types for its own objects. */
function choicesOf(type: string, mark: string, at: SchemaLocation, writing: Writing): string[] {
  const name = quoted(type)
  const body = (text: string): string => `body${mark}: ${text}`
  if (type === 'application/json') return [`{ type?: ${name}; ${body(print(typeOf(at, writing)))} }`]
  if (/[/+]json$/.test(type)) return [`{ type: ${name}; ${body(print(typeOf(at, writing)))} }`]
  if (type === 'multipart/form-data') {
    const values = print(typeOf(at, { ...writing, file: 'Blob' }))
    return [`{ type?: ${name}; ${body('FormData')} }`, `{ type: ${name}; ${body(values)} }`]
  }
  if (type === 'application/x-www-form-urlencoded') {
    const values = print(typeOf(at, writing))
    return [`{ type?: ${name}; ${body('URLSearchParams')} }`, `{ type: ${name}; ${body(values)} }`]
  }
  if (LINES.test(type)) {
    const item = typeOf(at, writing)
    return [`{ type: ${name}; ${body(`${print(listOf(item))} | AsyncIterable<${print(item)}> | RawBody`)} }`]
  }
  return [`{ type: ${name}; ${body(type.startsWith('text/') ? textOf(at, writing) : 'RawBody')} }`]
}

/** Text is a string, whatever a parser returns for it. */
function textOf(at: SchemaLocation, writing: Writing): string {
  const { schema } = at
  return isSchemaObject(schema) && schema['type'] === 'string' ? print(typeOf(at, writing)) : 'string'
}

/** Writes the messages of a WebSocket route in both directions. */
export const writeMessages: WritePart = ({ messages, scope }, writing) => {
  if (messages?.protocol !== 'websocket') return []
  const { incoming, outgoing } = messages
  const sent = typeOf(scope.open(incoming), inPart(writing, 'incoming'))
  const received = typeOf(scope.open(outgoing), { ...inPart(writing, 'outgoing'), side: 'out' })
  return [`messages: { incoming: ${print(sent)}; outgoing: ${print(received)} }`]
}
