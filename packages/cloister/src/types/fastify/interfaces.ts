// The interfaces that plugins of the Fastify ecosystem merge their declarations into. Declarations merge by name and
// module, so names and type parameters are Fastify's; the members come from Cloister's own interfaces.

import type { Http2Server } from 'node:http2'

import type { ValidationIssue } from '../errors.ts'
import type { HttpPart } from '../compilers.ts'
import type { Ctx, HomeOf, OnServer } from '../context.ts'
import type { DeclaredMembers, MembersOfFastify } from '../instance.ts'
import type { BaseLogger } from '../logger.ts'
import type { Http1Server, HttpMethod, RawReplyOf, RawRequestOf, RawServer as AnyServer } from '../raw.ts'
import type { Sendable, RepliesOf, SuccessPayload } from '../replies.ts'
import type { CloisterReply, ReplyBinding } from '../reply.ts'
import type { CloisterRequest, RequestParts } from '../request.ts'
import type { RouteConfig } from '../route-options.ts'
import type { Fits, FullRouteOptions, GivenSendable, HandlerOf, RouteShorthand } from '../route.ts'
import type {
  CheckedParts,
  Given,
  GivenHeaders,
  GivenReplies,
  RouteGeneric as AnyGeneric,
  RouteSchema,
} from '../route-schema.ts'

declare const peer: unique symbol

/** Maps schemas to types, for code with type providers. Cloister doesn't need one. */
export interface FastifyTypeProvider {
  /** In older type providers: the schema that the other members are computed from. */
  readonly input: unknown
  /** In older type providers: the type of a value that matches the schema. */
  readonly output: unknown
  /** The schema that the other members are computed from. */
  readonly schema: unknown
  /** The type of a validated value. */
  readonly validator: unknown
  /** The type of a value before serialization. */
  readonly serializer: unknown
}

/** A promise that need not be awaited, because its error is reported elsewhere. */
export type SafePromiseLike<T> = PromiseLike<T> & { readonly __linterBrands: 'SafePromiseLike' }

/** The schemas of a route, with the additions of plugins. */
export interface FastifySchema extends RouteSchema {}

/** The `config` of routes, with the additions of plugins. */
export interface FastifyContextConfig {}

/** An instance, with the global declarations of plugins. */
export interface FastifyInstance<
  RawServer extends AnyServer = Http1Server,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends BaseLogger = BaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
>
  extends MembersOfFastify, DeclaredMembers, OnServer<RawRequest, RawReply> {
  /** Node's server. */
  server: RawServer
  /** Defines a route with all options. */
  route<
    G extends AnyGeneric = {},
    Config = unknown,
    const S extends FastifySchema = FastifySchema,
    const Path extends string = string,
    const Method extends HttpMethod = HttpMethod,
    T = this,
    A extends boolean = boolean,
    B extends boolean = boolean,
    H extends Fits<H, HomeOf<T>, Path, S, G, Config, A, B> = HandlerOf<HomeOf<T>, Path, S, G, Config, A, B>,
  >(
    this: T,
    options: FullRouteOptions<HomeOf<T>, Method, Path, S, G, Config, A, H, B>,
  ): T
  /** Logger of the app. */
  log: Logger
  /** Exists only in types. */
  readonly [peer]?: TypeProvider
}

/** A request, with the global declarations of plugins. */
export interface FastifyRequest<
  RouteGeneric extends AnyGeneric = AnyGeneric,
  RawServer extends AnyServer = Http1Server,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
  ContextConfig = unknown,
  Logger extends BaseLogger = BaseLogger,
  RequestType extends RequestParts = ProvidedParts<RouteGeneric, SchemaCompiler, TypeProvider>,
  Instance = FastifyInstance,
> extends CloisterRequest<RequestType, ContextConfig, RawRequest, Instance> {
  /** Exists only in types. */
  [peer]?(schemas: SchemaCompiler, provider: TypeProvider, logger: Logger): void
}

// In Fastify 4.x the kind of server comes first and the route's types fourth. In 5.x the route's types come first.
type AnyRequest = RawRequestOf<AnyServer>
type AnyReply = RawReplyOf<AnyServer>
// The same conditions as in `RawRequestOf` and `RawReplyOf`, so that both match if the kind of server is open.
type RequestOn<Server> = Server extends Http1Server ? RawRequestOf : RawRequestOf<Http2Server>
type ReplyOn<Server> = Server extends Http1Server ? RawReplyOf : RawReplyOf<Http2Server>
type GenericIn<First, Fourth> = First extends AnyServer ? (Fourth extends AnyGeneric ? Fourth : {}) : First
type ReplyIn<First, Third, Fourth> = First extends AnyServer
  ? Third extends AnyReply
    ? Third
    : RawReplyOf<First>
  : Fourth

