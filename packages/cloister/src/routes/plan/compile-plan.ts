import { remember } from '@cloister/schema/internal'
import type { Guards } from '../../context/guard.ts'
import type { Context } from '../../context/context.ts'
import { Deadlines, expireReply } from '../../request/stages/deadline.ts'
import { isFunction, isRecord, type AnyFunction, type Dictionary } from '../../guards.ts'
import { guardSerializers } from '../../logging/serializers.ts'
import { handleError } from '../../request/errors/handle-error.ts'
import type {
  BodyRule,
  JudgedRoute,
  PlanErrorHandler,
  PlanHooks,
  RoutePlan,
} from '../../request/route-plan.ts'
import { declaresItems } from '../../request/items/declared-items.ts'
import type { RequestServices } from '../../request/services.ts'
import { offeredTypes } from '../../request/stages/negotiate.ts'
import { noteLate } from '../../request/report/judge-stages.ts'
import { startReply } from '../../request/start-reply.ts'
import { forRequestHooks } from '../../hooks/names.ts'
import { watch } from '../../request/watch.ts'
import {
  baseClasses,
  planContext,
  planErrorHandler,
  planHooks,
  type ContextPlan,
  type PlanClasses,
} from './plan-context.ts'
import type { RequestObservers } from './request-observers.ts'
import type { HeaderPresets } from './header-presets.ts'
import { judgeRoute } from './judge-route.ts'
import { planSchemas } from '../schemas/plan-schemas.ts'
import { takingHandler } from '../upgrades/take-upgrade.ts'
import { upgradeOf } from '../upgrades/upgrade-option.ts'
import { modeOf } from '../schemas/plan-serializers.ts'
import { kMounted } from '../../symbols.ts'
import { StagePlanner, type StageObserver } from '../../request/stages.ts'
import { ownNumber, publicOptions, routeLabel, routeSettings, type RouteRecord } from '../route-record.ts'
import type { CompilerFinder } from '../schemas/compilers.ts'

/** The parts of an app that compiling plans needs. */
export interface PlannedApp extends RequestServices {
  readonly guards: Guards
  readonly compilers: CompilerFinder
  /** called at the start of each stage of a request; `null` if the app has no observer */
  readonly stageObserver: StageObserver | null
  readonly requestObservers: RequestObservers
  readonly headerPresets: HeaderPresets
}

/** Compiles route records to plans during the boot. */
export class PlanCompiler {
  readonly #app: PlannedApp
  readonly #base: PlanClasses
  readonly #contexts = new Map<Context, ContextPlan>()
  readonly #stages: StagePlanner
  /** shared by all routes with the same timeout */
  readonly #deadlines = new Map<number, Deadlines>()
  readonly #judgedDeadlines = new Map<number, Deadlines>()
  /** the schemas that routes will show, by their options; several routes may share these */
  readonly #shown = new Map<RouteRecord['options'], unknown>()

  /** a plan so far has `onSend` hooks; routes are compiled before not-found handlers */
  #hasOnSend = false

  constructor(app: PlannedApp) {
    this.#app = app
    this.#base = baseClasses(app.options, app.guards.all)
    this.#stages = new StagePlanner(app.stageObserver)
  }

  /**
   * Shows the full schemas of all routes to the application. Call it after compiling all routes, because they may share
   * schemas.
   */
  showSchemas(): void {
    for (const [options, shown] of this.#shown) options['schema'] = shown
  }

  /** Returns the plan of requests that reach no context: no hooks, no error handlers. */
  compileFramework(record: RouteRecord): RoutePlan {
    const hooks = forRequestHooks(() => [])
    return { ...this.compile(record, true, hooks), errorHandlers: [] }
  }

  #planContext(context: Context): ContextPlan {
    return remember(this.#contexts, context, () => {
      const above = context.parent === null ? null : this.#planContext(context.parent)
      return planContext(context, above, this.#base, this.#app)
    })
  }

  #deadlinesOf(own: number, judged: JudgedRoute | null): RoutePlan['deadlines'] {
    const ms = own || (judged?.handlerTimeout ?? 0)
    if (ms === 0) return null
    const [deadlines, expire] = own > 0 ? [this.#deadlines, expireReply] : [this.#judgedDeadlines, noteLate]
    return remember(deadlines, ms, () => new Deadlines(ms, expire))
  }

