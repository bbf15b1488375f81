import type { Match } from '../router/find.ts'
import { isStandardSchema, type NormalizedRouteSchema } from '@cloister/schema'
import { BodyContent, normalizeRouteSchema } from '@cloister/schema/internal'

import type { ManagedApp } from '../boot/managed-app.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, recordOf, typeName } from '../guards.ts'
import { serializersOf } from '../request/members/ad-hoc.ts'
import type { PartValidator, RoutePlan } from '../request/route-plan.ts'
import { pluginOptions } from '../routes/known-options.ts'
import { findRoute, type RouteQuery, type RouteTable } from '../routes/route-table.ts'
import type { PresetField } from '../routes/plan/decide-presets.ts'
import { ownNumber, type RouteRecord } from '../routes/route-record.ts'
import { withRefusals } from '../routes/schemas/refusals.ts'
import { headerStoreOf, storeOf } from '../routes/schemas/compilers.ts'
import { upgradeOf } from '../routes/upgrades/upgrade-option.ts'
import type {
  AppDescription,
  MissingRoute,
  ResponseHeaderDescription,
  RouteExplanation,
  SchemaExplanation,
  SerializerExplanation,
  SocketExplanation,
  ValidatorExplanation,
} from '../types/description.generated.ts'
import {
  constraintTexts,
  describeApp,
  describeParsers,
  describeRoute,
  frozen,
  originOf,
  sharedCallSite,
  visibleDecorators,
} from './describe.ts'
import { findNearest } from './nearest-routes.ts'

/**
 * Describes an app, or explains the route with a URL as its path or that a URL matches.
 *
 * @param query - empty, or a method, a URL and constraint values
 * @throws `CLO_ERR_EXPLAIN_INVALID`, `CLO_ERR_EXPLAIN_NOT_READY`
 */
export function explain(
  app: ManagedApp,
  query: readonly unknown[],
): AppDescription | RouteExplanation | MissingRoute {
  if (query.length === 0) return describeApp(app)
  const [method, url, given] = query
  if (typeof method !== 'string' || typeof url !== 'string') {
    throw createError('EXPLAIN_INVALID', { method: typeName(method), url: typeName(url) })
  }
  if (app.phase === 'loading') throw createError('EXPLAIN_NOT_READY', { method, url })
  const wanted = { method: method.toUpperCase(), url, constraints: recordOf(given) }
  const found = definedWith(app.routes, wanted) ?? findRoute(app.routes, wanted)
  if (found !== null) return frozen(explainFound(app, found))
  return frozen({ kind: 'missing', method: wanted.method, url, nearest: findNearest(app, wanted) })
}

/** Returns the route with exactly this path. A URL with values may not be a valid route path. */
function definedWith(
  { records }: RouteTable,
  { method, url, constraints }: RouteQuery,
): Match<RouteRecord> | null {
  const wanted = textsOf(constraints)
  const record = records.find(
    (one) => one.method === method && one.url === url && isSame(constraintTexts(one), wanted),
  )
  return record === undefined ? null : { stored: record, params: {}, query: '' }
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

function textsOf(values: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(recordOf(values)).map(([name, value]) => [name, String(value)]))
}

function explainFound(app: ManagedApp, { stored: record, params }: Match<RouteRecord>): RouteExplanation {
  const { context, plan } = record
  if (plan === null) throw createError('EXPLAIN_NOT_READY', { method: record.method, url: record.url })
  const { bodyRule: rule, bodyLimit: limit, ownBodyLimit } = plan
  return {
    kind: 'route',
    ...describeRoute(record),
    params: textsOf(params),
    body: {
      rule,
      limit,
      limitSetBy: ownBodyLimit === null ? 'app' : 'route',
      parsers: rule === 'never' ? [] : describeParsers(context),
    },
    decorators: visibleDecorators(context),
    validators: explainValidators(record, plan),
    serializers: explainSerializers(record, plan),
    socket: explainSocket(record, plan),
    responseHeaders: app.headerPresets.fieldsOf(record).map(describeHeader),
    pluginOptions: pluginOptions(record.options),
    extensions: extensionsOf(record),
    handlerTimeoutSetBy: ownNumber(record.options, 'handlerTimeout') === null ? 'app' : 'route',
    requestTimeout: app.options.requestTimeout,
    logLevel: app.hasLogger ? plan.logLevel || (app.logger.level ?? 'info') : 'silent',
  }
}

/** Returns the `x-…` members of a route's schema that JSON can express, as their values describe themselves (`toJSON`). */
function extensionsOf({ options }: RouteRecord): Record<string, unknown> {
  const given = Object.entries(recordOf(options['schema'])).filter(([name]) => name.startsWith('x-'))
  return Object.fromEntries(given.flatMap(([name, value]) => jsonOf(value).map((one) => [name, one])))
}

function jsonOf(value: unknown): unknown[] {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? [] : [JSON.parse(text)]
  } catch {
    return []
  }
}

/** Returns the schemas of a route in full form, without those of its guards. The app must be ready. */
export function ownSchemas({ options }: RouteRecord): NormalizedRouteSchema {
  const { schema } = options
  return isRecord(schema) ? normalizeRouteSchema(schema, { shorthand: false }) : {}
}

