import type { Context } from '../../context/context.ts'
import { mayTakeMore } from '../../hooks/adapt.ts'
import type { ParserLookup } from '../../body/parser-table.ts'
import type { PlanErrorHandler, ReplyClass, RequestClass } from '../../request/route-plan.ts'
import { defineDecoration, isAccessor, type Decoration } from '../../context/decorators.ts'
import { prefixMembers } from '../../error-prefix.ts'
import { CODE_PREFIX } from '../../errors.ts'
import { getOrMake, isFunction, type AnyFunction } from '../../guards.ts'
import { ReplyImpl } from '../../request/reply.ts'
import { RequestImpl } from '../../request/request.ts'

/** The part of a plan that all routes of one context share. */
export interface ContextPlan extends ContextClasses {
  readonly parsers: ParserLookup
  /** the error handlers of the context and its ancestors, the nearest first */
  readonly errorHandlers: readonly PlanErrorHandler[]
  readonly schemaErrorFormatter: AnyFunction | null
  readonly replySerializer: AnyFunction | null
  readonly childLoggerFactory: AnyFunction | null
  readonly genReqId: AnyFunction | null
}

/** Creates the plan of each context once. */
export class ContextPlanner {
  readonly #plans = new Map<Context, ContextPlan>()

  plan(context: Context): ContextPlan {
    return getOrMake(this.#plans, context, () => this.#make(context))
  }

  #make(context: Context): ContextPlan {
    const { parent, instance, settings } = context
    const above = parent === null ? null : this.plan(parent)
    const { errorHandler } = settings
    const inherited = above?.errorHandlers ?? []
    return {
      ...buildClasses(context, above),
      parsers: context.parsers.toLookup(),
      errorHandlers:
        errorHandler == null ? inherited : [planErrorHandler(errorHandler.value, instance), ...inherited],
      schemaErrorFormatter: context.setting('schemaErrorFormatter'),
      replySerializer: context.setting('replySerializer'),
      childLoggerFactory: context.setting('childLoggerFactory'),
      genReqId: context.setting('genReqId'),
    }
  }
}

export function planErrorHandler(fn: AnyFunction, instance: object): PlanErrorHandler {
  return { handle: fn.bind(instance), takesReply: mayTakeMore(fn, 2) }
}

export interface PlanClasses {
  readonly Request: RequestClass
  readonly Reply: ReplyClass
}

/** The classes of a context, with those of its app that they extend. */
export interface ContextClasses extends PlanClasses {
  readonly base: PlanClasses
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
function baseClasses(prefix: string): PlanClasses {
  if (prefix === CODE_PREFIX) return { Request: RequestImpl, Reply: ReplyImpl }
  class Request extends RequestImpl {}
  class Reply extends ReplyImpl {}
  prefixMembers(Request.prototype, THROWING.request, prefix)
  prefixMembers(Reply.prototype, THROWING.reply, prefix)
  return { Request, Reply }
}

/**
 * Creates the classes of a context. Functions and accessors are defined on the prototype. The constructor sets values
 * in a fixed order, so that all requests of a context share one hidden class. A context without its own decorators uses
 * the classes of its parent.
 */
export function buildClasses(context: Context, above: ContextClasses | null): ContextClasses {
  const { request, reply } = context.decorators
  const base = above?.base ?? baseClasses(context.app.options.errorCodePrefix)
  const inherited = above ?? base
  return {
    base,
    Request: request.isEmpty ? inherited.Request : requestClass(context, base.Request),
    Reply: reply.isEmpty ? inherited.Reply : replyClass(context, base.Reply),
  }
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
