import type { HomeOf } from './context.ts'
import type { FastifyInstance, FastifySchema, RouteShorthandMethod } from './fastify/interfaces.ts'
import type { CheckNoBody } from './refs.ts'
import type { EndsWithReply, Fits, HandlerOf, Returned, TypedRouteOptions } from './route.ts'
import type { RouteGeneric } from './route-schema.ts'

/** Defines a route like {@link RouteShorthand}; a body schema is an error, because the app would not start. */
export interface BodilessShorthand {
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
    options: TypedRouteOptions<HomeOf<T>, Path, S, G, Config, A, B> & CheckNoBody<S>,
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
        } & CheckNoBody<S>),
  ): T
}

/**
 * The shorthand of methods without a body. Where a plugin has added a signature to the interface of shorthands, that
 * interface, which takes any schema.
 */
export type ShorthandWithoutBody =
  RouteShorthandMethod extends ThreeSignatures<infer _Added> ? RouteShorthandMethod : BodilessShorthand

// The last two are those of the interface itself.
interface ThreeSignatures<Added extends unknown[]> {
  (...args: Added): unknown
  (...args: never): unknown
  (...args: never): unknown
}
