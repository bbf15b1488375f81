import { Deadlines, expireReply } from '../../request/stages/deadline.ts'
import type { ReplyState } from '../../request/state.ts'
import { getOrMake, isFunction, isRecord, type AnyFunction } from '../../guards.ts'
import { hasParser, type ParserLookup } from '../../body/parser-table.ts'
import { guardSerializers } from '../../logging/serializers.ts'
import { warn } from '../../logging/warnings.ts'
import { handleError } from '../../request/errors/handle-error.ts'
import type {
  BodyRule,
  PartValidator,
  PlanErrorHandler,
  PlanHooks,
  PlanValidators,
  RoutePlan,
} from '../../request/route-plan.ts'
import { declaresItems } from '../../request/items/start-items.ts'
import type { RequestServices } from '../../request/services.ts'
import { startReply } from '../../request/start-reply.ts'
import { ContextPlanner, planErrorHandler, type ContextPlan } from './plan-context.ts'
import { HookPlanner } from './plan-hooks.ts'
import { handshakeOf, planMessages } from '../schemas/plan-messages.ts'
import { planSchemas } from '../schemas/plan-schemas.ts'
import { modeOf } from '../schemas/plan-serializers.ts'
import { kMounted } from '../../symbols.ts'
import { StagePlanner, type StageObserver } from '../../request/stages.ts'
import { ownNumber, publicOptions, routeLabel, routeSettings, type RouteRecord } from '../route-record.ts'
import type { CompilerFinder } from '../schemas/compilers.ts'
import { createJsonParser } from '../../body/default-parsers.ts'
import { parseMediaType } from '../../body/media-type.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import type { RouteSettings } from '../../options/route-options.ts'
import { BodyItems, createLineParser, LINE_TYPES } from '../../request/items/body-items.ts'
import { withErrorsOf } from '../schemas/deep-objects.ts'

/** The parts of an app that compiling plans needs. */
export interface PlannedApp extends RequestServices {
  readonly compilers: CompilerFinder
  /** called at the start of each stage of a request; `null` if the app has no observer */
  readonly stageObserver: StageObserver | null
}

/** Compiles route records to plans during the boot. */
export class PlanCompiler {
  readonly #app: PlannedApp
  readonly #hooks: HookPlanner
  readonly #contexts = new ContextPlanner()
  readonly #stages: StagePlanner
  /** shared by all routes with the same timeout */
  readonly #deadlines = new Map<number, Deadlines<ReplyState>>()
  /** the schemas that routes will show, by their options; several routes may share these */
  readonly #shown = new Map<RouteRecord['options'], unknown>()

  constructor(app: PlannedApp) {
    this.#app = app
    this.#hooks = new HookPlanner(app.stageObserver)
    this.#stages = new StagePlanner(app.stageObserver)
  }

  compile(record: RouteRecord): RoutePlan {
    const bodyRule = kMounted in record.options ? 'never' : this.#app.methods.bodyRule(record.method)
    return this.#build(record, this.#hooks.plan(record), bodyRule, false)
  }