/** Returns the schemas of a route in full form, with the refusals of its guards. The app must be ready. */
export function fullSchemas(record: RouteRecord): NormalizedRouteSchema {
  return withRefusals(record, ownSchemas(record), 'describe')
}

/** Describes a header that is decided at boot, with the call that decides it. */
export function describeHeader({ name, value, dependsOn, callSite }: PresetField): ResponseHeaderDescription {
  return { name, value, dependsOn, ...originOf(callSite) }
}

/** Explains the validators of a route, in the order in which they run. */
function explainValidators(record: RouteRecord, plan: RoutePlan): ValidatorExplanation[] {
  const { context } = record
  const schemas = fullSchemas(record)
  const explainPart = ({ part, custom }: PartValidator, mediaType: string | null): ValidatorExplanation => {
    const given = schemas[part]
    const schema = given instanceof BodyContent ? given.content.get(mediaType ?? '') : given
    const explained = explainSchema(record, plan, 'validator', schema, custom)
    const store = part === 'headers' ? headerStoreOf(context, schema, context.app.engine) : storeOf(context)
    const run =
      explained.by === 'engine'
        ? context.app.engine.describeValidator({ schema, httpPart: part, store })
        : { tier: null, ajv: null }
    return { part, mediaType, ...explained, ...run }
  }
  return (plan.validators?.inOrder ?? []).flatMap((validator) =>
    validator.byMediaType === null
      ? [explainPart(validator, null)]
      : [...validator.byMediaType].map(([mediaType, one]) => explainPart(one, mediaType)),
  )
}

/** Explains the serializers of a route: by status first, then by status class, then the default. */
function explainSerializers(record: RouteRecord, plan: RoutePlan): SerializerExplanation[] {
  const { engine, libraries, options } = record.context.app
  const mode = plan.serialization ?? options.serialization
  const explainOne = (status: string, mediaType: string | null, schema: unknown): SerializerExplanation[] => {
    const { serialize = null, byMediaType = null } = serializersOf(plan.serializers, status) ?? {}
    const serializer = mediaType === null ? serialize : byMediaType?.get(mediaType)
    if (serializer == null) return []
    const isOfLibrary = isStandardSchema(schema) || libraries.validates(serializer)
    const explained = explainSchema(record, plan, 'serializer', schema, isOfLibrary)
    const { tier } =
      explained.by === 'engine'
        ? engine.describeSerializer({ schema, store: storeOf(record.context), serialization: mode })
        : { tier: null }
    return [{ status, mediaType, mode, ...explained, tier }]
  }
  return [...(fullSchemas(record).response ?? [])]
    .toSorted(([one], [other]) => orderOf(one) - orderOf(other))
    .flatMap(([status, { schema, content }]) =>
      content === undefined
        ? explainOne(status, null, schema)
        : [...content].flatMap(([mediaType, one]) => explainOne(status, mediaType, one)),
    )
}

function orderOf(status: string): number {
  return status === 'default' ? Infinity : Number(status.replace('xx', '000'))
}

/** Explains the protocol of a route with `upgrade`; `null` for other routes. */
function explainSocket(record: RouteRecord, plan: RoutePlan): SocketExplanation | null {
  const upgrade = upgradeOf(record)
  if (upgrade === null) return null
  const schemas = fullSchemas(record)
  const explainMessage = (
    part: 'incoming' | 'outgoing',
    kind: 'validator' | 'serializer',
  ): SchemaExplanation | null =>
    plan.messages?.[part] == null
      ? null
      : explainSchema(record, plan, kind, schemas[part], isStandardSchema(schemas[part]))
  return {
    // Copied, because its lists are those of the application.
    ...structuredClone(upgrade.settings ?? {}),
    protocol: upgrade.protocol,
    incoming: explainMessage('incoming', 'validator'),
    outgoing: explainMessage('outgoing', 'serializer'),
  }
}

function explainSchema(
  { options, context, callSite }: RouteRecord,
  plan: RoutePlan,
  kind: 'validator' | 'serializer',
  schema: unknown,
  isOfLibrary: boolean,
): SchemaExplanation {
  const name = `${kind}Compiler` as const
  const own = isFunction(options[name]) ? { callSite } : null
  const compiler =
    plan[name] === null
      ? null
      : (own ?? context.settingInForce(name) ?? context.settingInForce('schemaController'))
  const { $ref, $id } = recordOf(schema)
  // The `$id` at the start of a reference; empty for a reference within its own schema.
  const [shared = ''] = typeof $ref === 'string' ? $ref.split('#') : []
  const key = typeof $id === 'string' ? $id : typeof $ref === 'string' ? $ref : null
  return {
    key,
    callSite:
      shared === ''
        ? callSite.toString()
        : (sharedCallSite(context, shared) ?? sharedCallSite(context, `${shared}#`)),
    by: compiler !== null ? 'application' : isOfLibrary ? 'standard-schema' : 'engine',
    compiler: compiler?.callSite?.toString() ?? null,
  }
}
