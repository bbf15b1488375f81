import { ReplyError } from './reply-error.ts'
import type { Arguments, Client, InputOf, OkBodyOf } from './types.ts'
import type { UntypedClient, UntypedInput } from './untyped.ts'

export { ReplyError } from './reply-error.ts'

/** Options of a query for TanStack Query. */
export interface QueryOptions<Name extends string, Data> {
  /** The route, and the params, query and body of the call; they identify the result. */
  readonly queryKey: readonly [route: Name, input: object]
  /** Calls the route; cancelling the query aborts the request. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
}

/** Options of a mutation for TanStack Query. */
export interface MutationOptions<Name extends string, Input, Data> {
  /** The route. */
  readonly mutationKey: readonly [route: Name]
  /** Calls the route. */
  readonly mutationFn: (input: Input) => Promise<Data>
}

/** The data of a query: `null` instead of `undefined`, which a query cannot have. */
export type QueryData<Route> =
  undefined extends OkBodyOf<Route> ? Exclude<OkBodyOf<Route>, undefined> | null : OkBodyOf<Route>

/**
 * Creates the options of a query for TanStack Query: `useQuery(queryOptions(api, 'GET /users'))`.
 *
 * @returns options whose function resolves with the body of a successful response, and rejects with a {@link
 * ReplyError} for all others
 *
 * @example
 * ```ts
 * import { client } from '@cloister/client'
 * import { queryOptions } from '@cloister/client/query'
 *
 * interface Api {
 *   'GET /users': { query?: { page?: number }; replies: { 200: string[] } }
 * }
 *
 * const api = client<Api>('https://api.example.com')
 * const { queryKey } = queryOptions(api, 'GET /users', { query: { page: 2 } })
 * queryKey[0] satisfies 'GET /users'
 * ```
 */
export function queryOptions<Api, Name extends keyof Api & string, Row = Api[Name]>(
  api: Client<Api>,
  route: Name,
  ...[input]: Arguments<Row>
): QueryOptions<Name, QueryData<Row>>
export function queryOptions(api: UntypedClient, route: string, input: UntypedInput = {}): object {
  const { params, query, body } = input
  return {
    queryKey: [route, hashable({ params, query, body })],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      succeed(route, await api(route, { signal, ...input })),
  }
}

/**
 * Creates the options of a mutation for TanStack Query: `useMutation(mutationOptions(api, 'POST /users'))`. Its
 * `mutate` takes the input of the route.
 */
export function mutationOptions<Api, Name extends keyof Api & string, Row = Api[Name]>(
  api: Client<Api>,
  route: Name,
): MutationOptions<Name, InputOf<Row>, QueryData<Row>>
export function mutationOptions(api: UntypedClient, route: string): object {
  return {
    mutationKey: [route],
    mutationFn: async (input: UntypedInput) => succeed(route, await api(route, input)),
  }
}

/** TanStack Query writes keys by `JSON.stringify`, which has no bigints: they become text. */
function hashable(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(hashable)
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hashable(one)])) : value
}

function succeed(route: string, { ok, status, headers, body }: Awaited<ReturnType<UntypedClient>>): unknown {
  if (!ok) throw new ReplyError(route, { status, headers, body })
  return body ?? null
}
