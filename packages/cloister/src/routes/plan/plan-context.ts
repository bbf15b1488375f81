import type { Context } from '../../context/context.ts'
import { mayTakeMore } from '../../hooks/adapt.ts'
import type { ParserLookup } from '../../body/parser-table.ts'
import type {
  PlanErrorHandler,
  PlanHooks,
  ReplyClass,
  RequestClass,
  RoutePlan,
} from '../../request/route-plan.ts'
import type { StageObserver } from '../../request/stages.ts'
import { defineDecoration, isAccessor } from '../../context/decorators.ts'
import { prefixMembers, type Prefixed } from '../../error-prefix.ts'
import { CODE_PREFIX, createError } from '../../errors.ts'
import { isFunction, type AnyFunction } from '../../guards.ts'
import { ReplyImpl } from '../../request/reply.ts'
import { RequestImpl } from '../../request/request.ts'
import { forRequestHooks, HOOKS, REQUEST_HOOK_NAMES } from '../../hooks/names.ts'
import type { RequestHookName } from '../../types/hooks.ts'
import { describeHook, type Guard, type HookEntry } from '../../hooks/hook-entry.ts'
import { adaptRequestHook, type RequestHook } from '../../hooks/request-hook.ts'
import { observedHook, type RequestObservers } from './request-observers.ts'
import type { RouteRecord } from '../route-record.ts'

/** The classes of a context's requests and replies. */
export type PlanClasses = Pick<RoutePlan, 'Request' | 'Reply'>

/** The part of a plan that all routes of one context share. */
export interface ContextPlan extends PlanClasses {
  readonly hooks: PlanHooks
  readonly parsers: ParserLookup
  /** the error handlers of the context and its ancestors, the nearest first */
  readonly errorHandlers: readonly PlanErrorHandler[]
  readonly schemaErrorFormatter: AnyFunction | null
  readonly replySerializer: AnyFunction | null
  readonly childLoggerFactory: AnyFunction | null
  readonly genReqId: AnyFunction | null
}

/**
 * Plans what the routes of a context share. A context without its own decorators uses the classes of its parent.
 *
 * @param base - the classes of the app
 */
export function planContext(
  context: Context,
  above: ContextPlan | null,
  base: PlanClasses,
  observers: HookObservers,
): ContextPlan {
  const { decorators, instance } = context
  const own = context.errorHandlers.map(({ fn }) => planErrorHandler(fn, instance))
  return {
    Request: decorators.request.isEmpty ? (above ?? base).Request : requestClass(context, base.Request),
    Reply: decorators.reply.isEmpty ? (above ?? base).Reply : replyClass(context, base.Reply),
    hooks: contextHooks(context, observers),
    parsers: context.parsers.toLookup(),
    errorHandlers: [...own, ...(above?.errorHandlers ?? [])],
    schemaErrorFormatter: context.setting('schemaErrorFormatter'),
    replySerializer: context.setting('replySerializer'),
    childLoggerFactory: context.setting('childLoggerFactory'),
    genReqId: context.setting('genReqId'),
  }
}

export function planErrorHandler(fn: AnyFunction, instance: object): PlanErrorHandler {
  return { handle: fn.bind(instance), takesReply: mayTakeMore(fn, 2) }
}

/** Returns the classes of an app before any decorator. Their members apply the app's `errorCodePrefix`. */
export function baseClasses(options: Prefixed, guards: readonly Guard[]): PlanClasses {
  class Request extends RequestImpl {}
  class Reply extends ReplyImpl {}
  for (const guard of guards) refuseOutside(Request.prototype, guard)
  if (options.errorCodePrefix === CODE_PREFIX)
    return { Request: guards.length === 0 ? RequestImpl : Request, Reply: ReplyImpl }
  prefixMembers(Request.prototype, options)
  prefixMembers(Reply.prototype, options)
  return { Request, Reply }
}

/** Makes requests of contexts without a guard refuse to read its value. Other code may still set the name. */
function refuseOutside(prototype: object, { name, callSite }: Guard): void {
  Object.defineProperty(prototype, name, {
    get: () => {
      throw createError('GUARD_OUT_OF_CONTEXT', { name, callSite })
    },
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true })
    },
    configurable: true,
  })
}

