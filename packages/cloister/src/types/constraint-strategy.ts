import type { RawRequestOf, RawServer } from './raw.ts'

/**
 * Selects one of several routes with the same path by a property of the request.
 *
 * @typeParam T - the values that routes state for this constraint
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 *
 * const app = cloister({
 *   constraints: {
 *     audience: {
 *       name: 'audience',
 *       storage() {
 *         const stored = new Map<unknown, unknown>()
 *         return { get: (value) => stored.get(value) ?? null, set: (value, handler) => void stored.set(value, handler) }
 *       },
 *       deriveConstraint: (request) => request.headers['x-audience'],
 *     },
 *   },
 * })
 * app.get('/', { constraints: { audience: 'partners' } }, () => 'hello, partner')
 * ```
 */
export interface ConstraintStrategy<_Version = unknown, T = string> {
  /** The key of the constraint in the `constraints` of a route. */
  name: string
  /** Whether a request with a value of this constraint matches routes alone that are constrained by it. */
  mustMatchWhenDerived?: boolean
  /** Returns a store that finds what was stored for a value of a route, by the value of a request. */
  storage(): {
    get(value: T): unknown
    set(value: T, handler: unknown): void
  }
  /** Throws an error for what is no value of this constraint; called with the values of routes. */
  validate?(value: unknown): void
  /** Returns the value of a request; a function with three parameters calls `done` with it later. */
  deriveConstraint(
    request: RawRequestOf<RawServer>,
    context?: unknown,
    done?: (error: Error | null, value?: T) => void,
  ): T | void
}
