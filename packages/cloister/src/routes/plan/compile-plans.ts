import type { Context } from '../../context/context.ts'
import type { NotFoundHandler } from '../../context/services.ts'
import { CallSite } from '../../call-site.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import { logSafely } from '../../logging/request-log.ts'
import { createNotFoundProblem, PROBLEM_CONTENT, wantsProblem } from '../../request/errors/problem.ts'
import { ReplyImpl } from '../../request/reply.ts'
import type { BodyRule, RoutePlan } from '../../request/route-plan.ts'
import { kPlan } from '../../symbols.ts'
import { PlanCompiler, type PlannedApp } from './compile-plan.ts'
import { noHooks } from './plan-hooks.ts'
import { type RouteRecord, routeLabel } from '../route-record.ts'
import type { RouteTable } from '../route-table.ts'
import { Match } from '../../router/find.ts'
import { Router } from '../../router/router.ts'
import { createError } from '../../errors.ts'
import { isRecord } from '../../guards.ts'
import { settingsOf } from '../../options/route-options.ts'

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
  findNotFound(target: string): RoutePlan
}

/**
 * Compiles the plan of every route. Returns the plans of the not-found handlers and of requests that reach no context.
 */
export function compilePlans(app: AppWithRoutes, notFoundHandlers: readonly NotFoundHandler[]): SpecialPlans {
  requireSchemas(app, app.routes.records)
  const compiler = new PlanCompiler(app)
  for (const record of app.routes.records) record.plan = compiler.compile(record)
  compiler.showSchemas()

  const fallback = compiler.compileNotFound(defaultNotFound(app.root))
  const notFound = new NotFoundTable(app.options, fallback)
  for (const handler of notFoundHandlers) {
    notFound.add(handler.context.prefix, compiler.compileNotFound(toRecord(handler)))
  }
  return {
    framework: compiler.compileFramework(defaultNotFound(app.root), noHooks()),
    findNotFound: (target) => notFound.find(target),
  }
}

function toRecord(notFound: NotFoundHandler): RouteRecord {
  const { handler, context, callSite } = notFound
  const { preValidation, preHandler, errorHandler } = notFound.options
  return {
    ...bareRecord(context, callSite),
    handler,
    options: { preValidation, preHandler, errorHandler },
    automatic: false,
  }
}

function defaultNotFound(root: Context): RouteRecord {
  return bareRecord(root, new CallSite(defaultNotFound))
}

function bareRecord(context: Context, callSite: CallSite): RouteRecord {
  return {
    method: 'GET',
    url: `${context.prefix}/*`,
    options: {},
    context,
    handler: sendNotFound,
    callSite,
    automatic: true,
    isSecondPath: false,
    plan: null,
  }
}

function sendNotFound(_request: unknown, reply: unknown): void {
  if (!(reply instanceof ReplyImpl)) return
  const { request } = reply
  const message = `Route ${request.method}:${request.url} not found`
  const { app } = reply[kPlan]
  logSafely(app, () => app.logController.routeNotFound(request, reply))
  reply.code(404)
  if (wantsProblem(reply)) {
    reply.type(PROBLEM_CONTENT).send(createNotFoundProblem(reply, message))
  } else {
    reply.send({ message, error: 'Not Found', statusCode: 404 })
  }
}

const METHOD = 'GET'

/**
 * Finds the not-found handler with the longest matching prefix for a path. Invalid paths use the handler of the root.
 */
class NotFoundTable {
  readonly #router: Router<RoutePlan>
  #fallback: RoutePlan

  constructor(options: AppOptions, fallback: RoutePlan) {
    this.#router = new Router({ ...options, constraints: null })
    this.#fallback = fallback
  }

  add(prefix: string, plan: RoutePlan): void {
    const base = prefix === '' ? '/' : prefix
    if (base === '/') this.#fallback = plan
    this.#router.add(METHOD, base.endsWith('/') ? `${base}*` : `${base}/*`, {}, plan)
    if (base !== '/') this.#router.add(METHOD, base, {}, plan)
  }

  find(target: string): RoutePlan {
    const match = this.#router.find(METHOD, target, undefined)
    return match instanceof Match ? match.stored : this.#fallback
  }
}

/** The parts of an app that decide which schemas a route needs. */
interface SchemaDemands {
  readonly options: AppOptions
  readonly methods: { bodyRule(method: string): BodyRule }
}

interface Part {
  readonly name: string
  /** other keys of `schema` that may contain it */
  readonly also: readonly string[]
  /** returns whether requests of the route have the part */
  readonly occurs: (record: RouteRecord, app: SchemaDemands) => boolean
}

const PARTS: readonly Part[] = [
  { name: 'params', also: [], occurs: ({ url }) => /(?<!:):[^:]|\*/.test(url) },
  { name: 'querystring', also: ['query'], occurs: () => true },
  { name: 'body', also: [], occurs: ({ method }, { methods }) => mayHaveBody(methods.bodyRule(method)) },
  { name: 'response', also: [], occurs: () => true },
]

const mayHaveBody = (rule: BodyRule): boolean => rule !== 'never' && rule !== 'seldom'

/**
 * Rejects routes without the schemas that the app or the route itself requires.
 *
 * @throws `CLO_ERR_SCH_REQUIRED` with all missing schemas and the call sites of their routes
 */
function requireSchemas(app: SchemaDemands, records: readonly RouteRecord[]): void {
  const missing = records.flatMap((record) => {
    // An automatic HEAD route has the options of its GET route.
    const parts = record.automatic ? [] : missingParts(app, record)
    return parts.length === 0
      ? []
      : `${routeLabel(record)} lacks ${parts.join(', ')} (at ${record.callSite.toString()})`
  })
  if (missing.length > 0) throw createError('SCH_REQUIRED', { missing: missing.join('; ') })
}

function missingParts(app: SchemaDemands, record: RouteRecord): string[] {
  const wanted: boolean | readonly string[] = settingsOf(record.options, app.options).requireSchemas
  if (wanted === false) return []
  const schema = isRecord(record.options['schema']) ? record.options['schema'] : {}
  return PARTS.filter(
    ({ name, also, occurs }) =>
      (wanted === true || wanted.includes(name)) &&
      [name, ...also].every((key) => schema[key] == null) &&
      occurs(record, app),
  ).map(({ name }) => name)
}
