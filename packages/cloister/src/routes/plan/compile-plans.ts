import type { Context } from '../../context/context.ts'
import type { NotFoundHandler } from '../../context/services.ts'
import { CallSite } from '../../call-site.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import { logSafely } from '../../logging/request-log.ts'
import { dropContentFields } from '../../request/errors/content-fields.ts'
import { createNotFoundProblem } from '../../request/errors/create-problem.ts'
import { PROBLEM_CONTENT, wantsProblem } from '../../request/errors/problem.ts'
import { ReplyImpl } from '../../request/reply.ts'
import type { RoutePlan } from '../../request/route-plan.ts'
import type { NotFound } from '../../request/services.ts'
import { kExchange, kPlan } from '../../symbols.ts'
import { PlanCompiler, type PlannedApp } from './compile-plan.ts'
import { createRecord, routeLabel, routeSettings, type RouteRecord } from '../route-record.ts'
import type { RouteTable } from '../route-table.ts'
import { Match } from '../../router/find.ts'
import { Router } from '../../router/router.ts'
import { createError } from '../../errors.ts'
import { recordOf, type AnyFunction } from '../../guards.ts'

/** The parts of an app that compiling all plans needs. */
export interface AppWithRoutes extends PlannedApp {
  readonly options: AppOptions
  readonly root: Context
  readonly routes: RouteTable
}

/** Plans that belong to no route. */
export interface SpecialPlans {
  /** the plan of requests that reach no context */
  readonly framework: RoutePlan
  findNotFound(target: string): NotFound
  /** returns the plan of the handler that `reply.callNotFound()` calls in the routes of a context */
  notFoundOf(context: Context): RoutePlan
}

/**
 * Compiles the plan of every route. Returns the plans of the not-found handlers and of requests that reach no context.
 */
export function compilePlans(app: AppWithRoutes, notFoundHandlers: readonly NotFoundHandler[]): SpecialPlans {
  requireSchemas(app)
  const compiler = new PlanCompiler(app)
  for (const record of app.routes.records) record.plan = compiler.compile(record)
  compiler.showSchemas()

  const callSite = new CallSite(compilePlans)
  const own = notFoundRecord(app, { handler: null, context: app.root, callSite, options: {} })
  // Finds the handler with the longest matching prefix. Invalid paths use the handler of the root.
  const router = new Router<RoutePlan>(app.options)
  const byLevel = new Map<Context, RoutePlan>()
  let ofRoot = compiler.compile(own, true)
  for (const handler of notFoundHandlers) {
    const { prefix } = handler.context
    const plan = compiler.compile(notFoundRecord(app, handler), true)
    byLevel.set(levelOf(handler.context), plan)
    if (prefix === '' || prefix === '/') ofRoot = plan
    else {
      router.add(METHOD, prefix, {}, plan)
      router.add(METHOD, prefix.endsWith('/') ? `${prefix}*` : `${prefix}/*`, {}, plan)
    }
  }
  router.add(METHOD, '/*', {}, ofRoot)
  return {
    framework: compiler.compileFramework(own),
    findNotFound: (target) => {
      const match = router.find(METHOD, target, undefined)
      return match instanceof Match ? match : { stored: ofRoot, params: {} }
    },
    notFoundOf: (context) => {
      for (let at: Context | null = levelOf(context); at !== null; at = at.parent) {
        const plan = byLevel.get(at)
        if (plan !== undefined) return plan
      }
      return ofRoot
    },
  }
}

const METHOD = 'GET'

/** The outermost context with the prefix of a context, of its own line: a not-found handler is for all of them. */
function levelOf(context: Context): Context {
  const { parent } = context
  return parent === null || parent.prefix !== context.prefix ? context : levelOf(parent)
}

function notFoundRecord(app: AppWithRoutes, notFound: NotFoundHandler): RouteRecord {
  const { handler: given, context, callSite } = notFound
  const handler = given ?? sendNotFound
  const { preValidation, preHandler, errorHandler } = notFound.options
  const options = { preValidation, preHandler, errorHandler, logLevel: context.logLevel }
  const origin = { context, callSite, isSecondPath: false }
  const run = app.options.methodNotAllowed ? refuseOtherMethods(app.routes, handler) : handler
  return createRecord(METHOD, `${context.prefix}/*`, options, run, given === null, origin)
}

/** Responds where a path has routes for other methods (RFC 9110 sections 9.3.7 and 15.5.6), or calls the handler. */
function refuseOtherMethods(routes: RouteTable, handler: AnyFunction): AnyFunction {
  return function (this: unknown, request, reply): unknown {
    if (!(reply instanceof ReplyImpl)) return undefined
    const { method, url } = reply.request
    const allowed = routes.methodsFor(reply[kExchange])
    if (allowed.length === 0 || allowed.includes(method)) return handler.call(this, request, reply)
    reply.header('allow', allowed.join(', '))
    if (method === 'OPTIONS') return reply.code(204).send()
    throw createError('METHOD_NOT_ALLOWED', { path: url, method, allowed: allowed.join(', ') })
  }
}

function sendNotFound(_request: unknown, reply: unknown): void {
  if (!(reply instanceof ReplyImpl)) return
  const { request } = reply
  const message = `Route ${request.method}:${request.url} not found`
  const { app } = reply[kPlan]
  logSafely(app, () => app.logController.routeNotFound(request, reply))
  dropContentFields(reply)
  reply.code(404)
  if (wantsProblem(reply)) {
    reply.type(PROBLEM_CONTENT).send(createNotFoundProblem(reply, message))
  } else {
    reply.send({ message, error: 'Not Found', statusCode: 404 })
  }
}

/** The parts of a schema that may be required, and whether requests of a route have them. */
const PARTS: Readonly<Record<string, (record: RouteRecord, app: AppWithRoutes) => boolean>> = {
  params: ({ url }) => /(?<!:):[^:]|\*/.test(url),
  querystring: () => true,
  body: ({ method }, { methods }) => !['never', 'seldom'].includes(methods.bodyRule(method)),
  response: () => true,
}

/**
 * Rejects routes without the schemas that the app or the route itself requires.
 *
 * @throws `CLO_ERR_SCH_REQUIRED` with all missing schemas and the call sites of their routes
 */
function requireSchemas(app: AppWithRoutes): void {
  const missing = app.routes.records.flatMap((record) => {
    // An automatic HEAD route has the options of its GET route.
    const parts = record.automatic ? [] : missingParts(app, record)
    return parts.length === 0
      ? []
      : `${routeLabel(record)} lacks ${parts.join(', ')} (at ${record.callSite.toString()})`
  })
  if (missing.length > 0) throw createError('SCH_REQUIRED', { missing: missing.join('; ') })
}

function missingParts(app: AppWithRoutes, record: RouteRecord): string[] {
  const wanted: boolean | readonly string[] = routeSettings(record).requireSchemas
  if (wanted === false) return []
  const schema = recordOf(record.options['schema'])
  const given = { ...schema, querystring: schema['querystring'] ?? schema['query'] }
  return Object.entries(PARTS)
    .filter(
      ([name, occurs]) =>
        (wanted === true || wanted.includes(name)) && Reflect.get(given, name) == null && occurs(record, app),
    )
    .map(([name]) => name)
}
