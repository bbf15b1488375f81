// All public types: the entry `cloister/types`. The declaration files of a project name every type that the compiler
// infers in it, so all interfaces are exported. Types that only compute others are not. `written.ts` has those that
// people write.

export type { CodedErrorConstructor, ErrorCodes, Fault } from '../errors.ts'
export type { ErrorName } from '../error-table.ts'
export type * from './compilers.ts'
export type * from './content-type.ts'
export type {
  Child,
  Context,
  ContextFrom,
  ContextOf,
  ContextParts,
  Ctx,
  HomeOf,
  OnServer,
  OpenContext,
  OpenHome,
  OpenSchemas,
  Widen,
  Within,
} from './context.ts'
export type * from './decorate.ts'
export type * from './description.generated.ts'
export type * from './errors.ts'
export type * from './fastify/names.generated.ts'
export type * from './fastify/interfaces.ts'
export type * from './forms.ts'
export type * from './guards.ts'
export type * from './hooks.ts'
export type { Infer, InferPart, InferReply, Int64AsBigint, Sendable, WrittenAs } from './infer-schema.ts'
export type * from './instance.ts'
export type * from './logger.ts'
export type * from './options.generated.ts'
export type * from './options.ts'
export type { ParamsOf } from './params.ts'
export type * from './plugin.ts'
export type * from './problem.ts'
export type * from './raw.ts'
export type { SchemaMembers, SharedSchemas } from './refs.ts'
export type { AnyReplies, ByType, EventFields, PayloadOf, ServerSentEvent } from './replies.ts'
export type * from './reply.ts'
export type * from './report.ts'
export type * from './request-of.ts'
export type * from './request.ts'
export type * from './route-options.ts'
export type { CheckedParts, RawParts, RouteGeneric, RouteSchema } from './route-schema.ts'
export type {
  FullRouteOptions,
  Handler,
  HandlerResult,
  RegisteredRoute,
  ReplyOf,
  RequestOf,
  RouteShorthand,
  TypedRouteOptions,
} from './route.ts'
export type * from './routing.ts'
export type * from './server.ts'
export type * from './settings.ts'
export type { BodilessShorthand } from './shorthand-without-body.ts'
export type * from './upgrade.ts'
export type * from './standard-schema.ts'