/** A reply, with the global declarations of plugins. The first four type arguments may be in the order of 4.x. */
export interface FastifyReply<
  RouteGeneric extends AnyGeneric | AnyServer = AnyGeneric,
  RawServer extends AnyServer | AnyRequest = Http1Server,
  RawRequest extends AnyRequest | AnyReply = RequestOn<RawServer>,
  RawReply extends AnyReply | AnyGeneric = ReplyOn<RawServer>,
  ContextConfig = unknown,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
  ReplyType = SuccessPayload<
    ProvidedReplies<GenericIn<RouteGeneric, RawReply>, SchemaCompiler, TypeProvider>
  >,
  Binding extends ReplyBinding = GivenBinding<
    ProvidedReplies<GenericIn<RouteGeneric, RawReply>, SchemaCompiler, TypeProvider>
  >,
> extends CloisterReply<ReplyType, Binding, ReplyIn<RouteGeneric, RawRequest, RawReply>, ContextConfig> {
  /** Exists only in types. */
  [peer]?(schemas: SchemaCompiler, provider: TypeProvider): void
}

/** The types of a reply whose payloads are described by type arguments. */
export interface GivenBinding<Replies extends object> extends ReplyBinding<
  Replies,
  {},
  FastifyRequest,
  FastifyInstance
> {}

/** Defines a route of one method, with the additions of plugins. */
export interface RouteShorthandMethod<
  RawServer extends AnyServer = Http1Server,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> extends RouteShorthand {
  /** Exists only in types. */
  readonly [peer]?: [RawRequest, RawReply, TypeProvider, Logger]
}

/** The options of a plugin that declares none. */
export interface FastifyPluginOptions {
  // oxlint-disable-next-line typescript/no-explicit-any -- interfaces have no index signature and fit no other
  [name: string]: any
}

/** An error with a code and a status. */
export interface FastifyError extends Error {
  /** The stable code of the error, such as `CLO_ERR_VALIDATION`. */
  code: string
  /** The name of the error's class. */
  name: string
  /** The status of the response to the failed request. */
  statusCode?: number
  /** The violations of a failed validation. */
  validation?: ValidationIssue[]
  /** The request part that failed validation. */
  validationContext?: string
}

/** The `config` of a route, in the form of older requests. */
export interface FastifyRequestContext<Config = unknown> {
  /** The `config` of the route. */
  config: FastifyContextConfig & RouteConfig & Config
}

// Types that code for Fastify states in full: `FastifyRequest<…, typeof schema, TypeBoxTypeProvider>`. The type
// argument of the route takes precedence, then the result of the type provider, then the type that Cloister infers.

type Or<First, Second> = unknown extends First ? Second : First

/** The result of a type provider for a schema; `unknown` if it has none. */
export type CallProvider<Provider, Schema, Member extends 'validator' | 'serializer'> = Provider & {
  readonly schema: Schema
  readonly input: Schema
} extends infer Called
  ? Called extends { readonly [M in Member]: infer Current }
    ? Or<Current, Called extends { readonly output: infer Older } ? Older : unknown>
    : unknown
  : unknown

/** The parts of a request: by type argument, otherwise by the schemas of a route. */
export interface ProvidedParts<G, Schemas, Provider> extends RequestParts {
  params: ProvidedPart<Given<G, 'Params'>, Schemas, Provider, 'params'>
  query: ProvidedPart<Given<G, 'Querystring'>, Schemas, Provider, 'querystring'>
  headers: ProvidedPart<GivenHeaders<G>, Schemas, Provider, 'headers'>
  body: ProvidedPart<Given<G, 'Body'>, Schemas, Provider, 'body'>
}

type ProvidedPart<GivenType, Schemas, Provider, Part extends HttpPart> = unknown extends GivenType
  ? Schemas extends { readonly [P in Part]: infer Schema }
    ? Or<
        CallProvider<Provider, Schema, 'validator'>,
        CheckedParts<Ctx, string, Schemas, AnyGeneric>[Part extends 'querystring' ? 'query' : Part]
      >
    : GivenType
  : GivenType

/** The payloads by status: by type argument, otherwise by the response schemas of a route. */
export type ProvidedReplies<G, Schemas, Provider> =
  unknown extends Given<G, 'Reply'> ? SchemaReplies<Schemas, Provider> : GivenReplies<G>

type SchemaReplies<Schemas, Provider> = Schemas extends { readonly response: infer Response }
  ? RepliesOf<Response, Ctx['schemas']> extends infer Own
    ? { readonly [Status in keyof Own]: ProvidedReply<Own[Status], Response, Status, Provider> }
    : never
  : GivenReplies<AnyGeneric>

type ProvidedReply<Own, Response, Status, Provider> = Status extends keyof Response
  ? Or<CallProvider<Provider, Response[Status], 'serializer'>, Own>
  : Own

/** The payloads that a handler may return. Without a type argument and response schemas, any payload. */
export type ProvidedSendable<G, Schemas, Provider> = Or<
  GivenSendable<G>,
  Schemas extends { readonly response: unknown }
    ? Sendable<SuccessPayload<ProvidedReplies<G, Schemas, Provider>>>
    : unknown
>
