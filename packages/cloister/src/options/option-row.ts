import { typeName } from '../guards.ts'
import type { ErrorName } from '../error-table.ts'
import { createError, type CloisterError } from '../errors.ts'
import type { AppOptions } from './checked-options.generated.ts'

/** The values of an option: their check, their type and a description. `T` is the type after the check. */
export interface Kind<T> {
  /** returns the checked value; `undefined` rejects the given value */
  readonly read: (given: unknown) => T | undefined
  /** the TypeScript type that applications use */
  readonly type: string
  /** the TypeScript type after the check */
  readonly checked: string
  /** completes the sentence "must be …" */
  readonly expected: string
  readonly unit?: 'milliseconds' | 'bytes' | 'characters' | 'requests' | 'header lines' | 'errors'
  /** the check rejects values that the type allows */
  readonly narrows?: true
}

/** The fields of a row other than kind and default. */
export interface OptionDetails {
  /** hover text and table cell, in Markdown: what the option does */
  readonly doc: string
  /**
   * the difference in Fastify 4.x: `5.x` for an option that was added in 5.x, `ours`, or a sentence
   *
   * @default 'same'
   */
  readonly fastify4?: string
  /** example options, as an object literal */
  readonly example?: string
  /** when `app.initialConfig` shows it: always, when the application set it, or only in its `routerOptions` */
  readonly shown?: 'always' | 'given' | 'routerOptions'
  /** errors that other modules throw for an invalid value */
  readonly throws?: readonly ErrorName[]
  /** rejects values that the kind accepts, in apps with `strict: true`; completes the sentence "with 'strict', …" */
  readonly strictProblem?: (value: unknown) => string | null
  /** creates the error for an invalid value, if it is not `INIT_OPTS_INVALID`; `ROUTE_OPTION_INVALID` for routes */
  readonly refuse?: (given: unknown) => CloisterError
  readonly route?: RouteSide
  /** the option tunes how the framework works, not what an app does; the page lists it apart */
  readonly machine?: true
}

/** The route side of an option of the app. */
interface RouteSide extends Pick<OptionDetails, 'doc' | 'refuse' | 'throws'> {
  /** the values of the route option, if they differ from those of the app */
  readonly kind?: Kind<unknown>
}

/** Returns the error for an invalid value of a route option; `route` is the label of the route, for the message. */
export type RouteCheck = (given: unknown, name: string, route: string) => CloisterError | null

/** An option that only routes have. */
export interface RouteOptionRow extends Pick<OptionDetails, 'doc' | 'example' | 'throws'> {
  /** the TypeScript type; absent if `types/route.ts` declares it, because it depends on the route's schema */
  readonly type?: string
  /**
   * in Markdown
   *
   * @default 'none'
   */
  readonly default?: string
  /** the replacement */
  readonly deprecated?: string
  readonly check?: RouteCheck
}

/** An option of the factory: the source of its check, its type, its hover text and its row in `docs/options.md`. */
export interface OptionRow<T = unknown> extends OptionDetails {
  readonly kind: Kind<unknown>
  readonly default: T
  /** replaces the default in apps with `strict: true` */
  readonly strict?: T
}

/**
 * A group of options. The generated interface provides names and types, so the compiler compares the type in a row with
 * the result type of its check.
 */
export type OptionRows = { readonly [K in keyof AppOptions]?: OptionRow<AppOptions[K]> }

export function option<T, D extends T | null | undefined>(
  kind: Kind<T>,
  byDefault: D,
  details: OptionDetails & { readonly strict?: NoInfer<T> },
): OptionRow<T | D> {
  return { kind, default: byDefault, ...details }
}

/** @throws `CLO_ERR_INIT_OPTS_INVALID` always */
export function refuseOptions(problem: string): never {
  throw createError('INIT_OPTS_INVALID', { problem })
}

/** Returns the problem text for an invalid option value. */
export function mustBe(name: string, { expected }: Kind<unknown>, given: unknown): string {
  return `'${name}' must be ${expected}, got ${JSON.stringify(given) ?? typeName(given)}`
}
