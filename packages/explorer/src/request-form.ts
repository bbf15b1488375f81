import { openApiDocument } from '@cloister/openapi'
import type { DocumentedApp, OpenApiDocument, Operation } from '@cloister/openapi'

import { isRecord } from './sample/merge.ts'
import { Samples } from './sample/samples.ts'
import { SchemaRows } from './schema-rows.ts'
import type { SchemaRow } from './schema-rows.ts'

/** The form for a request. */
export interface RequestForm {
  /** Path with `{name}` for each parameter; `null` if the document has none, and the user must write the URL. */
  readonly path: string | null
  readonly fields: readonly Field[]
  readonly bodies: readonly Body[]
  /** The schemas that the route validates and serializes with. */
  readonly schemas: readonly ShownSchema[]
  /** The messages of a WebSocket route; `null` for other routes. */
  readonly socket: SocketForm | null
  /** Whether a response is declared as a stream of events. */
  readonly hasEvents: boolean
}

/** The form for messages to a socket. */
export interface SocketForm {
  /** Whether the client may send messages. */
  readonly canSend: boolean
  /** The first message as text; may be empty. */
  readonly message: string
}

/** How the user enters a value. The values of `json` and `json-choice` are JSON, others are texts. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'json-choice' | 'file' | 'json'

/** A parameter of the path, the query or a header, or a property of the body. */
export interface Field {
  readonly in: 'path' | 'query' | 'header' | 'body'
  readonly name: string
  readonly required: boolean
  /** Initial value as text; may be empty. */
  readonly value: string
  readonly kind: FieldKind
  readonly choices: readonly string[]
  /** The description from its schema. */
  readonly hint: string
}

/** A body of one media type. */
export interface Body {
  readonly mediaType: string
  /** Initial value as text. */
  readonly value: string
  /** Its properties, if it is an object. */
  readonly fields: readonly Field[]
}

/** A schema of the route, as a table and as JSON. */
export interface ShownSchema {
  /** As in `body, application/json` or `response 200`. */
  readonly title: string
  readonly schema: unknown
  readonly rows: readonly SchemaRow[]
}

/** The forms for the routes of an app, created from its OpenAPI document. */
export class RequestForms {
  readonly #document: OpenApiDocument
  readonly #ids: ReadonlyMap<string, string>
  readonly #rows: SchemaRows
  readonly #samples: Samples

