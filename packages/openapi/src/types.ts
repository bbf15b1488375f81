/*
 * The parts of an OpenAPI document that this package writes (OpenAPI Specification 3.1.1, section 4.8). Other fields
 * and extensions (`x-…`) may come from options and schemas.
 */

/** A JSON Schema in the dialect 2020-12. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>

/** A whole document. */
export interface OpenApiDocument {
  /** Version of the specification: `3.1.1`, or `3.0.3`. */
  readonly openapi: string
  /** Title and version of the API. */
  readonly info: InfoObject
  /** Where the API is served. */
  readonly servers?: readonly ServerObject[]
  /** Paths with their operations. */
  readonly paths: Readonly<Record<string, PathItem>>
  /** Schemas, responses and security schemes that operations refer to. */
  readonly components?: Components
  /** Security of the operations that do not state their own. */
  readonly security?: readonly SecurityRequirement[]
  /** Groups of operations. */
  readonly tags?: readonly TagObject[]
  /** Further documentation. */
  readonly externalDocs?: ExternalDocs
  /** Extensions, and fields of other versions. */
  readonly [field: string]: unknown
}

/** Title and version of an API. */
export interface InfoObject {
  /** Title of the API. */
  readonly title: string
  /** Version of the API, not of the specification. */
  readonly version: string
  /** Description, in Markdown. */
  readonly description?: string
  /** Further fields, such as `license` and `contact`. */
  readonly [field: string]: unknown
}

/** A server. */
export interface ServerObject {
  /** Its URL, which may be relative to that of the document. */
  readonly url: string
  /** What it is for. */
  readonly description?: string
  /** Further fields, such as `variables`. */
  readonly [field: string]: unknown
}

/** A group of operations. */
export interface TagObject {
  /** Its name, as operations have it in `tags`. */
  readonly name: string
  /** Description, in Markdown. */
  readonly description?: string
  /** Further fields, such as `externalDocs`. */
  readonly [field: string]: unknown
}

/** A link to further documentation. */
export interface ExternalDocs {
  /** Where it is. */
  readonly url: string
  /** What it is. */
  readonly description?: string
}

/** The operations of one path, by method in lower case. */
export interface PathItem {
  /** Operations, and further fields. */
  readonly [field: string]: unknown
}

/** One method of one path. */
export interface Operation {
  /** A unique name. */
  readonly operationId: string
  /** Groups that it belongs to. */
  readonly tags?: readonly string[]
  /** Short description. */
  readonly summary?: string
  /** Full description, in Markdown. */
  readonly description?: string
  /** Whether clients should stop using it. */
  readonly deprecated?: boolean
  /** Parameters of path, query string, headers and cookies. */
  readonly parameters?: readonly Parameter[]
  /** The body of its requests. */
  readonly requestBody?: RequestBody
  /** Responses, by status (`200`), class (`2XX`) or `default`. */
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
  /** What a request must satisfy; one of the list is enough. */
  readonly security?: readonly SecurityRequirement[]
  /** Further fields. */
  readonly [field: string]: unknown
}

/** A parameter of an operation. */
export interface Parameter {
  /** Its name. */
  readonly name: string
  /** Its location in the request. */
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  /** Whether a request must have it; always true in a path. */
  readonly required?: boolean
  /** Its schema. */
  readonly schema: JsonSchema
  /** Further fields, such as `style` and `description`. */
  readonly [field: string]: unknown
}

/** The body of an operation's requests. */
export interface RequestBody {
  /** Description, in Markdown. */
  readonly description?: string
  /** Whether a request must have one. */
  readonly required?: boolean
  /** Media type → description of the body. */
  readonly content: Readonly<Record<string, MediaTypeObject>>
}

/** A body or payload of one media type. */
export interface MediaTypeObject {
  /** Its schema. */
  readonly schema?: JsonSchema
  /** Further fields, such as `examples` and `encoding`. */
  readonly [field: string]: unknown
}

/** A response. */
export interface ResponseObject {
  /** Description, in Markdown. */
  readonly description: string
  /** Headers, by name. */
  readonly headers?: Readonly<Record<string, object>>
  /** Media type → description of the payload. */
  readonly content?: Readonly<Record<string, MediaTypeObject>>
  /** Further fields, such as `links`. */
  readonly [field: string]: unknown
}

/** A reference to a component. */
export interface Reference {
  /** Its location in the document, as in `#/components/schemas/user`. */
  readonly $ref: string
}

/** The parts that operations refer to. */
export interface Components {
  /** Schemas, by name. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  /** Responses, by name. */
  readonly responses?: Readonly<Record<string, ResponseObject>>
  /** Security schemes, by name. */
  readonly securitySchemes?: SecuritySchemes
  /** Further components. */
  readonly [field: string]: unknown
}

/** Names of security schemes, each with its scopes. A request must satisfy all of them. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** Security schemes, by name. */
export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>

/** A security scheme, such as `{ type: 'http', scheme: 'bearer' }`. */
export interface SecurityScheme {
  /** Its kind. */
  readonly type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect'
  /** The fields of its kind. */
  readonly [field: string]: unknown
}

/** A document of the messages of an app (AsyncAPI Specification 3.0.0). */
export interface AsyncApiDocument {
  /** Version of the specification. */
  readonly asyncapi: '3.0.0'
  /** Title and version of the API. */
  readonly info: InfoObject
  /** The media type of payloads that state none. */
  readonly defaultContentType: string
  /** Where the channels are: `http` and `ws`, with a number if there are several. */
  readonly servers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The addresses at which messages are sent and received. */
  readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** What the app does: `send` messages to clients, or `receive` them. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Schemas, messages and security schemes that the other parts refer to. */
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
