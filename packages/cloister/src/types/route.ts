import type { Context, ContextOf, Ctx, HomeOf } from './context.ts'
import type { CaughtError, ValidationError } from './errors.ts'
import type { RequestHooks } from './hooks.ts'
import type { Cloister } from './instance.ts'
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from './fastify/interfaces.ts'
import type { RouteOptions, RouteShorthandOptions } from './fastify/names.generated.ts'
import type { Problem } from './problem.ts'
import type { CheckRoute } from './refs.ts'
import type { FinishedReply } from './reply.ts'
import type { Sendable, SuccessPayload } from './replies.ts'
import type { RequestParts } from './request.ts'
import type { ContextReply, ContextRequest, RouteReply } from './request-of.ts'
import type { PlainRouteOptions } from './options.generated.ts'
import type {
  CheckedParts,
  CookiesOf,
  Given,
  GivenReplies,
  RawParts,
  RouteGeneric,
  RouteReplies,
  StatedParts,
} from './route-schema.ts'
import type { HttpMethod } from './raw.ts'

/** The results of a handler: the payload of a successful response, nothing, or a sent reply. */
export type HandlerResult<Payload> = Payload | void | FinishedReply | Promise<Payload | void | FinishedReply>

export type Returned<C extends Context, S, G> = S extends { readonly response: infer R }
  ? unknown extends R
    ? unknown
    : Sendable<SuccessPayload<RouteReplies<C, S, G>>>
  : GivenSendable<G>

/** The payloads that the type argument allows. Without one, any payload. */
export type GivenSendable<G> =
  unknown extends Given<G, 'Reply'> ? unknown : Sendable<SuccessPayload<GivenReplies<G>>>

// The parts without a name, so that editors show them instead of what they follow from.

/**
 * The request of a route after validation. With `attachValidation` (`A`) it may be invalid; its parts have the types of
 * the schema after your code has checked that `validationError` is absent.
 */
type LateRequest<
  C extends Context,
  Path extends string,
  S,
  G extends RouteGeneric,
  Config,
  A extends boolean,
  Stated = unknown,
> = unknown extends Stated
  ? [A] extends [true]
    ?
        | (ContextRequest<C, CheckedParts<C, Path, S, G>, Config, G> & { validationError?: undefined })
        | (ContextRequest<C, RawParts<C, Path, G>, Config, G> & { validationError: ValidationError })
    : S extends { readonly cookies: unknown }
      ? CookiesOf<C, S> & ContextRequest<C, CheckedParts<C, Path, S, G>, Config, G>
      : ContextRequest<C, { [Part in keyof RequestParts]: CheckedParts<C, Path, S, G>[Part] }, Config, G>
  : ContextRequest<C, StatedParts<CheckedParts<C, Path, S, G>, S, Stated>, Config, G>

/**
 * A request after parsing, with `rawBody` if the option (`B`) is set. Without it, compiler messages show the plain
 * request type.
 */
type WithRawBody<Request, B extends boolean> = [B] extends [true]
  ? Request & {
      /**
       * The bytes of the body before parsing; empty without a body. It is a `Uint8Array` on platforms without `Buffer`.
       */
      readonly rawBody: Buffer
    }
  : Request

/** The handler of a route in context `C`; `Stated` is the request that its annotation states. */
export type HandlerOf<
  C extends Context = Ctx,
  Path extends string = string,
  S = {},
  G extends RouteGeneric = {},
  Config = unknown,
  A extends boolean = boolean,
  B extends boolean = boolean,
  Stated = unknown,
> = (
  this: Cloister<C>,
  request: WithRawBody<LateRequest<C, Path, S, G, Config, A, Stated>, B>,
  reply: RouteReply<C, RouteReplies<C, S, G>, Config>,
) => HandlerResult<Returned<C, S, G>>

/**
 * The constraint of a handler `H`. A handler whose request is annotated gets the parts that its annotation states, where
 * they don't contradict a schema of the route. A constraint is no place of inference, so `G` can't be inferred here.
 */
