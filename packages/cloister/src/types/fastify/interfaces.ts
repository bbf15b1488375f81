// The interfaces that plugins of the ecosystem merge their declarations into. Declarations merge by name and module, so
// the ecosystem gives the names and type parameters; the members come from our own interfaces.

import type { Http2Server } from 'node:http2'

import type { ValidationIssue } from '../errors.ts'
import type { HttpPart } from '../compilers.ts'
import type { Ctx, HomeOf, OnServer } from '../context.ts'
import type { CloisterInstance } from '../instance.ts'
import type { BaseLogger } from '../logger.ts'
import type { Http1Server, HttpMethod, RawReplyOf, RawRequestOf, RawServer as AnyServer } from '../raw.ts'
import type { Answer, RepliesOf, SuccessPayload } from '../replies.ts'
import type { CloisterReply, ReplyBinding } from '../reply.ts'
import type { CloisterRequest, RequestParts } from '../request.ts'
import type { RouteConfig } from '../route-options.ts'
import type { FullRouteOptions, GivenAnswer, HandlerOf, RouteShorthand } from '../route.ts'
import type {
  CheckedParts,
  Given,
  GivenReplies,
  RouteGeneric as AnyGeneric,
  RouteSchema,
} from '../route-schema.ts'

declare const peer: unique symbol

/** A mapping of schemas to types, for code with type providers; Cloister needs none. */
export interface FastifyTypeProvider {
  /** The schema that the other members are computed from, in older type providers. */
  readonly input: unknown
  /** The type of a value that matches the schema, in older type providers. */
  readonly output: unknown
  /** The schema that the other members are computed from. */
  readonly schema: unknown
  /** The type of a validated value. */
  readonly validator: unknown
  /** The type of a value before serialization. */
  readonly serializer: unknown
}

/** A promise that you need not await: its error is reported elsewhere. */
export type SafePromiseLike<T> = PromiseLike<T> & { readonly __linterBrands: 'SafePromiseLike' }

/** The schemas of a route, and what plugins add to them. */
export interface FastifySchema extends RouteSchema {}

/** The `config` of routes, and what plugins add to it. */
export interface FastifyContextConfig {}

/** Every instance, and what plugins declare on it globally. */
export interface FastifyInstance<
  RawServer extends AnyServer = Http1Server,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends BaseLogger = BaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
>
  extends CloisterInstance, OnServer<RawRequest, RawReply> {
  /** Node's server. */
  server: RawServer
  /** Defines a route in full. */
  route<
    G extends AnyGeneric = {},
    Config = unknown,
    const S extends FastifySchema = FastifySchema,
    const Path extends string = string,
    const Method extends HttpMethod = HttpMethod,
    T = this,
    A extends boolean = boolean,
    B extends boolean = boolean,
    H extends HandlerOf<HomeOf<T>, Path, S, G, Config, A, B> = HandlerOf<HomeOf<T>, Path, S, G, Config, A, B>,
  >(
    this: T,
    options: FullRouteOptions<HomeOf<T>, Method, Path, S, G, Config, A, H, B>,
  ): T
  /** Logger of the app. */
  log: Logger
  /** Exists in types alone. */
  readonly [peer]?: TypeProvider
}

/** Every request, and what plugins declare on it globally. */
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
  /** Exists in types alone. */
  [peer]?(schemas: SchemaCompiler, provider: TypeProvider, logger: Logger): void
}

// In Fastify 4.x the kind of server comes first and the types of the route fourth; in 5.x the types come first.
type AnyRequest = RawRequestOf<AnyServer>
type AnyReply = RawReplyOf<AnyServer>
// The same conditions as in `RawRequestOf` and `RawReplyOf`, so that both agree if the kind of server is open.
type RequestOn<Server> = Server extends Http1Server ? RawRequestOf : RawRequestOf<Http2Server>
type ReplyOn<Server> = Server extends Http1Server ? RawReplyOf : RawReplyOf<Http2Server>
type GenericIn<First, Fourth> = First extends AnyServer ? (Fourth extends AnyGeneric ? Fourth : {}) : First
type ReplyIn<First, Third, Fourth> = First extends AnyServer
  ? Third extends AnyReply
    ? Third
    : RawReplyOf<First>
  : Fourth