  #runsOnSend({ onSend }: PlanHooks, isNotFound: boolean): boolean {
    const has = onSend.length > 0
    this.#hasOnSend ||= has
    return isNotFound ? this.#hasOnSend : has
  }

  /** @param isNotFound - whether the record is that of a not-found handler */
  compile(record: RouteRecord, isNotFound = false, given: PlanHooks | null = null): RoutePlan {
    const { context, options } = record
    const app = this.#app
    const shared = this.#planContext(context)
    const hooks = given ?? planHooks(record, shared.hooks, app)
    const compilers = app.compilers.compilersOf(record)
    const schemas = planSchemas(record, compilers, shared.parsers)
    const { validators, serializers, shown } = schemas
    // What the framework responds without hooks, it responds without the body.
    const bodyRule = given === null ? bodyRuleOf(record, app, isNotFound, schemas) : 'never'
    if (shown !== undefined) this.#shown.set(options, shown)
    const settings = routeSettings(record)
    const { bodyLimit, handlerTimeout } = settings
    const judged = app.judge && judgeRoute(app.judge, record, compilers, shared.parsers, isNotFound)
    const undeclaredStatuses = undeclaredOf(schemas.describesResponses, settings, judged)
    const offers = app.options.contentNegotiation && !isNotFound ? offeredTypes(serializers) : null
    const facts = {
      runsOnSend: this.#runsOnSend(hooks, isNotFound),
      hooks,
      offers,
      validators,
      bodyRule,
      keepsRawBody: options['rawBody'] === true,
      handlerTimeout,
      undeclaredStatuses,
      judged,
    }
    return Object.freeze({
      app,
      context,
      label: routeLabel(record),
      callSite: record.callSite,
      ...kindOf(record, isNotFound),
      watch: app.logsRequests || listensBeside(hooks) ? watch : null,
      observer: app.requestObservers.start(record, isNotFound),
      presets: app.headerPresets.compile(record, isNotFound),
      routeOptions: lazily(() => publicOptions(record, isNotFound)),
      Request: shared.Request,
      Reply: shared.Reply,
      handler: handlerOf(record, app).bind(context.instance),
      ...facts,
      ...this.#stages.plan(facts),
      onlyDecodes: hooks.preParsing.every(({ decodes }) => decodes),
      settings,
      bodyLimit,
      ownBodyLimit: ownNumber(options, 'bodyLimit'),
      parsers: schemas.parsers,
      ...validationOf(record, shared, compilers.validator),
      serializers,
      messages: schemas.messages,
      serializerCompiler: compilers.serializer,
      hasItems: declaresItems(serializers),
      serialization: modeOf(record),
      // A reply serializer is written for the payloads of routes.
      replySerializer: isNotFound ? null : shared.replySerializer,
      errorHandlers: errorHandlersOf(record, shared),
      deadlines: this.#deadlinesOf(handlerTimeout, judged),
      ...logOf(record, shared),
      reply: startReply,
      fail: handleError,
    })
  }
}

/** Returns the handler of a route. */
function handlerOf(record: RouteRecord, app: PlannedApp): AnyFunction {
  const upgrade = upgradeOf(record)
  return upgrade === null ? record.handler : takingHandler(record.handler, upgrade, app)
}

/** How invalid requests are found and shown. */
function validationOf({ options }: RouteRecord, shared: ContextPlan, validator: AnyFunction | null) {
  return {
    validatorCompiler: validator,
    attachValidation: options['attachValidation'] === true,
    schemaErrorFormatter: functionOr(options['schemaErrorFormatter'], shared.schemaErrorFormatter),
  }
}

/** What the log of its requests is made with. */
function logOf(record: RouteRecord, shared: ContextPlan) {
  const { logLevel, childLoggerFactory } = record.options
  return {
    logLevel: typeof logLevel === 'string' ? logLevel : '',
    logSerializers: logSerializersOf(record),
    childLoggerFactory: functionOr(childLoggerFactory, shared.childLoggerFactory),
    genReqId: shared.genReqId,
  }
}

function kindOf({ automatic, method }: RouteRecord, isNotFound: boolean) {
  return {
    isNotFound,
    isDefaultNotFound: isNotFound && automatic,
    isExposedHead: automatic && method === 'HEAD',
  }
}

/** With `strict: 'report'`, the stage that checks statuses also runs for a route that only `strict` would check. */
function undeclaredOf(
  describesResponses: boolean,
  { undeclaredStatuses }: Pick<RoutePlan['settings'], 'undeclaredStatuses'>,
  judged: JudgedRoute | null,
): RoutePlan['undeclaredStatuses'] {
  if (!describesResponses) return 'send'
  return undeclaredStatuses === 'send' && judged?.checksStatuses === true ? 'judge' : undeclaredStatuses
}

/** Few routes need their public options, so they are created on first use. */
function lazily<T>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}

function bodyRuleOf(
  record: RouteRecord,
  { methods }: PlannedApp,
  isNotFound: boolean,
  { validators, parsers }: Pick<RoutePlan, 'validators' | 'parsers'>,
): BodyRule {
  const { method, options } = record
  // As in Fastify, a body that is too large or malformed is refused before its path is found missing.
  if (isNotFound) return 'optional'
  if (kMounted in options) return 'never'
  const rule = methods.bodyRule(method)
  // A body that is sent must not pass unvalidated, nor be kept from a parser of every body.
  const isRead = parsers.catchAll !== null || validators?.inOrder.some(({ part }) => part === 'body') === true
  return rule === 'seldom' && isRead ? 'sent' : rule
}

function functionOr(value: unknown, otherwise: AnyFunction | null): AnyFunction | null {
  return isFunction(value) ? value : otherwise
}

function errorHandlersOf(
  { context, options }: RouteRecord,
  { errorHandlers }: ContextPlan,
): readonly PlanErrorHandler[] {
  const own = options['errorHandler']
  return isFunction(own) ? [planErrorHandler(own, context.instance), ...errorHandlers] : errorHandlers
}

function logSerializersOf({ context, options }: RouteRecord): Dictionary | null {
  const own = options['logSerializers']
  const all = isRecord(own) ? { ...context.logSerializers, ...own } : context.logSerializers
  return all === null ? null : guardSerializers(all)
}

/** Returns whether hooks for events outside of the request path exist. */
function listensBeside({ onResponse, onRequestAbort, onTimeout }: PlanHooks): boolean {
  return onResponse.length + onRequestAbort.length + onTimeout.length > 0
}
