import type { RouteShorthandMethod } from './fastify/interfaces.ts'
import type { RouteShorthand } from './route.ts'

/** Defines a route like {@link RouteShorthand}; a body schema is an error, because the app would not start. */
export interface BodilessShorthand extends RouteShorthand<'GET'> {}

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
