import type { Components } from '../schema/components.ts'
import type { Reference, ResponseObject } from '../types.ts'
import type { InspectedRoute } from 'cloister/inspect'

interface FrameworkResponse {
  readonly status: string
  readonly name: string
  readonly description: string
  readonly applies: (route: InspectedRoute, isSecured: boolean) => boolean
}

const takesBody = ({ bodyRule }: InspectedRoute): boolean => bodyRule !== 'never'
const isValidated = ({ schema }: InspectedRoute): boolean =>
  [schema.params, schema.querystring, schema.headers, schema.body].some((part) => part !== undefined)

const RESPONSES: readonly FrameworkResponse[] = [
  {
    status: '400',
    name: 'BadRequest',
    description: 'A part of the request is not valid',
    applies: (route) => isValidated(route) || takesBody(route),
  },
  {
    status: '401',
    name: 'Unauthorized',
    description: 'Credentials are missing or wrong',
    applies: (_, isSecured) => isSecured,
  },
  { status: '413', name: 'ContentTooLarge', description: 'The body is too large', applies: takesBody },
  {
    status: '415',
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not supported',
    applies: takesBody,
  },
]

/** Adds the framework's own responses to operations that describe other responses. */
export class FrameworkResponses {
  readonly #components: Components
  readonly #mediaTypes: readonly string[]
  readonly #used = new Map<string, ResponseObject>()
  /** Media type → reference to its schema. */
  readonly #references = new Map<string, string>()

  /** @param mediaTypes - those of the framework's error responses */
  constructor(components: Components, mediaTypes: readonly string[]) {
    this.#components = components
    this.#mediaTypes = mediaTypes
  }

  /** Returns the responses that a route may send and does not describe itself. */
  of(
    route: InspectedRoute,
    own: Readonly<Record<string, unknown>>,
    isSecured: boolean,
  ): Record<string, ResponseObject | Reference> {
    if ('default' in own || '4XX' in own) return {}
    const missing = RESPONSES.filter(({ status, applies }) => !(status in own) && applies(route, isSecured))
    const written = missing.map((one) => [one.status, this.#write(route, one)] as const)
    return { ...refusalsOf(route, own), ...Object.fromEntries(written) }
  }

  get components(): Readonly<Record<string, ResponseObject>> {
    return Object.fromEntries(this.#used)
  }

  #write(
    { description: { errorHandlers } }: InspectedRoute,
    { name, description, status }: FrameworkResponse,
  ): ResponseObject | Reference {
    // An error handler may send any payload, and a plugin that checks credentials sends its own.
    if (errorHandlers.length > 0 || status === '401') return { description }
    const content = this.#mediaTypes.map(
      (type) => [type, { schema: { $ref: this.#schemaFor(type) } }] as const,
    )
    this.#used.set(name, { description, content: Object.fromEntries(content) })
    return { $ref: `#/components/responses/${name}` }
  }

  #schemaFor(type: string): string {
    const known = this.#references.get(type)
    if (known !== undefined) return known
    const [wanted, schema] = type === PROBLEM_TYPE ? PROBLEM_SCHEMA : ERROR_SCHEMA
    const name = this.#components.reserve(wanted)
    this.#components.set(name, schema)
    const reference = `#/components/schemas/${name}`
    this.#references.set(type, reference)
    return reference
  }
}

/** Returns the refusals of the route's guards. Their bodies are the guards' own. */
function refusalsOf(
  { description: { hooks } }: InspectedRoute,
  own: Readonly<Record<string, unknown>>,
): Record<string, ResponseObject> {
  const refusals = hooks.flatMap(({ guard }) => {
    if (guard === null) return []
    return guard.refuses.map((status) => [String(status), `Refused by the guard ${guard.name}`] as const)
  })
  const missing = refusals.filter(([status]) => !(status in own))
  return Object.fromEntries(missing.map(([status, description]) => [status, { description }]))
}

const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'

const ERROR_SCHEMA = [
  'HttpError',
  {
    type: 'object',
    description: 'An error: its status, its code, the text of the status, and what is wrong',
    properties: {
      statusCode: { type: 'integer' },
      code: { type: 'string' },
      error: { type: 'string' },
      message: { type: 'string' },
    },
    required: ['statusCode', 'error', 'message'],
  },
] as const

const PROBLEM_SCHEMA = [
  'ProblemDetails',
  {
    type: 'object',
    description: 'An error as problem details (RFC 9457)',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string', format: 'uri-reference' },
      code: { type: 'string' },
      errors: { type: 'array', items: { type: 'object' } },
    },
    required: ['type', 'title', 'status'],
  },
] as const

/** Returns the media types of the framework's error responses. */
export function errorMediaTypes(problemDetails: InspectedRoute['problemDetails']): readonly string[] {
  if (problemDetails === true) return [PROBLEM_TYPE]
  return problemDetails === 'accepted' ? [JSON_TYPE, PROBLEM_TYPE] : [JSON_TYPE]
}