  /**
   * Shows the full schemas of all routes to the application. Call it after compiling all routes, because they may share
   * schemas.
   */
  showSchemas(): void {
    for (const [options, shown] of this.#shown) options['schema'] = shown
  }

  compileNotFound(record: RouteRecord): RoutePlan {
    return this.#build(record, this.#hooks.plan(record), notFoundBodyRule(record), true)
  }

  /** Returns the plan of requests that reach no context: no hooks, no error handlers. */
  compileFramework(record: RouteRecord, hooks: PlanHooks): RoutePlan {
    return { ...this.#build(record, hooks, 'never', true), errorHandlers: [] }
  }

  #build(record: RouteRecord, hooks: PlanHooks, bodyRule: BodyRule, isNotFound: boolean): RoutePlan {
    const { context, options } = record
    const app = this.#app
    const shared = this.#contexts.plan(context)
    const compilers = app.compilers.find(record)
    const { serializers, shown, ...schemas } = planSchemas(record, compilers, shared.parsers)
    if (shown !== undefined) this.#shown.set(options, shown)
    const settings = routeSettings(record)
    const { parsers, validators } = planLines(schemas.parsers, schemas.validators, settings, context.app)
    warnOfUnparsed(record, parsers, validators)
    const { bodyLimit, handlerTimeout } = settings
    const undeclaredStatuses = serializers === null ? 'send' : settings.undeclaredStatuses
    const keepsRawBody = options['rawBody'] === true
    const facts = { hooks, validators, bodyRule, keepsRawBody, handlerTimeout, undeclaredStatuses }
    return Object.freeze({
      app,
      context,
      label: routeLabel(record),
      callSite: record.callSite,
      isNotFound,
      isExposedHead: record.automatic && record.method === 'HEAD',
      watched: app.logsRequests || listensBeside(hooks),
      routeOptions: remember(() => publicOptions(record, isNotFound)),
      Request: shared.Request,
      Reply: shared.Reply,
      handler: (handshakeOf(record)?.handle ?? record.handler).bind(context.instance),
      hooks,
      ...this.#stages.plan(facts),
      bodyRule,
      settings,
      bodyLimit,
      ownBodyLimit: ownNumber(options, 'bodyLimit'),
      parsers,
      keepsRawBody,
      validators,
      validatorCompiler: compilers.validator,
      attachValidation: options['attachValidation'] === true,
      schemaErrorFormatter: functionOr(options['schemaErrorFormatter'], shared.schemaErrorFormatter),
      serializers,
      messages: planMessages(record, compilers),
      serializerCompiler: compilers.serializer,
      hasItems: declaresItems(serializers),
      serialization: modeOf(record),
      undeclaredStatuses,
      // A reply serializer is written for the payloads of routes.
      replySerializer: isNotFound ? null : shared.replySerializer,
      errorHandlers: errorHandlersOf(record, shared),
      handlerTimeout,
      deadlines:
        handlerTimeout > 0
          ? getOrMake(this.#deadlines, handlerTimeout, () => new Deadlines(handlerTimeout, expireReply))
          : null,
      logLevel: typeof options['logLevel'] === 'string' ? options['logLevel'] : '',
      logSerializers: logSerializersOf(record),
      childLoggerFactory: functionOr(options['childLoggerFactory'], shared.childLoggerFactory),
      genReqId: shared.genReqId,
      reply: startReply,
      fail: handleError,
    })
  }
}

/** Warns about media types in a body schema that no parser reads. Such bodies get a 415 response. */
function warnOfUnparsed(record: RouteRecord, parsers: ParserLookup, validators: PlanValidators | null): void {
  const declared = validators?.inOrder.flatMap(({ byMediaType }) => [...(byMediaType?.keys() ?? [])]) ?? []
  const types = declared.filter((type) => parsers.catchAll === null && !hasParser(parsers, type))
  if (types.length === 0) return
  const callSite = record.callSite.toString()
  warn('BODY_TYPE_UNPARSED', { route: routeLabel(record), types: types.join(', '), callSite })
}

/** Few routes need their public options, so they are created on first use. */
function remember<T>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}

/** The framework's 404 response needs no body; a not-found handler of the application may read it. */
function notFoundBodyRule({ automatic }: RouteRecord): BodyRule {
  return automatic ? 'never' : 'optional'
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

function logSerializersOf({ context, options }: RouteRecord): Readonly<Record<string, unknown>> | null {
  const own = options['logSerializers']
  const all = isRecord(own) ? { ...context.logSerializers, ...own } : context.logSerializers
  return all === null ? null : guardSerializers(all)
}

/** Returns whether hooks for events outside of the request path exist. */
function listensBeside({ onResponse, onRequestAbort, onTimeout }: PlanHooks): boolean {
  return onResponse.length + onRequestAbort.length + onTimeout.length > 0
}

interface BodyPlan {
  readonly parsers: ParserLookup
  readonly validators: PlanValidators | null
}

/**
 * Adds parsers for bodies of lines if the body schema of a route declares their media types. An application parser for
 * the type takes precedence; then the schema describes the parser's whole result.
 */
function planLines(
  parsers: ParserLookup,
  validators: PlanValidators | null,
  settings: RouteSettings,
  { options }: { readonly options: AppOptions },
): BodyPlan {
  const content = validators?.inOrder.find((entry) => entry.byMediaType !== null)?.byMediaType ?? null
  const types = LINE_TYPES.filter((type) => content?.has(type) === true && !hasParser(parsers, type))
  if (validators === null || content === null || types.length === 0) return { parsers, validators }
  const byType = new Map(parsers.byMediaType)
  const checked = new Map(content)
  const parse = createJsonParser(options.onProtoPoisoning, options.onConstructorPoisoning)
  for (const type of types) {
    const declared = content.get(type)
    if (declared === undefined) continue
    const validator = declared.uncoerced ?? declared
    const parser = createLineParser(validator, parse, settings.bodyLimit, settings.itemsLimit)
    byType.set(type, [{ type: parseMediaType(type), parser }])
    checked.set(type, admitItems(validator))
  }
  const inOrder = validators.inOrder.map((entry) =>
    entry.byMediaType === null ? entry : { ...entry, byMediaType: checked },
  )
  return { parsers: { ...parsers, byMediaType: byType }, validators: { inOrder } }
}

/** Items are validated when they are read. A hook may have replaced them with another value. */
function admitItems(validator: PartValidator): PartValidator {
  const { validate } = validator
  const admit = withErrorsOf(validate, (data, holder) => data instanceof BodyItems || validate(data, holder))
  return { ...validator, validate: admit }
}
