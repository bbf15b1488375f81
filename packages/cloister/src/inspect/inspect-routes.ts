import {
  BodyContent,
  isStandardSchema,
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
import type { BodyExplanation, RouteDescription } from '../types/description.generated.ts'
import { frozen } from './describe-parts.ts'
import { describeRoute, routeHooks } from './describe-route.ts'
import { fullSchemas } from './explain-schemas.ts'

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
    const gaps: SchemaGap[] = []
    const schema = Object.freeze(readable(record, gaps))
    return Object.freeze({
      description: frozen(describeRoute(record)),
      isSecondPath: record.isSecondPath,
      schema,
      messages: readMessages(record),
      gaps: Object.freeze(gaps),
      written: isRecord(options['schema']) ? options['schema'] : {},
      scope,
      options,
      instance: context.instance,
      config: isRecord(options['config']) ? options['config'] : {},
      hooks: Object.freeze(routeHooks(record).map(({ fn }) => fn)),
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

/**
 * Reads the schemas of a route.
 *
 * @param gaps - gets what has no JSON Schema in them
 */
function readable(record: RouteRecord, gaps: SchemaGap[]): NormalizedRouteSchema {
  const { context } = record
  const { params, querystring, headers, body, response, ...rest } = fullSchemas(record)
  const show = (part: string, one: unknown, side: 'input' | 'output' = 'input'): unknown => {
    const json = shown(context, side, one)
    if (isRecord(json)) gaps.push(...gapsIn(json).map((gap) => ({ part, ...gap })))
    return json
  }
  const fields = Object.entries({ params, querystring, headers }).filter(([, part]) => part !== undefined)
  return {
    ...rest,
    ...Object.fromEntries(fields.map(([part, one]) => [part, show(part, one)])),
    ...(body === undefined ? {} : { body: readableBody(body, (one) => show('body', one)) }),
    ...(response === undefined
      ? {}
      : { response: readableResponses(response, (part, one) => show(part, one, 'output')) }),
  }
}

function readMessages(record: RouteRecord): InspectedRoute['messages'] {
  if (handshakeOf(record) === null) return null
  const { incoming, outgoing } = messageSchemas(record)
  const { context } = record
  return { incoming: shown(context, 'input', incoming), outgoing: shown(context, 'output', outgoing) }
}

/** Returns the JSON Schema that a library offers; with compilers of the application it is still that of the library. */
function shown({ app }: Context, side: 'input' | 'output', one: unknown): unknown {
  return isStandardSchema(one) ? (app.libraries.jsonSchema(one, side)?.schema ?? one) : one
}

function readableBody(body: unknown, show: (schema: unknown) => unknown): unknown {
  return body instanceof BodyContent
    ? new BodyContent(mapValues(body.content, show), body.isRequired)
    : show(body)
}

function readableResponses(
  responses: ReadonlyMap<string, NormalizedResponse>,
  show: (part: string, schema: unknown) => unknown,
): ReadonlyMap<string, NormalizedResponse> {
  return mapValues(responses, ({ schema, content }, status) => {
    const showOne = (one: unknown): unknown => show(`response ${status}`, one)
    return content === undefined ? { schema: showOne(schema) } : { content: mapValues(content, showOne) }
  })
}

function mapValues<Value, Result>(
  map: ReadonlyMap<string, Value>,
  change: (value: Value, key: string) => Result,
): ReadonlyMap<string, Result> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]))
}
