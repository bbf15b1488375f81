import type { AppState } from '../app-state.ts'
import type { Context } from '../context/context.ts'
import type { ParserLookup } from '../context/parser-table.ts'
import { isFunction, isRecord } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import { handleError } from '../request/handle-error.ts'
import type { BodyRule, PlanHooks, RoutePlan } from '../request/route-plan.ts'
import { neededReadyStages, neededStages, REPLY_STAGES, REQUEST_STAGES } from '../request/stages.ts'
import { startAnswer } from '../request/start-answer.ts'
import { CompilerFinder } from './compilers.ts'
import { ClassPlanner } from './plan-classes.ts'
import { HookPlanner } from './plan-hooks.ts'
import { planSchemas } from './plan-schemas.ts'
import { routeLabel } from './route-record.ts'
import type { RouteRecord } from './route-record.ts'

/** Turns route records into frozen plans; lives while the app boots. */
export class PlanCompiler {
  readonly #app: AppState
  readonly #hooks = new HookPlanner()
  readonly #classes = new ClassPlanner()
  readonly #compilers = new CompilerFinder()
  readonly #parsers = new Map<Context, ParserLookup>()

  constructor(app: AppState) {
    this.#app = app
  }

  /** The plan of a defined route. */
  compile(record: RouteRecord): RoutePlan {
    return this.#build(record, this.#hooks.plan(record.context, record.options), { isNotFound: false })
  }

  /** The plan of a not-found handler: no schemas, and a body only for a handler of the application. */
  compileNotFound(record: RouteRecord): RoutePlan {
    return this.#build(record, this.#hooks.plan(record.context, record.options), { isNotFound: true })
  }

  /** The plan of requests that reach no context: no hooks, no error handlers. */
  compileFramework(record: RouteRecord, hooks: PlanHooks): RoutePlan {
    return { ...this.#build(record, hooks, { isNotFound: true }), errorHandlers: [] }
  }

  #build(record: RouteRecord, hooks: PlanHooks, { isNotFound }: { isNotFound: boolean }): RoutePlan {
    const { context, options, method } = record
    const app = this.#app
    const compilers = this.#compilers.find(record)
    const { validators, serializers } = planSchemas(record, compilers)
    const facts = {
      hooks,
      validators,
      bodyRule: isNotFound ? notFoundBodyRule(record) : app.methods.bodyRule(method),
      handlerTimeout: numberOr(options['handlerTimeout'], app.options.handlerTimeout),
    }
    const besides = hooks.onResponse.length + hooks.onRequestAbort.length + hooks.onTimeout.length
    return Object.freeze({
      ...facts,
      app,
      context,
      label: routeLabel(record),
      isNotFound,
      watched: app.hasLogger || besides > 0,
      routeOptions: publicOptions(record, app, isNotFound),
      ...this.#classes.plan(context),
      handler: record.handler.bind(context.instance),
      requestStages: neededStages(REQUEST_STAGES, facts),
      valueStages: neededStages(REPLY_STAGES, facts),
      readyStages: neededReadyStages(facts),
      bodyLimit: numberOr(options['bodyLimit'], app.options.bodyLimit),
      ownBodyLimit: typeof options['bodyLimit'] === 'number' ? options['bodyLimit'] : null,
      parsers: this.#parsersOf(context),
      validatorCompiler: compilers.validator,
      attachValidation: options['attachValidation'] === true,
      schemaErrorFormatter: functionOr(
        options['schemaErrorFormatter'],
        context.setting('schemaErrorFormatter'),
      ),
      serializers,
      serializerCompiler: compilers.serializer,
      replySerializer: context.setting('replySerializer'),
      errorHandlers: errorHandlersOf(record),
      logLevel: typeof options['logLevel'] === 'string' ? options['logLevel'] : '',
      logSerializers: logSerializersOf(record),
      childLoggerFactory: functionOr(options['childLoggerFactory'], context.setting('childLoggerFactory')),
      genReqId: context.setting('genReqId'),
      answer: startAnswer,
      fail: handleError,
    })
  }

  #parsersOf(context: Context): ParserLookup {
    const lookup = this.#parsers.get(context) ?? context.parsers.toLookup()
    this.#parsers.set(context, lookup)
    return lookup
  }
}

/** The framework's own 404 needs no body; a handler of the application may want one. */
function notFoundBodyRule({ automatic }: RouteRecord): BodyRule {
  return automatic ? 'never' : 'optional'
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function functionOr(value: unknown, otherwise: AnyFunction | null): AnyFunction | null {
  return isFunction(value) ? value : otherwise
}

/** The route's own error handler, then those of its contexts from the nearest to the root. */
function errorHandlersOf({ context, options }: RouteRecord): readonly AnyFunction[] {
  const own = isFunction(options['errorHandler']) ? [options['errorHandler'].bind(context.instance)] : []
  const inherited = [...context.lineage()]
    .reverse()
    .flatMap(({ settings, instance }) =>
      settings.errorHandler === null ? [] : [settings.errorHandler.value.bind(instance)],
    )
  return [...own, ...inherited]
}

function logSerializersOf({ context, options }: RouteRecord): Readonly<Record<string, unknown>> | null {
  const own = options['logSerializers']
  return isRecord(own) ? { ...context.logSerializers, ...own } : context.logSerializers
}

/** `request.routeOptions`: what user code may know of the route. */
function publicOptions(
  record: RouteRecord,
  app: AppState,
  isNotFound: boolean,
): Readonly<Record<string, unknown>> {
  const { options, url, context } = record
  const config = isRecord(options['config']) ? options['config'] : {}
  const place = isNotFound ? {} : { url, method: options['method'] }
  return Object.freeze({
    ...place,
    bodyLimit: numberOr(options['bodyLimit'], app.options.bodyLimit),
    handlerTimeout: numberOr(options['handlerTimeout'], app.options.handlerTimeout),
    attachValidation: options['attachValidation'] === true,
    logLevel: options['logLevel'] ?? context.logLevel,
    exposeHeadRoute: options['exposeHeadRoute'] ?? app.options.exposeHeadRoutes,
    prefixTrailingSlash: options['prefixTrailingSlash'] ?? 'both',
    handler: record.handler,
    config: { ...config, ...place },
    schema: options['schema'],
    constraints: options['constraints'],
    version: options['version'],
  })
}
