import type { RoutePlan } from '../request/route-plan.ts'
import type { Match } from '../router/find.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import { createError } from '../errors.ts'
import { isRecord, typeName } from '../guards.ts'
import { pluginOptions } from '../routes/define-route.ts'
import { findRoute, type RouteQuery, type RouteTable } from '../routes/route-table.ts'
import { ownNumber, type RouteRecord } from '../routes/route-record.ts'
import type {
  AppDescription,
  BodyExplanation,
  MissingRoute,
  RouteExplanation,
} from '../types/description.generated.ts'
import { describeParsers, frozen, visibleDecorators } from './describe-parts.ts'
import { constraintTexts, describeRoute } from './describe-route.ts'
import { explainSerializers, explainSocket, explainValidators } from './explain-schemas.ts'
import { findNearest } from './nearest-routes.ts'
import { describeApp } from './describe-app.ts'

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
  const constraints = isRecord(given) ? given : {}
  const wanted = { method: method.toUpperCase(), url, constraints }
  const found = definedWith(app.routes, wanted) ?? findRoute(app.routes, wanted)
  return frozen(
    found === null
      ? { kind: 'missing', method: wanted.method, url, nearest: findNearest(app, wanted) }
      : explainFound(app, found),
  )
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

function explainFound(
  { options, logger, hasLogger }: Pick<ManagedApp, 'options' | 'logger' | 'hasLogger'>,
  { stored: record, params }: Match<RouteRecord>,
): RouteExplanation {
  const { plan } = record
  if (plan === null) throw createError('EXPLAIN_NOT_READY', { method: record.method, url: record.url })
  return {
    kind: 'route',
    ...describeRoute(record),
    params: textsOf(params),
    body: explainBody(record, plan),
    decorators: visibleDecorators(record.context),
    validators: explainValidators(record, plan),
    serializers: explainSerializers(record, plan),
    socket: explainSocket(record, plan),
    pluginOptions: pluginOptions(record.options),
    handlerTimeoutSetBy: ownNumber(record.options, 'handlerTimeout') === null ? 'app' : 'route',
    requestTimeout: options.requestTimeout,
    logLevel: hasLogger ? plan.logLevel || (logger.level ?? 'info') : 'silent',
  }
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

function textsOf(params: unknown): Record<string, string> {
  const entries = isRecord(params) ? Object.entries(params) : []
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function explainBody({ context }: RouteRecord, plan: RoutePlan): BodyExplanation {
  const { bodyRule, bodyLimit, ownBodyLimit } = plan
  return {
    rule: bodyRule,
    limit: bodyLimit,
    limitSetBy: ownBodyLimit === null ? 'app' : 'route',
    parsers: bodyRule === 'never' ? [] : describeParsers(context.parsers),
  }
}