export type Fits<
  H,
  C extends Context,
  Path extends string,
  S,
  G extends RouteGeneric,
  Config,
  A extends boolean,
  B extends boolean,
> = [H] extends [HandlerOf<C, Path, S, G, Config, A, B>]
  ? unknown
  : HandlerOf<C, Path, S, G, Config, A, B, StatedRequest<H>>

/** The request that a handler states. */
type StatedRequest<H> = H extends (request: infer Stated, ...rest: never) => unknown ? Stated : unknown

/**
 * `unknown`, or a description of the error in a handler `H` that has no reply parameter and may return none of the
 * declared payloads `A`. The client would wait, or get an empty body.
 */
export type EndsWithReply<H, A> = null extends A
  ? unknown
  : H extends (request: never) => infer Result
    ? unknown extends Awaited<Result>
      ? unknown
      : [Extract<Awaited<Result>, void>] extends [never]
        ? unknown
        : TakesReply<H> extends true
          ? unknown
          : Problem<'this handler may end without a reply: return one on every path, or take the reply and send it'>
    : unknown

// Only for handlers that need no reply: the compiler would visit the reply of all others several times.
type TakesReply<H> = H extends (request: never, ...rest: infer Rest) => unknown
  ? Rest extends []
    ? false
    : true
  : true

type OneOrMany<T> = T | T[]

/**
 * The functions in the options of a route. `preHandler` and `preSerialization` get the validated parts. The other hooks
 * also run for invalid requests, and get the parts as received.
 */
export type RouteFunctions<C extends Context, Early, Late, Reply = ContextReply<C>> = {
  [Name in keyof RequestHooks<Cloister<C>, Early, Reply>]?: OneOrMany<
    RequestHooks<Cloister<C>, Name extends LateHook ? Late : Early, Reply>[Name]
  >
} & {
  /** Handles the errors of this route. An error that it throws goes to the error handler of the context. */
  errorHandler?: (this: Cloister<C>, error: CaughtError, request: Early, reply: Reply) => unknown
}

/** Hooks that run after validation. */
type LateHook = 'preHandler' | 'preSerialization'

// The route options that plugins merge in, without those that are typed here.
type TypedKey =
  | keyof RouteFunctions<never, never, never>
  | 'schema'
  | 'config'
  | 'attachValidation'
  | 'rawBody'
interface MergedOptions extends Omit<RouteShorthandOptions, TypedKey> {}
interface MergedFullOptions extends Omit<RouteOptions, TypedKey | 'method' | 'url' | 'handler'> {}

/** Options of a route whose types follow from its schema. */
export interface TypedRouteOptions<
  C extends Context,
  Path extends string,
  S,
  G extends RouteGeneric,
  Config,
  A extends boolean = boolean,
  B extends boolean = boolean,
  Method = 'POST',
>
  extends
    MergedOptions,
    RouteFunctions<
      C,
      ContextRequest<C, RawParts<C, Path, G>, Config, G>,
      WithRawBody<LateRequest<C, Path, S, G, Config, A>, B>,
      ContextReply<C, Config>
    > {
  /**
   * Whether invalid requests reach the handler, with `request.validationError`.
   *
   * @default false
   */
  attachValidation?: A
  /**
   * Whether `request.rawBody` contains the bytes of the body, from `preValidation` on. A body that a parser reads as a
   * stream is rejected with 415.
   *
   * @default false
   */
  rawBody?: B
  /**
   * The schemas of body, query string, params, headers and responses. They determine the types of request and reply.
   *
   * @throws `CLO_ERR_SCH_VALIDATION_BUILD`, `CLO_ERR_SCH_SERIALIZATION_BUILD` from `ready`, if a schema can't be
   * compiled
   */
  schema?: S & CheckRoute<S, C['schemas'], Method>
  /**
   * Data for plugins and handlers, available as `request.routeOptions.config`.
   *
   * @default {}
   */
  config?: Config & FastifyContextConfig
}

/** Options of `route`: method, path, handler and the other options of a route. */
export interface FullRouteOptions<
  C extends Context,
  Method extends HttpMethod,
  Path extends string,
  S,
  G extends RouteGeneric,
  Config,
  A extends boolean = boolean,
  H = HandlerOf<C, Path, S, G, Config, A>,
  B extends boolean = boolean,
