import { STATUS_CODES } from 'node:http'

import type { Components } from '../schema/components.ts'
import type { AddHeaders } from './response-headers.ts'
import type { Reference, ResponseObject } from '../types.ts'
import type { InspectedRoute } from 'cloister/inspect'

interface FrameworkResponse {
  readonly status: string
  readonly name: string
  readonly description: string
  readonly applies: (route: InspectedRoute) => boolean
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
  { status: '413', name: 'ContentTooLarge', description: 'The body is too large', applies: takesBody },
  {
    status: '415',
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not supported',
    applies: takesBody,
  },
]

/** What the responses of an operation depend on. */
export interface OperationFacts {
  readonly isSecured: boolean
  /** Adds the headers of the route to a response with a status. */
  readonly headed: AddHeaders
}

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
    facts: OperationFacts,
  ): Record<string, ResponseObject | Reference> {
    if ('default' in own || '4XX' in own) return {}
    const missing = RESPONSES.filter(({ status, applies }) => !(status in own) && applies(route))
    const written = missing.map((one) => [one.status, this.#write(route, one, facts)] as const)
    return { ...Object.fromEntries(written), ...this.refusalsOf(route, own, facts) }
  }

  /**
   * Returns the refusals of a route's guards that have no schema, with the error response of the app if the guards state
   * it. Security that no guard checks is refused with a body that is unknown.
   */
  refusalsOf(
    route: InspectedRoute,
    own: Readonly<Record<string, unknown>>,
    facts: OperationFacts,
  ): Record<string, ResponseObject | Reference> {
    const refusals = { ...(facts.isSecured ? { 401: 'unknown' } : {}), ...route.refusals }
    const missing = Object.entries(refusals).filter(([status]) => !(status in own))
    const written = missing.map(([status, body]) => {
      const { name, description } = refusalOf(status)
      const response =
        body === 'error'
          ? this.#write(route, { status, name, description }, facts)
          : facts.headed(status, { description })
      return [status, response] as const
    })
    return Object.fromEntries(written)
  }

  get components(): Readonly<Record<string, ResponseObject>> {
    return Object.fromEntries(this.#used)
  }

  #write(
    { description: { errorHandlers } }: InspectedRoute,
    { status, name, description }: Omit<FrameworkResponse, 'applies'>,
    { headed }: OperationFacts,
  ): ResponseObject | Reference {
    // An error handler may send any payload.
    if (errorHandlers.length > 0) return headed(status, { description })
    const content = this.#mediaTypes.map(
      (type) => [type, { schema: { $ref: this.#schemaFor(type) } }] as const,
    )
    const response = headed(status, { description, content: Object.fromEntries(content) })
    const known = this.#used.get(name)
    // A route with other headers has a response of its own.
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(response)) return response
    this.#used.set(name, response)
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

function refusalOf(status: string): Pick<FrameworkResponse, 'name' | 'description'> {
  const text = STATUS_CODES[status] ?? `Status ${status}`
  return { name: text.replaceAll(/[^A-Za-z0-9]/g, ''), description: REFUSALS[status] ?? text }
}

const REFUSALS: Readonly<Record<string, string>> = {
  401: 'Credentials are missing or wrong',
  403: 'The request is not allowed',
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
