import type { Context } from '../../context/context.ts'
import type { NotFoundHandler } from '../../context/not-found-handler.ts'
import { CallSite } from '../../call-site.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import { logSafely } from '../../logging/request-log.ts'
import { createNotFoundProblem, PROBLEM_CONTENT, wantsProblem } from '../../request/errors/problem.ts'
import { ReplyImpl } from '../../request/reply.ts'
import type { RoutePlan } from '../../request/route-plan.ts'
import { kPlan } from '../../symbols.ts'
import { PlanCompiler, type PlannedApp } from './compile-plan.ts'
import { noHooks } from './plan-hooks.ts'
import { requireSchemas } from '../require-schemas.ts'
import type { RouteRecord } from '../route-record.ts'
import type { RouteTable } from '../route-table.ts'
import { Match } from '../../router/find-directly.ts'
import { Router } from '../../router/router.ts'

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
