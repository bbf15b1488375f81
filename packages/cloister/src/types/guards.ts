import type { Context, ContextOf, Ctx, InheritedOf, PrefixOf } from './context.ts'
import type { Cloister } from './instance.ts'
import type { Problem } from './problem.ts'
import type { ContextReply, ContextRequest } from './request-of.ts'

/** The stages at which a guard can run: among the hooks of that name, in the order in which both were added. */
export type GuardStage = 'onRequest' | 'preValidation' | 'preHandler'

/** Security schemes by name, each with the scopes that a caller needs (the form of `security` in OpenAPI). */
export interface GuardSecurity {
  readonly [scheme: string]: readonly string[]
}

/** What security schemes are, by name: objects of `components.securitySchemes` in OpenAPI. */
export interface GuardSecuritySchemes {
  readonly [scheme: string]: { readonly type: string; readonly [field: string]: unknown }
}

/**
 * The bodies of a guard's refusals by status (4xx): `'error'` for the error response of the app, as for a thrown error; a
 * schema for a body that the guard sends; `null` for a body that is not stated.
 */
export interface GuardRefusals {
  readonly [status: number]: object | 'error' | null
}

/** Options of `addGuard` that don't depend on its value. */
export interface GuardFacts {
  /**
   * The stage at which it runs, in the order of the hooks of that stage.
   *
   * @default 'onRequest'
   */
  readonly at?: GuardStage
  /**
   * The security schemes that the guard checks, with the scopes that it demands. `app.explain()`, OpenAPI documents and
   * tools of MCP read them.
   *
   * @default the names of `securitySchemes`, without scopes
   */
  readonly security?: GuardSecurity
  /**
   * What its security schemes are, for OpenAPI documents: `{ bearer: { type: 'http', scheme: 'bearer' } }`. A scheme that
   * stands here or in the options of the document needs to be stated once.
   */
  readonly securitySchemes?: GuardSecuritySchemes
  /**
   * The statuses of its refusals, with their bodies where they are stated: `{ 401: 'error', 403: schema }`. OpenAPI
   * documents and the types of clients have them for each route behind the guard. A schema also serializes the body,
   * unless the route itself describes that status.
   *
   * @default what the function declares; otherwise [401, 403] with `security`, or none
   */
  readonly refuses?: readonly number[] | GuardRefusals
  /** Names of guards or request decorations that must exist before it; checked when the app starts. */
  readonly needs?: readonly string[]
}

/** Options of `addGuard`. */
export interface GuardOptions<Value, Request> extends GuardFacts {
  /**
   * Gives back what the guard has taken. It runs once for each value, after the response or the end of the socket, also
   * when the handler fails or the client leaves, and never while a hook, handler or stream of the request runs; values of
   * later guards are given back first. `close()` waits for it. Its errors are logged.
   */
  readonly release?: (value: Value, request: Request) => unknown
}

/** What replies have in common: a guard that returns one has ended the request, and it is no value. */
interface AnyReply {
  readonly sent: boolean
  send(...args: never[]): unknown
}

// A reply is a thenable, so it is left out before a promise is awaited, too.
/** The value of a guard for the handlers behind it. */
export type GuardValue<Result> = Exclude<
  Awaited<Exclude<Result, AnyReply>>,
  AnyReply | null | undefined | void
>

type Unguarded<K extends string, C extends Context> = K extends keyof C['request'] & string
  ? string extends keyof C['request']
    ? unknown
    : Problem<`'${K}' is already on the requests of this context; choose another name`>
  : unknown

type WithValue<Result> = [GuardValue<Result>] extends [never]
  ? Problem<'a guard returns a value for its name, or throws; add a hook to only check'>
  : unknown

/** The value of a guard under its name. A member of an interface has no alias, which the compiler would visit too. */
interface Guarded<K extends string, Value> {
  readonly decoration: { readonly [P in K]: Value }
}

// A guard never hides a name, so an intersection merges it. `extends infer` leaves the context before the guard behind:
// without it, compilers before TypeScript 5.9 visit every earlier context with each route.
type WithGuard<C extends Context, K extends string, Value> = [
  C['app'],
  Guarded<K, Value>['decoration'],
  C['reply'],
  C['schemas'],
  PrefixOf<C>,
  InheritedOf<C>,
] extends [
  infer A extends object,
  infer Q extends object,
  infer R extends object,
  infer S extends object,
  infer Prefix extends string,
  infer Inherited extends string,
]
  ? Ctx<A, C['request'] & Q, R, S, Prefix, Inherited>
  : never

/** The type of `addGuard`. */
export interface AddGuard {
  <T, const K extends string, Result>(
    this: T,
    name: K & Unguarded<K, ContextOf<T>>,
    guard: ((
      this: Cloister<ContextOf<T>>,
      request: ContextRequest<ContextOf<T>>,
      reply: ContextReply<ContextOf<T>>,
    ) => Result) &
      WithValue<Result>,
    options?: GuardOptions<GuardValue<Result>, ContextRequest<ContextOf<T>>>,
  ): Cloister<WithGuard<ContextOf<T>, K, GuardValue<Result>>>
}

/** The method of an instance for guards. */
export interface GuardMembers {
  /**
   * Guards the routes of this context and its children: the function returns a value for requests, or ends the request
   * by an error, thrown or returned, or by replying. Handlers and later hooks read the value as `request[name]`; it is never null there.
   *
   * It runs once for each request, at its stage, in order with the hooks. Other contexts don't see the value: reading it
   * there is a compile error, and `CLO_ERR_GUARD_OUT_OF_CONTEXT` at run time.
   *
   * @throws `CLO_ERR_GUARD_INVALID` for a wrong argument
   * @throws `CLO_ERR_GUARD_TWICE` if requests of this context, of an ancestor or of a child have the name already
   * @throws `CLO_ERR_GUARD_NEEDS`, or `ready` rejects with it, if nothing before it gives a name in `needs`
   * @throws `CLO_ERR_GUARD_NO_VALUE` for a request, if the guard returned nothing and sent no reply
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const app = cloister()
   * app.register(async (scope) => {
   *   const api = scope.addGuard('user', (request) => {
   *     const name = request.headers.authorization
   *     if (name === undefined) throw Object.assign(new Error('sign in'), { statusCode: 401 })
   *     return { name }
   *   })
   *   api.get('/me', (request) => request.user.name)
   * })
   * ```
   */
  readonly addGuard: AddGuard
}
