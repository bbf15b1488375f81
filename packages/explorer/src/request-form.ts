import { openApiDocument } from '@cloister/openapi'
import type { DocumentedApp, OpenApiDocument, Operation } from '@cloister/openapi'
import { sample } from 'openapi-sampler'

/** What the form of a request has. */
export interface RequestForm {
  /** Path with `{name}` for each parameter; `null` where the document has none, and the user writes the URL. */
  readonly path: string | null
  readonly fields: readonly Field[]
  readonly bodies: readonly Body[]
}

/** A parameter of the path, the query or a header. */
export interface Field {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required: boolean
  /** First value, as text; empty where there is none. */
  readonly value: string
  /** What its schema says, for people. */
  readonly hint: string
}

/** A body of one media type. */
export interface Body {
  readonly mediaType: string
  /** First value, as text. */
  readonly value: string
}

/** Forms of the routes of an app, made from its OpenAPI document. */
export class RequestForms {
  readonly #document: OpenApiDocument
  readonly #ids: ReadonlyMap<string, string>

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
  }

  /** The form of a route; one without fields where the document leaves the route out. */
  of(method: string, url: string): RequestForm {
    const id = this.#ids.get(`${method} ${url}`)
    for (const [path, item] of Object.entries(this.#document.paths)) {
      const operation = Object.values(item).find((one) => isOperation(one) && one.operationId === id)
      if (id !== undefined && isOperation(operation)) {
        return { path, fields: this.#fieldsOf(operation), bodies: this.#bodiesOf(operation) }
      }
    }
    return { path: null, fields: [], bodies: [] }
  }

  #fieldsOf({ parameters }: Operation): readonly Field[] {
    return (Array.isArray(parameters) ? parameters : []).flatMap((given: unknown): Field[] => {
      if (!isRecord(given)) return []
      const { in: part, name, required, schema } = given
      if (typeof name !== 'string' || (part !== 'path' && part !== 'query' && part !== 'header')) return []
      const value = required === true ? this.#sample(schema) : undefined
      return [{ in: part, name, required: required === true, value: toText(value), hint: hintOf(schema) }]
    })
  }

  #bodiesOf({ requestBody }: Operation): readonly Body[] {
    const content: unknown = isRecord(requestBody) ? requestBody['content'] : undefined
    return Object.entries(isRecord(content) ? content : {}).map(([mediaType, media]) => {
      const value = this.#sample(isRecord(media) ? media['schema'] : undefined)
      return { mediaType, value: typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '') }
    })
  }

  #sample(schema: unknown): unknown {
    if (!isRecord(schema)) return undefined
    try {
      return sample(schema, { skipReadOnly: true, quiet: true }, this.#document)
    } catch {
      // A schema that the library does not know gives a form without a first value.
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
