import type { ManagedApp } from '../boot/managed-app.ts'
import type { Context, NotFoundHandler } from '../context/context.ts'
import { Place } from '../place.ts'
import { ReplyImpl } from '../request/reply.ts'
import { kPlan } from '../symbols.ts'
import { PlanCompiler } from './compile-plan.ts'
import { NotFoundTable } from './not-found-table.ts'
import { noHooks } from './plan-hooks.ts'
import type { RouteRecord } from './route-record.ts'

/** Makes the plans of all routes, of the not-found handlers, and of requests that reach no context. */
export function compilePlans(app: ManagedApp): void {
  const compiler = new PlanCompiler(app)
  for (const record of app.routes.records) record.plan = compiler.compile(record)
  app.routes.seal()

  const fallback = compiler.compileNotFound(defaultNotFound(app.root))
  const notFound = new NotFoundTable(app.options, fallback)
  for (const handler of app.notFoundHandlers) {
    notFound.add(handler.context.prefix, compiler.compileNotFound(toRecord(handler)))
  }
  app.useSpecialPlans({
    framework: compiler.compileFramework(defaultNotFound(app.root), noHooks()),
    findNotFound: (target) => notFound.find(target),
  })
}

function toRecord(notFound: NotFoundHandler): RouteRecord {
  const { handler, preValidation, preHandler, errorHandler, context, place } = notFound

  return {
    ...bareRecord(context, place),
    handler,
    options: { preValidation, preHandler, errorHandler },
    automatic: false,
  }
}

function defaultNotFound(root: Context): RouteRecord {
  return bareRecord(root, new Place(defaultNotFound))
}

function bareRecord(context: Context, place: Place): RouteRecord {
  return {
    method: 'GET',
    url: `${context.prefix}/*`,
    options: {},
    context,
    handler: answerNotFound,
    place,
    automatic: true,
    plan: null,
  }
}

/** The default answer when no route matches. */
function answerNotFound(_request: unknown, reply: unknown): void {
  if (!(reply instanceof ReplyImpl)) return
  const { request } = reply
  const message = `Route ${request.method}:${request.url} not found`
  reply[kPlan].app.logController.routeNotFound(request, reply)
  reply.code(404).send({ message, error: 'Not Found', statusCode: 404 })
}