/** Every reply, and what plugins declare on it globally. The first four arguments may have the order of 4.x. */
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
  /** Exists in types alone. */
  [peer]?(schemas: SchemaCompiler, provider: TypeProvider): void
}

/** The types of a reply when type arguments describe its payloads. */
export interface GivenBinding<Replies extends object> extends ReplyBinding<
  Replies,
  {},
  FastifyRequest,
  FastifyInstance
> {}

/** Defines a route of one method, and what plugins add to that. */
export interface RouteShorthandMethod<
  RawServer extends AnyServer = Http1Server,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> extends RouteShorthand {
  /** Exists in types alone. */
  readonly [peer]?: [RawRequest, RawReply, TypeProvider, Logger]
}

/** The options of a plugin that declares none. */
export interface FastifyPluginOptions {
  // oxlint-disable-next-line typescript/no-explicit-any -- interfaces have no index signature and fit no other
  [name: string]: any
}

/** An error with a code and a status. */
export interface FastifyError extends Error {
  /** The stable code of the error, as in `CLO_ERR_VALIDATION`. */
  code: string
  /** The name of the error's class. */
  name: string
  /** The status of the response to the request that failed. */
  statusCode?: number
  /** The violations of a failed validation. */
  validation?: ValidationIssue[]
  /** The request part that failed validation. */
  validationContext?: string
}

/** The `config` of a route, as requests carried it. */
export interface FastifyRequestContext<Config = unknown> {
  /** The `config` of the route. */
  config: FastifyContextConfig & RouteConfig & Config
}

// Types that code written for Fastify states in full: `FastifyRequest<…, typeof schema, TypeBoxTypeProvider>`. The type
// argument of the route comes first, then what the type provider makes of a schema, then our own reading of it.

type Or<First, Second> = unknown extends First ? Second : First

/** What a type provider makes of a schema; `unknown` where it makes nothing of it. */
export type CallProvider<Provider, Schema, Member extends 'validator' | 'serializer'> = Provider & {
  readonly schema: Schema
  readonly input: Schema
} extends infer Called
  ? Called extends { readonly [M in Member]: infer Current }
    ? Or<Current, Called extends { readonly output: infer Older } ? Older : unknown>
    : unknown
  : unknown

/** The parts of a request by type argument, else by the schemas of a route. */
export interface ProvidedParts<G, Schemas, Provider> extends RequestParts {
  params: ProvidedPart<Given<G, 'Params'>, Schemas, Provider, 'params'>
  query: ProvidedPart<Given<G, 'Querystring'>, Schemas, Provider, 'querystring'>
  headers: ProvidedPart<LowerKeys<Given<G, 'Headers'>>, Schemas, Provider, 'headers'>
  body: ProvidedPart<Given<G, 'Body'>, Schemas, Provider, 'body'>
}

type LowerKeys<H> = unknown extends H ? H : { [K in keyof H as K extends string ? Lowercase<K> : K]: H[K] }

type ProvidedPart<GivenType, Schemas, Provider, Part extends HttpPart> = unknown extends GivenType
  ? Schemas extends { readonly [P in Part]: infer Schema }
    ? Or<
        CallProvider<Provider, Schema, 'validator'>,
        CheckedParts<Ctx, string, Schemas, AnyGeneric>[Part extends 'querystring' ? 'query' : Part]
      >
    : GivenType
  : GivenType

/** The payloads by status: by type argument, else by the response schemas of a route. */
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

/** The payloads that a handler may return; any payload without a type argument and without response schemas. */
export type ProvidedAnswer<G, Schemas, Provider> = Or<
  GivenAnswer<G>,
  Schemas extends { readonly response: unknown }
    ? Answer<SuccessPayload<ProvidedReplies<G, Schemas, Provider>>>
    : unknown
>