/**
 * Decorates the prototype of a context's requests or replies with functions and accessors. Returns the other values,
 * which constructors set in a fixed order, so that all requests of a context share one hidden class. A value hides a
 * built-in member with the same name.
 */
function decorate(
  prototype: object,
  context: Context,
  kind: 'request' | 'reply',
  builtIn: object,
): Record<PropertyKey, unknown> {
  const values: Record<PropertyKey, unknown> = {}
  for (const { decorators } of context.lineage()) {
    for (const decoration of decorators[kind].own) {
      const { name, value } = decoration
      if (isFunction(value) || isAccessor(value) || name in builtIn) defineDecoration(prototype, decoration)
      else values[name] = value
    }
  }
  return values
}

function requestClass(context: Context, Base: RequestClass): RequestClass {
  class Request extends Base {
    constructor(...args: ConstructorParameters<RequestClass>) {
      super(...args)
      Object.assign(this, values)
    }
  }
  const values = decorate(Request.prototype, context, 'request', Base.prototype)
  // Empty fields for the values of guards, so that these don't change the shape of a request.
  for (const { slot } of context.app.guards.of(context)) values[slot] = undefined
  return Request
}

function replyClass(context: Context, Base: ReplyClass): ReplyClass {
  class Reply extends Base {
    constructor(...args: ConstructorParameters<ReplyClass>) {
      super(...args)
      Object.assign(this, values)
    }
  }
  const values = decorate(Reply.prototype, context, 'reply', ReplyImpl.prototype)
  return Reply
}

/** What observes the hooks of an app. */
export interface HookObservers {
  /** called before each hook; `null` if the app has none */
  readonly stageObserver: StageObserver | null
  readonly requestObservers: RequestObservers
}

/** Returns the hooks in the options of a route. They run after those of its context. */
export function ownHooks({ context, options, callSite }: RouteRecord, name: RequestHookName): HookEntry[] {
  const fns = [options[name] ?? []].flat().filter(isFunction)
  return fns.map((fn) => ({ name, fn, callSite, owner: context, source: 'route', guard: null }))
}

/** Whether the options of a route contain hooks. */
export function hasOwnHooks({ options }: RouteRecord): boolean {
  for (const name of REQUEST_HOOK_NAMES) if (options[name] != null) return true
  return false
}

/** Returns the hooks of a route by stage: those of its contexts, then its own. */
export function routeHooks(record: RouteRecord): HookEntry[] {
  return REQUEST_HOOK_NAMES.flatMap((name) => [
    ...record.context.hooksInForce(name),
    ...ownHooks(record, name),
  ])
}

/** Returns the hooks of a context: those of its ancestors from the root down, then its own. */
export function contextHooks(context: Context, observers: HookObservers): PlanHooks {
  return Object.freeze(
    forRequestHooks((name) => context.hooksInForce(name).map((entry) => adapt(entry, context, observers))),
  )
}

/** Returns the hooks of a route: those of its context, then its own. */
export function planHooks(route: RouteRecord, inherited: PlanHooks, observers: HookObservers): PlanHooks {
  const { context, options } = route
  if (!hasOwnHooks(route)) return inherited
  const added = (name: RequestHookName): RequestHook[] =>
    ownHooks(route, name).map((entry) => adapt(entry, context, observers))
  return Object.freeze(
    forRequestHooks((name) =>
      options[name] == null ? inherited[name] : [...inherited[name], ...added(name)],
    ),
  )
}

function adapt(entry: HookEntry, context: Context, observers: HookObservers): RequestHook {
  const { name, fn } = entry
  const { stageObserver, requestObservers } = observers
  const plain = adaptRequestHook(fn, HOOKS[name].args, context.instance, () => describeHook(entry))
  const hook = requestObservers.wantHooks(context) ? observedHook(plain, entry) : plain
  return stageObserver === null ? hook : observed(hook, name, fn.name, stageObserver)
}

function observed(hook: RequestHook, stage: string, name: string, observe: StageObserver): RequestHook {
  const call = (...args: unknown[]): unknown => {
    if (args[0] instanceof RequestImpl) observe(stage, args[0], name)
    return hook.call(...args)
  }
  return { ...hook, call }
}
