import { dependencies } from '../dependencies.ts'

import { isRecord } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import { guardStrategy } from './guard-strategy.ts'
import type { AppOptions } from '../options/app-options.ts'

const { findMyWay } = dependencies

/** What the radix tree answers for a path. */
export interface RadixMatch {
  /** what was stored with the route; `null` for a path that cannot be read */
  readonly store: unknown
  readonly handler: AnyFunction
  readonly params: Record<string, string | undefined>
  /** the raw query string */
  readonly searchParams: unknown
}

/** The part of `find-my-way` that the route table uses. */
export interface RadixRouter {
  on(method: string, path: string, options: object, handler: AnyFunction, store: unknown): void
  off(method: string, path: string, constraints: object): void
  find(method: string, path: string, constraints: unknown): RadixMatch | null
  findRoute(method: string, path: string, constraints: object): { store: unknown; params: string[] } | null
  hasConstraintStrategy(name: string): boolean
  addConstraintStrategy(strategy: object): void
  prettyPrint(options: object): string
  /** from now on paths are matched by generated code */
  compile(): void
  readonly constrainer: {
    deriveConstraints(request: unknown, context: unknown): unknown
    deriveConstraints(
      request: unknown,
      context: unknown,
      done: (error: unknown, constraints: unknown) => void,
    ): void
  }
}

/** What is wrong with a path: it cannot be decoded, or one of its parameters is too long. */
export interface PathReport {
  path: string | null
  isTooLong: boolean
}

function guardAll(strategies: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const guarded = Object.entries(strategies).map(([name, strategy]): [string, unknown] => [
    name,
    isRecord(strategy) ? guardStrategy(strategy) : strategy,
  ])
  return Object.fromEntries(guarded)
}

/**
 * Makes the tree for the router options of an app.
 *
 * @param buildPrettyMeta - what is printed beside a route
 */
export function createRadixRouter(
  options: AppOptions,
  buildPrettyMeta: (route: { readonly store: unknown }) => object = () => ({}),
): RadixRouter {
  const report =
    (isTooLong: boolean) =>
    (path: string, sink: PathReport): void => {
      Object.assign(sink, { path, isTooLong })
    }
  const config: Record<string, unknown> = {
    ignoreTrailingSlash: options.ignoreTrailingSlash,
    ignoreDuplicateSlashes: options.ignoreDuplicateSlashes,
    caseSensitive: options.caseSensitive,
    allowUnsafeRegex: options.allowUnsafeRegex,
    useSemicolonDelimiter: options.useSemicolonDelimiter,
    maxParamLength: options.maxParamLength,
    // The text is kept as it is: the query is parsed when it is first read.
    querystringParser: String,
    onBadUrl: report(false),
    ...(options.onMaxParamLength === null ? {} : { onMaxParamLength: report(true) }),
    buildPrettyMeta: options.buildPrettyMeta ?? buildPrettyMeta,
    ...(options.constraints === null ? {} : { constraints: guardAll(options.constraints) }),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's declarations name neither `constrainer` nor methods as plain strings; this is its border
  return findMyWay(config) as unknown as RadixRouter
}
