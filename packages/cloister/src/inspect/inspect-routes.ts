import type { SchemaScope, DocumentCache, NormalizedResponse, NormalizedRouteSchema } from '@cloister/schema'
import { BodyContent, remember } from '@cloister/schema/internal'

import { gapsIn, type Gap } from '../libraries/json-schema.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import type { Context } from '../context/context.ts'
import { schemaScopeOf } from '../context/shared-schemas.ts'
import { createError } from '../errors.ts'
import { isRecord, recordOf, type AnyFunction } from '../guards.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { asJsonSchema, messageSchemas } from '../routes/schemas/plan-schemas.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import { upgradeOf } from '../routes/upgrades/upgrade-option.ts'
import type {
  BodyExplanation,
  GuardDescription,
  RouteDescription,
  RouteExplanation,
} from '../types/description.generated.ts'
import { routeHooks } from '../routes/plan/plan-context.ts'
import { describesStatus, refusalsOf } from '../routes/schemas/refusals.ts'
import { describeBody, describeRoute, frozen } from './describe.ts'
import { describeHeader, fullSchemas, ownSchemas } from './explain.ts'

/** A value in another library's schema that has no JSON Schema. */
export interface SchemaGap extends Gap {
  /** The part of the route, such as `querystring` or `response 200`. */
  readonly part: string
}

/** A route of an app that is ready, with its schemas and the scope of their references. */
export interface InspectedRoute {
  /** The description of the route in `app.explain()`. */
  readonly description: RouteDescription
  /**
   * Whether this is the second path of the route `/` below a prefix, with a trailing slash. The route has two paths;
   * the one without the slash comes first.
   */
  readonly isSecondPath: boolean
  /**
   * The schemas in full form. A schema of another library is replaced by its JSON Schema (draft-07): of its input in
   * requests, of its output in responses. A schema without JSON Schema is not changed.
   */
  readonly schema: NormalizedRouteSchema
  /**
   * The protocol of a route with `upgrade`, in lower case, and its message schemas in the form of body schemas in
   * `schema`; `null` for other routes.
   */
  readonly messages: {
    readonly protocol: string
    readonly incoming: unknown
    readonly outgoing: unknown
  } | null
  /** The values in schemas of other libraries that have no JSON Schema. In `schema` they are `{}` with a note. */
  readonly gaps: readonly SchemaGap[]
  /** The schemas as the application wrote them, with additional properties, as in `request.routeOptions.schema`. */
  readonly written: Readonly<Record<string, unknown>>
  /** Resolves `$ref` as the validators and serializers of the route do: with the shared schemas of its context. */
  readonly scope: SchemaScope
  /** The options of the route as they were given, including those for plugins. */
  readonly options: Readonly<Record<string, unknown>>
  /** The instance of the context that defined the route. The parents' instances are in its prototype chain. */
  readonly instance: object
  /** The `config` of the route. */
  readonly config: Readonly<Record<string, unknown>>
  /** The functions of `description.hooks`, in the same order. Plugins may attach metadata to their functions. */
  readonly hooks: readonly AnyFunction[]
  /**
   * The refusals of the route's guards by status, except those that the route describes itself: the error response of
   * the app, a body with a schema, which is in `schema.response`, or an unknown body.
   */
  readonly refusals: GuardDescription['refuses']
  /** The headers that `presetHeaders` decides, as in `app.explain(method, url)`. */
  readonly responseHeaders: RouteExplanation['responseHeaders']
  /** Whether requests may have a body, as in `app.explain(method, url)`. */
  readonly bodyRule: BodyExplanation['rule']
  /** Whether the schema of the body rejects a request without a body. */
  readonly requiresBody: boolean
  /** The option `documentedTrailingSlash` of the app: which path of a route with two paths documents name. */
  readonly documentedTrailingSlash: 'no-slash' | 'slash'
  /** The option `integers` of the app: how integers of requests are read. */
  readonly integers: 'number' | 'exact' | 'bigint'
  /** The option `problemDetails` of the app: when its error responses are problem details. */
  readonly problemDetails: boolean | 'accepted'
}

