/** The stable codes of schema errors. */
export type SchemaErrorCode =
  | 'ID_MISSING'
  | 'ID_DUPLICATE'
  | 'REF_UNRESOLVED'
  | 'SCHEMA_INVALID'
  | 'SHAPE_INVALID'
  | 'CONTENT_SCHEMA_MISSING'
  | 'PART_DUPLICATE'
  | 'STATUS_KEY_INVALID'
  | 'AJV_UNAVAILABLE'
  | 'CODE_FORBIDDEN'
  | 'FEATURE_MISSING'
  | 'SEALED'

/** The route that a schema belongs to. Every field is optional; messages quote them. */
export interface RouteRef {
  /** HTTP method of the route. */
  readonly method?: string | undefined
  /** URL pattern of the route. */
  readonly url?: string | undefined
  /** `file:line` of the user code that defined the route. */
  readonly callSite?: string | undefined
  /** Path of the plugin context, such as `root > api`. */
  readonly context?: string | undefined
}

/**
 * A schema that works but can be exploited: `PATTERN_SLOW`, a regular expression whose time grows polynomially with
 * the length of the text.
 */
export interface SchemaWarning {
  /** The kind of the warning. */
  readonly code: 'PATTERN_SLOW'
  /** The problem, its location, and what to do. */
  readonly message: string
  /** The regular expression. */
  readonly pattern: string
}

/** The facts of a {@link SchemaError}. */
export interface SchemaErrorDetails {
  /** The kind of the error. */
  readonly code: SchemaErrorCode
  /** The problem and what to do, in one sentence without the location. */
  readonly reason: string
  /** JSON pointer of the offending keyword inside the schema (`''`: the schema itself). */
  readonly pointer?: string | undefined
  /** `$id` of the schema, if it has one. */
  readonly schemaId?: string | undefined
  /** Existing names that resemble the wrong one. */
  readonly nearest?: readonly string[] | undefined
  /** The request part, or the response status, that the schema describes. */
  readonly part?: string | undefined
  /** The route, and its call site. */
  readonly route?: RouteRef | undefined
  /** The error that caused it. */
  readonly cause?: unknown
}

/** A schema that cannot be used. Thrown while an application starts, never by a request. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
  /** The kind of the error. */
  readonly code: SchemaErrorCode
  /** The problem and what to do, in one sentence without the location. */
  readonly reason: string
  /** JSON pointer of the offending keyword inside the schema (`''`: the schema itself). */
  readonly pointer: string
  /** `$id` of the schema, if it has one. */
  readonly schemaId: string | undefined
  /** Existing names that resemble the wrong one. */
  readonly nearest: readonly string[]
  /** The request part, or the response status, that the schema describes. */
  readonly part: string | undefined
  /** The route, and its call site. */
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

  /** Returns a copy of the error with the part and the route added. */
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

/** Formats a message about a schema, with the route, the part and the pointer. */
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
