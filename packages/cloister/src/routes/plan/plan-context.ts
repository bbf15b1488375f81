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

/** The part of plans that all routes of one context share. */
export interface ContextPlan extends ContextClasses {
  readonly parsers: ParserLookup
  /** those of the context and its ancestors, the nearest first */
  readonly errorHandlers: readonly PlanErrorHandler[]
  readonly schemaErrorFormatter: AnyFunction | null
  readonly replySerializer: AnyFunction | null
  readonly childLoggerFactory: AnyFunction | null
  readonly genReqId: AnyFunction | null
}

/** Resolves the chain of each context once. */
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

/** An error handler as requests call it; `reply` is its third argument. */
export function planErrorHandler(fn: AnyFunction, instance: object): PlanErrorHandler {
  return { handle: fn.bind(instance), takesReply: mayTakeMore(fn, 2) }
}

/** The classes of requests and replies that a context's routes use. */
export interface PlanClasses {
  readonly Request: RequestClass
  readonly Reply: ReplyClass
}

/** The classes of a context, and those of its app that they extend. */
export interface ContextClasses extends PlanClasses {
  readonly base: PlanClasses
}

/** Members that throw errors of the catalogue, also into handlers that catch them. */
const THROWING = {
  request: 'raw socket compileValidationSchema validateInput getDecorator setDecorator'.split(' '),
  reply: (
    'raw sent statusCode code status redirect send hijack serialize trailer writeEarlyHints ' +
    'getSerializationFunction compileSerializationSchema serializeInput getDecorator'
  ).split(' '),
} as const

/** The classes of an app before any decorator: where its error codes have a prefix of their own, they set it. */
function baseClasses(prefix: string): PlanClasses {
  if (prefix === CODE_PREFIX) return { Request: RequestImpl, Reply: ReplyImpl }
  class Request extends RequestImpl {}
  class Reply extends ReplyImpl {}
  prefixMembers(Request.prototype, THROWING.request, prefix)
  prefixMembers(Reply.prototype, THROWING.reply, prefix)
  return { Request, Reply }
}

/**
 * The classes of a context that decorates: functions and accessors go on the prototype, values are set in the
 * constructor in a fixed order, so that all requests of a context keep one hidden class. A context without
 * decorators of its own uses its parent's classes.
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
 * The decorators of one kind that a context sees, split by where they are defined. A value with the name of a
 * built-in member hides that member.
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
