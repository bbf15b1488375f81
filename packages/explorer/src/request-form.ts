import { openApiDocument } from '@cloister/openapi'
import type { DocumentedApp, OpenApiDocument, Operation } from '@cloister/openapi'
import { sample } from 'openapi-sampler'

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
}

/** How the user enters a value. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'file' | 'json'

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
        }
      }
    }
    return { path: null, fields: [], bodies: [], schemas: [] }
  }

  #fieldsOf({ parameters }: Operation): readonly Field[] {
    return (Array.isArray(parameters) ? parameters : []).flatMap((given: unknown): Field[] => {
      if (!isRecord(given)) return []
      const { in: part, name, required, schema } = given
      if (typeof name !== 'string' || (part !== 'path' && part !== 'query' && part !== 'header')) return []
      return [this.#field(part, name, required === true, schema)]
    })
  }

  #field(part: Field['in'], name: string, required: boolean, given: unknown): Field {
    const schema = this.#rows.resolve(given)
    const value = toText(required ? this.#sample(given) : schema['default'])
    const choices = (Array.isArray(schema['enum']) ? schema['enum'] : []).map(toText)
    return { in: part, name, required, value, kind: kindOf(schema), choices, hint: hintOf(schema) }
  }

  #bodiesOf({ requestBody }: Operation): readonly Body[] {
    return mediaOf(requestBody).map(([mediaType, given]) => {
      const value = this.#sample(given)
      const { properties, required } = this.#rows.resolve(given)
      const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
      return {
        mediaType,
        value: typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''),
        fields: Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) =>
          this.#field('body', name, isRequired(name), schema),
        ),
      }
    })
  }

  #schemasOf({ parameters, requestBody, responses }: Operation): readonly ShownSchema[] {
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
        all.push(shown(`response ${status}, ${mediaType}`, schema))
      }
    }
    return all
  }

  #sample(schema: unknown): unknown {
    if (!isRecord(schema)) return undefined
    try {
      return sample(schema, { skipReadOnly: true, quiet: true }, this.#document)
    } catch {
      // The library does not know the schema: the form has no initial value.
      return undefined
    }
  }
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
  if (Array.isArray(values)) return 'choice'
  const isFile = (one: unknown): boolean => isRecord(one) && one['format'] === 'binary'
  if (format === 'binary' || isFile(items)) return 'file'
  return typeof type === 'string' ? (KINDS[type] ?? 'text') : type === undefined ? 'json' : 'text'
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && typeof value['operationId'] === 'string'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
