import type { Context } from '../../context/context.ts'
import { mayTakeMore } from '../../hooks/adapt.ts'
import type { ParserLookup } from '../../body/parser-table.ts'
import type { PlanErrorHandler, PlanHooks, ReplyClass, RequestClass } from '../../request/route-plan.ts'
import type { StageObserver } from '../../request/stages.ts'
import { contextHooks } from './plan-hooks.ts'
import { defineDecoration, isAccessor, type Decoration } from '../../context/decorators.ts'
import { prefixMembers } from '../../error-prefix.ts'
import { CODE_PREFIX } from '../../errors.ts'
import { isFunction, type AnyFunction } from '../../guards.ts'
import { ReplyImpl } from '../../request/reply.ts'
import { RequestImpl } from '../../request/request.ts'

/** The classes of a context's requests and replies. */
export interface PlanClasses {
  readonly Request: RequestClass
  readonly Reply: ReplyClass
}

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
 * @param observe - called before each hook; `null` if the app has no observer
 */
export function planContext(
  context: Context,
  above: ContextPlan | null,
  base: PlanClasses,
  observe: StageObserver | null,
): ContextPlan {
  const { decorators, instance, settings } = context
  const { errorHandler } = settings
  const inherited = above?.errorHandlers ?? []
  return {
    Request: decorators.request.isEmpty ? (above ?? base).Request : requestClass(context, base.Request),
    Reply: decorators.reply.isEmpty ? (above ?? base).Reply : replyClass(context, base.Reply),
    hooks: contextHooks(context, observe),
    parsers: context.parsers.toLookup(),
    errorHandlers:
      errorHandler == null ? inherited : [planErrorHandler(errorHandler.value, instance), ...inherited],
    schemaErrorFormatter: context.setting('schemaErrorFormatter'),
    replySerializer: context.setting('replySerializer'),
    childLoggerFactory: context.setting('childLoggerFactory'),
    genReqId: context.setting('genReqId'),
  }
}

export function planErrorHandler(fn: AnyFunction, instance: object): PlanErrorHandler {
  return { handle: fn.bind(instance), takesReply: mayTakeMore(fn, 2) }
}

/** Members that throw coded errors, which handlers may catch. */
const THROWING = {
  request: 'raw socket compileValidationSchema validateInput getDecorator setDecorator'.split(' '),
  reply: (
    'raw sent statusCode code status redirect send hijack serialize trailer writeEarlyHints ' +
    'getSerializationFunction compileSerializationSchema serializeInput getDecorator'
  ).split(' '),
} as const

/** Returns the classes of an app before any decorator. Their members apply the app's `errorCodePrefix`. */
export function baseClasses(prefix: string): PlanClasses {
  if (prefix === CODE_PREFIX) return { Request: RequestImpl, Reply: ReplyImpl }
  class Request extends RequestImpl {}
  class Reply extends ReplyImpl {}
  prefixMembers(Request.prototype, THROWING.request, prefix)
  prefixMembers(Reply.prototype, THROWING.reply, prefix)
  return { Request, Reply }
}

/**
 * Returns the decorators of one kind that a context sees, split by where they are defined. A value hides a built-in
 * member with the same name.
 */
function decorationsOf(
  context: Context,
  kind: 'request' | 'reply',
  builtIn: object,
): {
  values: Record<PropertyKey, unknown>
  shared: Decoration[]
} {
  const values: Record<PropertyKey, unknown> = {}
  const shared: Decoration[] = []
  for (const { decorators } of context.lineage()) {
    for (const decoration of decorators[kind].own) {
      const { name, value } = decoration
      if (isFunction(value) || isAccessor(value) || name in builtIn) shared.push(decoration)
      else values[name] = value
    }
  }
  return { values, shared }
}

/*
 * Functions and accessors are defined on the prototypes. The constructors set values in a fixed order, so that all
 * requests of a context share one hidden class.
 */

function requestClass(context: Context, Base: RequestClass): RequestClass {
  const { values, shared } = decorationsOf(context, 'request', RequestImpl.prototype)
  class Request extends Base {
    constructor(...args: ConstructorParameters<RequestClass>) {
      super(...args)
      Object.assign(this, values)
    }
  }
  for (const decoration of shared) defineDecoration(Request.prototype, decoration)
  return Request
}

function replyClass(context: Context, Base: ReplyClass): ReplyClass {
  const { values, shared } = decorationsOf(context, 'reply', ReplyImpl.prototype)
  class Reply extends Base {
    constructor(...args: ConstructorParameters<ReplyClass>) {
      super(...args)
      Object.assign(this, values)
    }
  }
  for (const decoration of shared) defineDecoration(Reply.prototype, decoration)
  return Reply
}
