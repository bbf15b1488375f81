/** What is wrong with a schema, as a stable word. */
export type SchemaErrorCode =
  | 'ID_MISSING'
  | 'ID_DUPLICATE'
  | 'REF_UNRESOLVED'
  | 'SCHEMA_INVALID'
  | 'SHAPE_INVALID'
  | 'CONTENT_SCHEMA_MISSING'
  | 'PART_DUPLICATE'
  | 'STATUS_KEY_INVALID'

/** Where a schema is used; every field is optional and goes into messages as it is. */
export interface RouteRef {
  /** HTTP method of the route. */
  readonly method?: string | undefined
  /** URL pattern of the route. */
  readonly url?: string | undefined
  /** The user's own `file:line`. */
  readonly callSite?: string | undefined
  /** Path of the plugin context, such as `root > api`. */
  readonly context?: string | undefined
}

/**
 * A schema that works but can be used against the application: `PATTERN_SLOW`, an expression whose time grows with a
 * power of the length of a text.
 */
export interface SchemaWarning {
  readonly code: 'PATTERN_SLOW'
  /** What is wrong, where, and what to do. */
  readonly message: string
  /** The expression. */
  readonly pattern: string
}

/** The facts of a {@link SchemaError}. */
export interface SchemaErrorDetails {
  readonly code: SchemaErrorCode
  /** What is wrong and what to do, one sentence without the place. */
  readonly reason: string
  /** JSON pointer of the offending keyword inside the schema (`''`: the schema itself). */
  readonly pointer?: string | undefined
  /** `$id` of the schema, if it has one. */
  readonly schemaId?: string | undefined
  /** Names that exist and look like the one that was written. */
  readonly nearest?: readonly string[] | undefined
  /** Request part or response status that the schema stands for. */
  readonly part?: string | undefined
  /** The route and the place in the user's code. */
  readonly route?: RouteRef | undefined
  readonly cause?: unknown
}

/** A schema that cannot be used; raised while an application starts, never by a request. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
  readonly code: SchemaErrorCode
  readonly reason: string
  readonly pointer: string
  readonly schemaId: string | undefined
  readonly nearest: readonly string[]
  readonly part: string | undefined
  readonly route: RouteRef | undefined

  constructor(details: SchemaErrorDetails) {
    super(schemaMessage(details), details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.reason = details.reason
    this.pointer = details.pointer ?? ''
    this.schemaId = details.schemaId
    this.nearest = details.nearest ?? []
    this.part = details.part
    this.route = details.route
  }

  /** The same error, with the part and the route that it was found in. */
  at(part: string | undefined, route: RouteRef | undefined): SchemaError {
    const { code, reason, pointer, schemaId, nearest, cause } = this
    return new SchemaError({
      code,
      reason,
      pointer,
      schemaId,
      nearest,
      cause,
      part: this.part ?? part,
      route: this.route ?? route,
    })
  }
}

/** What there is to say about a schema, with the route, the part and the place in it. */
export function schemaMessage(details: Omit<SchemaErrorDetails, 'code'>): string {
  const { part, route, schemaId, pointer, reason, nearest } = details
  const subject = [
    part === undefined ? undefined : `schema of ${part}`,
    route?.url === undefined
      ? undefined
      : `of route ${route.method === undefined ? '' : `${route.method} `}${route.url}`,
    schemaId === undefined ? undefined : `in schema "${schemaId}"`,
    pointer === undefined || pointer === '' ? undefined : `at ${pointer}`,
  ].filter((text) => text !== undefined)
  const where = [
    route?.context === undefined ? undefined : `context ${route.context}`,
    route?.callSite === undefined ? undefined : `defined at ${route.callSite}`,
  ].filter((text) => text !== undefined)
  const hint =
    nearest === undefined || nearest.length === 0
      ? ''
      : `; did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}?`
  const prefix = subject.length === 0 ? '' : `${subject.join(' ')}: `
  const suffix = where.length === 0 ? '' : ` (${where.join(', ')})`
  return `${prefix}${reason}${hint}${suffix}`
}