/**
 * Reads the routes of an app with their schemas, in the order of definition.
 *
 * @throws `CLO_ERR_EXPLAIN_NOT_READY`
 */
export function readRoutes(
  app: Pick<ManagedApp, 'options' | 'routes' | 'phase' | 'headerPresets'>,
): InspectedRoute[] {
  const { routes, phase, headerPresets } = app
  const documents: DocumentCache = new WeakMap()
  const scopes = new Map<Context, SchemaScope>()
  return routes.records.map((record) => {
    if (phase === 'loading' || record.plan === null) {
      throw createError('EXPLAIN_NOT_READY', { method: record.method, url: record.url })
    }
    const { context } = record
    const scope = remember(scopes, context, () => schemaScopeOf(context, documents))
    const { plan, options } = record
    const gaps: SchemaGap[] = []
    const schema = Object.freeze(readable(record, gaps))
    return Object.freeze({
      description: frozen(describeRoute(record)),
      isSecondPath: record.isSecondPath,
      schema,
      messages: readMessages(record),
      gaps: Object.freeze(gaps),
      written: recordOf(options['schema']),
      scope,
      options,
      instance: context.instance,
      config: recordOf(options['config']),
      hooks: Object.freeze(routeHooks(record).map(({ fn }) => fn)),
      refusals: readRefusals(record),
      responseHeaders: Object.freeze(headerPresets.fieldsOf(record).map(describeHeader)),
      bodyRule: plan.bodyRule,
      requiresBody: requiresBody(plan),
      documentedTrailingSlash: context.app.options.documentedTrailingSlash,
      integers: context.app.options.integers,
      problemDetails: context.app.options.problemDetails,
    })
  })
}

function readRefusals(record: RouteRecord): InspectedRoute['refusals'] {
  const own = ownSchemas(record)
  const missing = [...refusalsOf(record)].filter(([status]) => !describesStatus(own, status))
  return Object.fromEntries(missing.map(([status, { body }]) => [status, describeBody(body)]))
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
 * @param gaps - receives the values that have no JSON Schema
 */
function readable(record: RouteRecord, gaps: SchemaGap[]): NormalizedRouteSchema {
  const { context } = record
  const { params, querystring, headers, body, response, ...rest } = fullSchemas(record)
  const show = (part: string, one: unknown, side: 'input' | 'output' = 'input'): unknown => {
    const json = asJsonSchema(context, one, side)
    if (isRecord(json)) gaps.push(...gapsIn(json).map((gap) => ({ part, ...gap })))
    return json
  }
  const parts = Object.entries({ params, querystring, headers, body }).filter(([, one]) => one !== undefined)
  const requests = parts.map(([part, one]): [string, unknown] => [
    part,
    one instanceof BodyContent
      ? new BodyContent(
          mapValues(one.content, (schema) => show(part, schema)),
          one.isRequired,
        )
      : show(part, one),
  ])
  const showResponse = ({ schema, content }: NormalizedResponse, status: string): NormalizedResponse => {
    const showOne = (one: unknown): unknown => show(`response ${status}`, one, 'output')
    return content === undefined ? { schema: showOne(schema) } : { content: mapValues(content, showOne) }
  }
  return {
    ...rest,
    ...Object.fromEntries(requests),
    ...(response !== undefined && { response: mapValues(response, showResponse) }),
  }
}

function readMessages(record: RouteRecord): InspectedRoute['messages'] {
  const upgrade = upgradeOf(record)
  if (upgrade === null) return null
  const { incoming, outgoing } = messageSchemas(record)
  const { context } = record
  return {
    protocol: upgrade.protocol.toLowerCase(),
    incoming: asJsonSchema(context, incoming, 'input'),
    outgoing: asJsonSchema(context, outgoing, 'output'),
  }
}

function mapValues<Value, Result>(
  map: ReadonlyMap<string, Value>,
  change: (value: Value, key: string) => Result,
): ReadonlyMap<string, Result> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]))
}
