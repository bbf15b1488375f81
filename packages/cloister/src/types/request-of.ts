import type { Context, Ctx } from './context.ts'
import type { Cloister } from './instance.ts'
import type { BaseLogger } from './logger.ts'
import type { FastifyRequest, FastifySchema, FastifyTypeProvider } from './fastify/interfaces.ts'
import type { Http1Server, RawRequestOf } from './raw.ts'
import type { SuccessPayload } from './replies.ts'
import type { PlainReply, ReplyBinding } from './reply.ts'
import type { RequestParts } from './request.ts'
import type { RouteGeneric } from './route-schema.ts'

// Requests and replies of a context: an interface with the decorations. Plain requests of all routes share one set of
// members, and the compiler computes the type of a part only when code uses it.

/** Keeps the name `ContextRequest` in compiler messages if nothing is decorated. */
export interface RequestWithin {}

/** Keeps the names of replies in editors if nothing is decorated. */
export interface ReplyWithin {}

/** A request of context `C` with the parts `Parts`. */
export type ContextRequest<
  C extends Context = Ctx,
  Parts extends RequestParts = RequestParts,
  Config = unknown,
  G extends RouteGeneric = RouteGeneric,
> = FastifyRequest<
  G,
  Http1Server,
  RawRequestOf,
  FastifySchema,
  FastifyTypeProvider,
  Config,
  BaseLogger,
  Parts,
  Cloister<C>
> &
  RequestWithin &
  C['request']

/** A reply of context `C` with any payload. */
export type ContextReply<C extends Context = Ctx, Config = unknown> = PlainReply<
  unknown,
  ContextBinding<C>,
  Config
> &
  ReplyWithin &
  C['reply']

/** The types of replies in a context. */
export interface ContextBinding<C extends Context> extends ReplyBinding<
  { readonly default: unknown },
  C['reply'],
  ContextRequest<C>,
  Cloister<C>
> {}

/**
 * The types of replies of a route. The members are declared here because every route has one, and a base interface
 * costs the compiler more.
 */
export interface RouteBinding<C extends Context, Replies extends object> extends ReplyBinding {
  readonly replies: Replies
  readonly decorations: C['reply']
  readonly request: ContextRequest<C>
  readonly server: Cloister<C>
}

/** The reply of a route. Its payloads are checked by status. */
export type RouteReply<C extends Context, Replies extends object, Config = unknown> = PlainReply<
  SuccessPayload<Replies>,
  RouteBinding<C, Replies>,
  Config
> &
  ReplyWithin &
  C['reply']
