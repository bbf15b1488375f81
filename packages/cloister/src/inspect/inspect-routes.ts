import {
  BodyContent,
  isStandardSchema,
  normalizeRouteSchema,
  type SchemaScope,
  type DocumentCache,
  type NormalizedResponse,
  type NormalizedRouteSchema,
} from '@cloister/schema'

import { gapsIn, type Gap } from '../libraries/json-schema.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import type { Context } from '../context/context.ts'
import { schemaScopeOf } from '../context/shared-schemas.ts'
import { createError } from '../errors.ts'
import { isRecord, type AnyFunction } from '../guards.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { handshakeOf, messageSchemas } from '../routes/schemas/plan-messages.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import type { BodyExplanation, RouteDescription } from '../types/description.ts'
import { describeRoute, hookFunctionsOf } from './describe-route.ts'

/** A value in a schema of another library that has no JSON Schema. */
export interface SchemaGap extends Gap {
  /** The part of the route, as in `querystring` and `response 200`. */
  readonly part: string
}

/** A route of an app that is ready, with its schemas and what their references lead to. */
export interface InspectedRoute {
  /** What `app.explain()` says of the route. */
  readonly description: RouteDescription
  /**
   * Whether this is the path with a slash of the route `/` below a prefix. That is one route with two paths; the one
   * without a slash comes before.
   */
  readonly isSecondPath: boolean
  /**
   * The schemas in full form. A schema of another library is replaced by the JSON Schema (draft-07) that it offers: of
   * its input in requests, of its output in responses; one that offers none is left as it is.
   */
  readonly schema: NormalizedRouteSchema
  /** The schemas of the messages of a WebSocket route, as `schema` has those of bodies; `null` for other routes. */
  readonly messages: { readonly incoming: unknown; readonly outgoing: unknown } | null
  /** The values in schemas of other libraries that have no JSON Schema; in `schema` they are `{}`, with a note. */
  readonly gaps: readonly SchemaGap[]
  /** The schemas with all that the application wrote beside them, as `request.routeOptions.schema` has them. */
  readonly written: Readonly<Record<string, unknown>>
  /** Resolves `$ref` as the validators and serializers of the route do: among the shared schemas of its context. */
  readonly scope: SchemaScope
  /** The options of the route as they were given, with those that plugins read. */
  readonly options: Readonly<Record<string, unknown>>
  /** The instance of the context in which the route was defined. That of a parent is in its chain of prototypes. */
  readonly instance: object
  /** The `config` of the route. */
  readonly config: Readonly<Record<string, unknown>>
  /** The functions behind `description.hooks`, in the same order: plugins may attach facts to theirs. */
  readonly hooks: readonly AnyFunction[]
  /** Whether requests may bring a body, as in `app.explain(method, url)`. */
  readonly bodyRule: BodyExplanation['rule']
  /** Whether the schema of the body refuses a request without one. */
  readonly requiresBody: boolean
  /** The option `problemDetails` of the app: when its own error responses are problem details. */
  readonly problemDetails: boolean | 'accepted'
}

/**
 * Reads the routes of an app with their schemas, in the order of definition.
 *
 * @throws `CLO_ERR_EXPLAIN_NOT_READY`
 */
export function readRoutes(app: Pick<ManagedApp, 'options' | 'routes' | 'phase'>): InspectedRoute[] {
  const { routes, phase } = app
  const documents: DocumentCache = new WeakMap()
  const scopes = new Map<Context, SchemaScope>()
  return routes.records.map((record) => {
    if (phase === 'loading' || record.plan === null) {
      throw createError('EXPLAIN_NOT_READY', { method: record.method, url: record.url })
    }
    const { context } = record
    const scope = scopes.get(context) ?? schemaScopeOf(context, documents)
    scopes.set(context, scope)
    const { plan, options } = record
    const schema = Object.freeze(readable(record))
    return Object.freeze({
      description: describeRoute(record),
      isSecondPath: record.isSecondPath,
      schema,
      messages: readMessages(record),
      gaps: Object.freeze(readGaps(schema)),
      written: isRecord(options['schema']) ? options['schema'] : {},
      scope,
      options,
      instance: context.instance,
      config: isRecord(options['config']) ? options['config'] : {},
      hooks: Object.freeze(hookFunctionsOf(record)),
      bodyRule: plan.bodyRule,
      requiresBody: requiresBody(plan),
      problemDetails: context.app.options.problemDetails,
    })
  })
}

function requiresBody({ validators }: RoutePlan): boolean {
  const body = validators?.inOrder.find(({ part }) => part === 'body')
  if (body === undefined || (body.byMediaType !== null && body.allowsMissing)) return false
  const all = body.byMediaType === null ? [body] : [...body.byMediaType.values()]
  return !all.some(({ allowsMissing }) => allowsMissing)
}

/** Since the app is ready, the options have the schemas in full form. */
function readable({ options, context }: RouteRecord): NormalizedRouteSchema {
  const { schema } = options
  if (!isRecord(schema)) return {}
  const { params, querystring, headers, body, response, ...rest } = normalizeRouteSchema(schema, {
    shorthand: false,
  })
  const input = shown(context, 'input')
  const parts = { params: input(params), querystring: input(querystring), headers: input(headers) }
  const given = Object.entries(parts).filter(([, part]) => part !== undefined)
  return {
    ...rest,
    ...Object.fromEntries(given),
    ...(body === undefined ? {} : { body: readableBody(body, input) }),
    ...(response === undefined
      ? {}
      : { response: mapValues(response, (entry) => readableResponse(entry, shown(context, 'output'))) }),
  }
}

function readMessages(record: RouteRecord): InspectedRoute['messages'] {
  if (handshakeOf(record) === null) return null
  const { incoming, outgoing } = messageSchemas(record)
  const { context } = record
  return { incoming: shown(context, 'input')(incoming), outgoing: shown(context, 'output')(outgoing) }
}

/** Shows the JSON Schema that a library offers; with compilers of the application it is still that of the library. */
function shown({ app }: Context, side: 'input' | 'output'): Show {
  return (one) => (isStandardSchema(one) ? (app.libraries.jsonSchema(one, side)?.schema ?? one) : one)
}

function readGaps({ params, querystring, headers, body, response }: NormalizedRouteSchema): SchemaGap[] {
  const contents = body instanceof BodyContent ? [...body.content.values()] : [body]
  const responses = [...(response ?? [])].flatMap(([status, { schema, content }]) =>
    [schema, ...(content?.values() ?? [])].map((one): [string, unknown] => [`response ${status}`, one]),
  )
  const parts: [string, unknown][] = [
    ...Object.entries({ params, querystring, headers }),
    ...contents.map((one): [string, unknown] => ['body', one]),
    ...responses,
  ]
  return parts.flatMap(([part, one]) => (isRecord(one) ? gapsIn(one).map((gap) => ({ part, ...gap })) : []))
}

type Show = (schema: unknown) => unknown

function readableBody(body: unknown, show: Show): unknown {
  return body instanceof BodyContent
    ? new BodyContent(mapValues(body.content, show), body.isRequired)
    : show(body)
}

function readableResponse({ schema, content }: NormalizedResponse, show: Show): NormalizedResponse {
  return content === undefined ? { schema: show(schema) } : { content: mapValues(content, show) }
}

function mapValues<Value, Result>(
  map: ReadonlyMap<string, Value>,
  change: (value: Value) => Result,
): ReadonlyMap<string, Result> {
  return new Map([...map].map(([key, value]) => [key, change(value)]))
}