>
  extends MergedFullOptions, TypedRouteOptions<C, Path, S, G, Config, A, B, Method> {
  /** The method or methods. */
  method: Method | readonly Method[]
  /** The path below the prefix of the context, such as `/users/:id`. */
  url?: Path
  /** Same as `url`, for apps of Fastify 4.x. */
  path?: Path
  /** Handles a valid request: returns the payload, or sends the reply. */
  handler: H & EndsWithReply<H, Returned<C, S, G>>
}

/**
 * Defines a route of one method: `(path, handler)`, `(path, options, handler)`, or `(path, options)` with the handler
 * in the options.
 *
 * All types are inferred from path and schema. `G` is for type arguments as in 4.x, `get<{ Body: User }>`, and for
 * handlers annotated with them. With an explicit `G`, the instance has no context-specific type.
 */
export interface RouteShorthand {
  <
    G extends RouteGeneric = {},
    Config = unknown,
    const S extends FastifySchema = FastifySchema,
    const Path extends string = string,
    T = FastifyInstance,
    A extends boolean = boolean,
    B extends boolean = boolean,
    H extends Fits<H, HomeOf<T>, Path, S, G, Config, A, B> = HandlerOf<HomeOf<T>, Path, S, G, Config, A, B>,
  >(
    this: T,
    path: Path,
    options: TypedRouteOptions<HomeOf<T>, Path, S, G, Config, A, B>,
    handler: H & EndsWithReply<H, Returned<HomeOf<T>, S, G>>,
  ): T
  <
    G extends RouteGeneric = {},
    Config = unknown,
    const S extends FastifySchema = FastifySchema,
    const Path extends string = string,
    T = FastifyInstance,
    A extends boolean = boolean,
    B extends boolean = boolean,
    H extends Fits<H, HomeOf<T>, Path, S, G, Config, A, B> = HandlerOf<HomeOf<T>, Path, S, G, Config, A, B>,
  >(
    this: T,
    path: Path,
    handlerOrOptions:
      | HandlerOf<HomeOf<T>, Path, S, G, Config, A, B>
      | (TypedRouteOptions<HomeOf<T>, Path, S, G, Config, A, B> & {
          handler: H & EndsWithReply<H, Returned<HomeOf<T>, S, G>>
        }),
  ): T
}

/** A route, as `onRoute` hooks get it. */
export interface RegisteredRoute extends PlainRouteOptions {
  /** The method or methods. */
  method: HttpMethod | HttpMethod[]
  /** The path with its prefix. */
  url: string
  /** The path with its prefix, like `url`. */
  path: string
  /** The path without the prefix. */
  routePath: string
  /** The prefix of the context. */
  prefix: string
  /** The schemas of the route. */
  schema?: FastifySchema
  /** Data for plugins and handlers. */
  config?: FastifyContextConfig
  /** The handler of the route. */
  handler: (...args: never[]) => unknown
  /** Hooks, and options of plugins. */
  [key: string]: unknown
}

/** The shape of a route that is declared separately from the call that defines it. */
interface DetachedRoute {
  readonly url?: string
  readonly path?: string
  readonly schema?: unknown
}
type PathOf<R> = R extends
  | { readonly url: infer P extends string }
  | { readonly path: infer P extends string }
  ? P
  : string
type SchemaOf<R> = R extends { readonly schema: infer S } ? S : {}

/** The handler of a route that is declared separately: `Handler<typeof route, typeof app>`. */
export type Handler<R extends DetachedRoute, Instance = Cloister> = HandlerOf<
  ContextOf<Instance>,
  PathOf<R>,
  SchemaOf<R>
>

/** The request of a route that is declared separately. */
export type RequestOf<R extends DetachedRoute, Instance = Cloister> = Parameters<Handler<R, Instance>>[0]

/** The reply of a route that is declared separately. */
export type ReplyOf<R extends DetachedRoute, Instance = Cloister> = Parameters<Handler<R, Instance>>[1]
