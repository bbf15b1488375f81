import { typeName } from '../guards.ts'
import type { ErrorName } from '../error-table.ts'
import type { CloisterError } from '../errors.ts'
import type { AppOptions } from './checked-options.generated.ts'

/** The values of an option: its check, its type and both in words. `T` is the type after the check. */
export interface Kind<T> {
  /** the checked value; `undefined` refuses the value that was given */
  readonly read: (given: unknown) => T | undefined
  /** TypeScript, as an application writes the option */
  readonly type: string
  /** TypeScript, after the check */
  readonly checked: string
  /** ends the sentence "must be …" */
  readonly expected: string
  /** of a number */
  readonly unit?: 'milliseconds' | 'bytes' | 'characters' | 'requests' | 'header lines' | 'errors'
  /** the check refuses values that the type admits */
  readonly narrows?: true
}

/** The fields of a row beside kind and default. */
export interface OptionDetails {
  /** hover text and table cell, in Markdown: what the option does, in sentences */
  readonly doc: string
  /**
   * how Fastify 4.x differs: `5.x` for an option that came with that line, `ours`, or a sentence
   *
   * @default 'same'
   */
  readonly fastify4?: string
  /** options that show its use, as an object literal */
  readonly example?: string
  /** where `app.initialConfig` has it: always, when the application gave it, or only in its `routerOptions` */
  readonly shown?: 'always' | 'given' | 'routerOptions'
  /** errors that other modules throw for a wrong value */
  readonly throws?: readonly ErrorName[]
  /** what apps with `strict: true` refuse of what the kind takes: ends the sentence "with 'strict', …" */
  readonly strictProblem?: (value: unknown) => string | null
  /** makes the error of a wrong value, if it is not `INIT_OPTS_INVALID` */
  readonly refuse?: (given: unknown) => CloisterError
  /** routes can set the option, too */
  readonly route?: RouteSide
}

/** An option of the app, as a route sets it. */
export interface RouteSide {
  /** as `doc` of the row */
  readonly doc: string
  /** the values that a route may give, if they are others than those of the app */
  readonly kind?: Kind<unknown>
  /** makes the error of a wrong value, if it is not `ROUTE_OPTION_INVALID` */
  readonly refuse?: (given: unknown) => CloisterError
  /** errors that other modules throw for a wrong value */
  readonly throws?: readonly ErrorName[]
}

/** Returns the error of a value that a route cannot have; `route` is its label, for the message. */
export type RouteCheck = (given: unknown, name: string, route: string) => CloisterError | null

/** An option that routes alone have. */
export interface RouteOptionRow {
  /** TypeScript; absent where the type follows from the schema of the route, and `types/route.ts` has it */
  readonly type?: string
  /**
   * in Markdown
   *
   * @default 'none'
   */
  readonly default?: string
  /** hover text and table cell, in Markdown */
  readonly doc: string
  /** options of a route that show its use, as an object literal */
  readonly example?: string
  /** what to use instead */
  readonly deprecated?: string
  readonly check?: RouteCheck
  /** errors of a wrong value */
  readonly throws?: readonly ErrorName[]
}

/** An option of the factory: everything that the check, the types, the hover texts and `docs/options.md` need. */
export interface OptionRow<T = unknown> extends OptionDetails {
  readonly kind: Kind<unknown>
  readonly default: T
  /** in place of the default, in apps with `strict: true` */
  readonly strict?: T
}

/**
 * Some of the options. The names and types are those of the generated interface, so that the compiler compares the
 * type that a row names with the one that its check returns.
 */
export type OptionRows = { readonly [K in keyof AppOptions]?: OptionRow<AppOptions[K]> }

/** Makes the row of an option. */
export function option<T, D extends T | null | undefined>(
  kind: Kind<T>,
  byDefault: D,
  details: OptionDetails & { readonly strict?: NoInfer<T> },
): OptionRow<T | D> {
  return { kind, default: byDefault, ...details }
}

/** What is wrong with the value of an option. */
export function mustBe(name: string, { expected }: Kind<unknown>, given: unknown): string {
  return `'${name}' must be ${expected}, got ${JSON.stringify(given) ?? typeName(given)}`
}