  /** @throws OpenApiError when the app has no document */
  constructor(app: DocumentedApp) {
    const ids = new Map<string, string>()
    this.#document = openApiDocument(app, {
      transform: (operation, { method, url }) => {
        ids.set(`${method} ${url}`, operation.operationId)
        return operation
      },
    })
    this.#ids = ids
    this.#rows = new SchemaRows(this.#document)
    this.#samples = new Samples(this.#rows, this.#document.components?.schemas)
  }

  /** Returns the form of a route; without fields if the document does not have the route. */
  of(method: string, url: string): RequestForm {
    const id = this.#ids.get(`${method} ${url}`)
    for (const [path, item] of Object.entries(this.#document.paths)) {
      const operation = Object.values(item).find((one) => isOperation(one) && one.operationId === id)
      if (id !== undefined && isOperation(operation)) {
        return {
          path,
          fields: this.#fieldsOf(operation),
          bodies: this.#bodiesOf(operation),
          schemas: this.#schemasOf(operation),
          socket: this.#socketOf(operation),
          hasEvents: hasEvents(operation),
        }
      }
    }
    return { path: null, fields: [], bodies: [], schemas: [], socket: null, hasEvents: false }
  }

  #fieldsOf({ parameters }: Operation): readonly Field[] {
    return (Array.isArray(parameters) ? parameters : []).flatMap((given: unknown): Field[] => {
      if (!isRecord(given)) return []
      const { in: part, name, required, schema } = given
      if (typeof name !== 'string' || (part !== 'path' && part !== 'query' && part !== 'header')) return []
      return [this.#field(part, name, required === true, schema)]
    })
  }

  /** @param sample - the first value of a required field; that of a body is a property of the body's */
  #field(part: Field['in'], name: string, required: boolean, given: unknown, sample?: unknown): Field {
    const schema = this.#rows.resolve(given)
    const kind = kindOf(schema)
    const first = sample ?? (required ? this.#samples.of(given) : schema['default'])
    const isJson = part === 'body' && (kind === 'json' || kind === 'json-choice')
    const write = isJson ? toJson : toText
    const choices = (Array.isArray(schema['enum']) ? schema['enum'] : []).map(write)
    return { in: part, name, required, value: write(first), kind, choices, hint: hintOf(schema) }
  }

  #bodiesOf({ requestBody }: Operation): readonly Body[] {
    return mediaOf(requestBody).map(([mediaType, given]) => {
      const value = this.#samples.of(given)
      const { properties, required } = this.#rows.resolve(given)
      const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
      const whole = isRecord(value) ? value : {}
      return {
        mediaType,
        value: typeof value === 'string' && !isJsonType(mediaType) ? value : toJson(value, 2),
        fields: Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) =>
          this.#field('body', name, isRequired(name), schema, whole[name]),
        ),
      }
    })
  }

  #socketOf({ 'x-websocket': messages }: Operation): SocketForm | null {
    if (!isRecord(messages)) return null
    const { incoming } = messages
    return { canSend: !isNothing(incoming), message: toJson(this.#samples.of(incoming ?? {}), 2) }
  }

  #schemasOf({
    parameters,
    requestBody,
    responses,
    'x-websocket': messages,
  }: Operation): readonly ShownSchema[] {
    const shown = (title: string, schema: unknown): ShownSchema => ({
      title,
      schema,
      rows: this.#rows.of(schema),
    })
    const all: ShownSchema[] = []
    for (const part of ['path', 'query', 'header']) {
      const given = (Array.isArray(parameters) ? parameters : []).filter(
        (one): one is Record<string, unknown> => isRecord(one) && one['in'] === part,
      )
      const properties = Object.fromEntries(given.map(({ name, schema }) => [String(name), schema]))
      const required = given.flatMap((one) => (one['required'] === true ? [String(one['name'])] : []))
      if (given.length > 0) all.push(shown(part, { type: 'object', properties, required }))
    }
    for (const [mediaType, schema] of mediaOf(requestBody)) all.push(shown(`body, ${mediaType}`, schema))
    for (const [status, response] of Object.entries(isRecord(responses) ? responses : {})) {
      for (const [mediaType, schema] of mediaOf(response)) {
        const title = mediaType === EVENTS ? `each event, data` : `response ${status}, ${mediaType}`
        all.push(shown(title, schema))
      }
    }
    for (const side of ['incoming', 'outgoing']) {
      const schema = isRecord(messages) ? messages[side] : undefined
      if (schema !== undefined) all.push(shown(`${side} message`, schema))
    }
    return all
  }
}

const EVENTS = 'text/event-stream'

function hasEvents({ responses }: Operation): boolean {
  const all = Object.values(isRecord(responses) ? responses : {})
  return all.some((one) => isRecord(one) && isRecord(one['content']) && EVENTS in one['content'])
}

/** Whether a schema accepts no value: a document has `false` as `{ not: {} }`. */
function isNothing(schema: unknown): boolean {
  if (!isRecord(schema)) return schema === false
  const { not } = schema
  return isRecord(not) && Object.keys(not).length === 0
}

function isJsonType(mediaType: string): boolean {
  return /^application\/(?:.+\+)?json\b/.test(mediaType)
}

function hintOf(schema: unknown): string {
  if (!isRecord(schema)) return ''
  const { type, format, description, enum: values } = schema
  const kind = [Array.isArray(type) ? type.join(' or ') : type, format].filter(
    (one) => typeof one === 'string',
  )
  const list = Array.isArray(values) ? values.map(String).join(', ') : ''
  return [kind.join(' '), list, typeof description === 'string' ? description : '']
    .filter(Boolean)
    .join(' · ')
}

/** Returns the media types of a body or response, with their schemas; for a stream, that of its items. */
function mediaOf(given: unknown): readonly (readonly [mediaType: string, schema: unknown])[] {
  const content = isRecord(given) && isRecord(given['content']) ? given['content'] : {}
  return Object.entries(content).flatMap(([mediaType, media]) => {
    const schema = isRecord(media) ? (media['schema'] ?? media['itemSchema']) : undefined
    return schema === undefined ? [] : [[mediaType, schema] as const]
  })
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'json',
  array: 'json',
}

function kindOf({ enum: values, type, format, items }: Readonly<Record<string, unknown>>): FieldKind {
  if (Array.isArray(values)) {
    return values.every((one) => typeof one === 'string') ? 'choice' : 'json-choice'
  }
  const isFile = (one: unknown): boolean => isRecord(one) && one['format'] === 'binary'
  if (format === 'binary' || isFile(items)) return 'file'
  return typeof type === 'string' ? (KINDS[type] ?? 'text') : 'json'
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function toJson(value: unknown, indent?: number): string {
  return value === undefined ? '' : JSON.stringify(value, null, indent)
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && typeof value['operationId'] === 'string'
}
