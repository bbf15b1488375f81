import type { Context } from '../../context/context.ts'
import { defineDecoration, isAccessor } from '../../context/decorators.ts'
import type { Decoration } from '../../context/decorators.ts'
import { isFunction } from '../../functions.ts'
import { ReplyImpl } from '../../request/reply.ts'
import { RequestImpl } from '../../request/request.ts'
import type { ReplyClass, RequestClass } from '../../request/route-plan.ts'

/** The classes of requests and replies that a context's routes use. */
export interface PlanClasses {
  readonly Request: RequestClass
  readonly Reply: ReplyClass
}

/**
 * The classes of a context that decorates: functions and accessors go on the prototype, values are set in the
 * constructor in a fixed order, so that all requests of a context keep one hidden class. A context without
 * decorators of its own uses its parent's classes.
 */
export function buildClasses(context: Context, above: PlanClasses | null): PlanClasses {
  const { request, reply } = context.decorators
  const inherited = above ?? { Request: RequestImpl, Reply: ReplyImpl }
  return {
    Request: request.isEmpty ? inherited.Request : requestClass(context),
    Reply: reply.isEmpty ? inherited.Reply : replyClass(context),
  }
}

/** What a context sees of one kind, split by where it goes. A value in the place of a built-in member hides that. */
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

function requestClass(context: Context): RequestClass {
  const { values, shared } = decorationsOf(context, 'request', RequestImpl.prototype)
  class Request extends RequestImpl {
    constructor(...args: ConstructorParameters<RequestClass>) {
      super(...args)
      Object.assign(this, values)
    }
  }
  for (const decoration of shared) defineDecoration(Request.prototype, decoration)
  return Request
}

function replyClass(context: Context): ReplyClass {
  const { values, shared } = decorationsOf(context, 'reply', ReplyImpl.prototype)
  class Reply extends ReplyImpl {
    constructor(...args: ConstructorParameters<ReplyClass>) {
      super(...args)
      Object.assign(this, values)
    }
  }
  for (const decoration of shared) defineDecoration(Reply.prototype, decoration)
  return Reply
}
