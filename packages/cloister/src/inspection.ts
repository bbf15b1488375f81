import './features/inspect.ts'
import './features/observers.ts'
import { assertOpen } from './boot/seal.ts'
import { appOf, type CloisterApp } from './app/cloister-app.ts'
import { CallSite } from './call-site.ts'
import { exactText } from './body/exact/exact-text.ts'
import { Context } from './context/context.ts'
import { createError } from './errors.ts'
import type { RequestHeaders } from './exchange/exchange.ts'
import { headerText } from './exchange/message-head.ts'
import { recordOf, typeName } from './guards.ts'
import { readRoutes, type InspectedRoute, type SchemaGap } from './inspect/inspect-routes.ts'
import { pairsOf as pairsIn } from './request/cookies.ts'
import { acceptsProblem } from './request/errors/problem.ts'
import { RequestImpl } from './request/request.ts'
import { kContext, kExchange, kMembers, kPlan, kState } from './symbols.ts'
import type { CloisterInstance } from './types/instance.ts'
import type { HeaderChoice, ObservedRequest, ObservedRoute, StartObserver } from './types/observers.ts'

export type { InspectedRoute, SchemaGap }
export type * from './types/observers.ts'

/**
 * Reads the routes of an app with their schemas, for tools that generate documents or code from them. `app.explain()`
 * describes everything else as JSON.
 *
 * @param app - an app that is ready
 * @returns the routes in the order of their definition, including the HEAD routes that the framework adds
 * @throws `CLO_ERR_INSPECT_APP_INVALID` if `app` is not an app
 * @throws `CLO_ERR_EXPLAIN_NOT_READY` before the app is ready
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { inspectRoutes } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.get('/', { schema: { response: { 200: { type: 'string' } } } }, () => 'hello')
 * await app.ready()
 * for (const { description, schema } of inspectRoutes(app)) {
 *   app.log.info(`${description.method} ${description.url}: ${schema.response?.size ?? 0} statuses`)
 * }
 * ```
 */
export function inspectRoutes(app: Pick<CloisterInstance, 'ready'>): readonly InspectedRoute[] {
  return Object.freeze(readRoutes(inspected(app, 'inspectRoutes')))
}

/**
 * Returns an app with the members of the framework only, for tools that are to work with every app: plugins may use names
 * such as `explain`, which no version of Fastify has, for decorators.
 *
 * @param app - an app, or a plugin's instance of it; also of another copy of the framework
 * @throws `CLO_ERR_INSPECT_APP_INVALID` if `app` is not an app
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { membersOf } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.decorate('explain', 'of a plugin')
 * await app.ready()
 * console.log(membersOf(app).explain().contexts)
 * ```
 */
export function membersOf(app: Pick<CloisterInstance, 'ready'>): CloisterInstance {
  const members: unknown = Reflect.get(app, kMembers)
  if (isInstance(members)) return members
  throw createError('INSPECT_APP_INVALID', { caller: 'membersOf', got: typeName(app) })
}

function isInstance(value: unknown): value is CloisterInstance {
  return typeof value === 'object' && value !== null && 'ready' in value
}

/** A route that an app has so far. */
export interface DefinedRoute {
  /** The method. */
  readonly method: string
  /** The path, with the prefix of its context. */
  readonly url: string
  /** Where it was defined: file, line and column. */
  readonly callSite: string
  /** Its options: the object that its `onRoute` hooks got. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Returns the routes that an instance and the contexts below have so far, for plugins that prepare routes in an `onRoute`
 * hook: it does not run for these.
 *
 * @param app - an app that may still be loading, or a plugin's instance of it
 * @throws `CLO_ERR_INSPECT_APP_INVALID` if `app` is not an app
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { definedRoutes } from 'cloister/inspect'
 *
 * const app = cloister({ exposeHeadRoutes: false })
 * app.get('/books', () => [])
 * const [route] = definedRoutes(app) // { method: 'GET', url: '/books', callSite: … }
 * app.log.info(route?.url)
 * ```
 */
export function definedRoutes(app: Pick<CloisterInstance, 'ready'>): readonly DefinedRoute[] {
  const { records } = inspected(app, 'definedRoutes').routes
  const own: unknown = Reflect.get(app, kContext)
  return records
    .filter(({ context }) => context.lineage().some((one) => one === own))
    .map(({ method, url, callSite, options }) => ({ method, url, callSite: callSite.toString(), options }))
}

/**
 * Calls a function at the start of each stage of each request, and at the start of each hook, for development tools. A
 * second call replaces the function. An app without an observer has no overhead.
 *
 * @param app - an app that is still loading, or a plugin's instance of it
 * @param observe - gets the name of the stage, such as `preHandler` or `serialize`, the request, and the function name
 * of the hook: empty for an anonymous function, `undefined` at the start of the stage itself
 * @throws `CLO_ERR_INSPECT_APP_INVALID` if `app` is not an app
 * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING` when the app is ready
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { observeStages } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.get('/', () => 'hello')
 * observeStages(app, (stage, request) => console.log(request.id, stage)) // req-1 handler …
 * await app.inject('/')
 * ```
 */
export function observeStages(
  app: Pick<CloisterInstance, 'ready'>,
  observe: (stage: string, request: ObservedRequest, hook?: string) => void,
): void {
  const observed = inspected(app, 'observeStages')
  assertOpen(observed, 'observe the stages of requests')
  observed.stageObserver = observe
}

/** Options of `observeRequests`. */
export interface ObserveOptions {
  /**
   * Calls the hooks of the routes through the member `hook` of the observers.
   *
   * @default false
   */
  readonly hooks?: boolean
}

/**
 * Observes the requests of a context and its children, for tracers: from before the first hook to the end of the
 * exchange, on every transport. A child context may have another observer. A second call in one context replaces the
 * first. Routes without an observer have no overhead.
 *
 * @param app - an app that is still loading, or a plugin's instance of it
 * @param observe - called once for each route during the boot; returns what starts to observe a request of it, or
 * `null`
 * @throws `CLO_ERR_INSPECT_APP_INVALID` if `app` is not an app
 * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING` when the app is ready
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { observeRequests } from 'cloister/inspect'
 *
 * const app = cloister()
 * observeRequests(app, ({ url }) => (request, reply) => ({
 *   logFields: null,
 *   within: (run) => run(),
 *   failed: (error) => console.error(error),
 *   ended: () => console.log(request.method, url, reply.statusCode),
 *   hook: (_hook, call, done) => call(done),
 * }))
 * app.get('/users/:id', () => 'a user')
 * await app.inject('/users/7') // GET /users/:id 200
 * ```
 */
export function observeRequests(
  app: Pick<CloisterInstance, 'ready'>,
  observe: (route: ObservedRoute) => StartObserver | null,
  { hooks = false }: ObserveOptions = {},
): void {
  const observed = inspected(app, 'observeRequests')
  assertOpen(observed, 'observe requests')
  observed.requestObservers.add(contextOf(app, observed), { observe, hooks })
}

/**
 * Decides headers of all responses of routes at boot: security headers, what depends on the route alone, and what
 * depends on one field of the request. They are checked and composed once, and cost a request less than a hook that
 * sets them. Responses to HEAD, of errors and of not-found handlers have them too; `reply.getHeaders()` shows them,
 * `reply.header` replaces one (`Vary` is merged) and `reply.removeHeader` removes it. A child context adds to them.
 *
 * @param app - an app that is still loading, or a plugin's instance of it
 * @param choose - called once for each route during the boot, and with `url: null` for requests that reach no route;
 * returns the headers, or `null`
 * @throws `CLO_ERR_INSPECT_APP_INVALID` if `app` is not an app
 * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING` when the app is ready
 * @throws `CLO_ERR_PRESET_HEADER_INVALID` during the boot, for a field that is none or that each response decides, such
 * as `content-type`
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { presetHeaders } from 'cloister/inspect'
 *
 * const app = cloister()
 * presetHeaders(app, ({ url }) => ({
 *   fields: { 'x-content-type-options': 'nosniff', 'x-route': url ?? 'none' },
 * }))
 * app.get('/books', () => [])
 * await app.inject('/books') // x-content-type-options: nosniff, x-route: /books
 * ```
 */
export function presetHeaders(
  app: Pick<CloisterInstance, 'ready'>,
  choose: (route: ObservedRoute) => HeaderChoice | null,
): void {
  const observed = inspected(app, 'presetHeaders')
  assertOpen(observed, 'preset headers')
  const callSite = new CallSite(presetHeaders, observed.queue.loadingPlugin)
  observed.headerPresets.add(contextOf(app, observed), { choose, callSite })
}

/** The facts about a request that come from its connection. Proxies can't change them, even with `trustProxy`. */
export interface RequestConnection {
  /** Address of the client or proxy, if the platform provides one. */
  readonly address: string | undefined
  /** Whether the connection is encrypted. */
  readonly isEncrypted: boolean
  /** The `Host` field, or `:authority` in HTTP/2, with its port. */
  readonly host: string | undefined
  /** Names (in lower case) and values of the header fields as they arrived, before any hook changed them. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/**
 * Reads where a request really comes from. `request.ip`, `request.host` and `request.protocol` use the headers of
 * trusted proxies; this function ignores those headers.
 *
 * @param request - a request from a hook, a handler or `observeStages`
 * @throws `CLO_ERR_INSPECT_REQUEST_INVALID` for any other value
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { connectionOf } from 'cloister/inspect'
 *
 * const app = cloister({ trustProxy: true })
 * app.get('/', (request) => connectionOf(request).address ?? 'unknown')
 * await app.inject({ url: '/', headers: { 'x-forwarded-for': '10.0.0.7' } }) // 127.0.0.1
 * ```
 */
export function connectionOf(request: object): RequestConnection {
  const { peer, headerLines, headers } = ownRequest(request, 'connectionOf')[kExchange]
  const fields = headerLines.length > 0 ? pairsOf(headerLines) : entriesOf(headers)
  const host = fields.find(([name]) => name === 'host') ?? fields.find(([name]) => name === ':authority')
  return { address: peer.address, isEncrypted: peer.isEncrypted, host: host?.[1], fields }
}

/**
 * Returns whether an error response to a request is problem details, by the option `problemDetails` and the `Accept`
 * header, for plugins that write refusals themselves.
 *
 * @param request - a request from a hook or a handler
 * @throws `CLO_ERR_INSPECT_REQUEST_INVALID` for any other value
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { wantsProblem } from 'cloister/inspect'
 *
 * const app = cloister({ problemDetails: 'accepted' })
 * app.get('/', (request) => wantsProblem(request))
 * await app.inject({ url: '/', headers: { accept: 'application/json' } }) // false
 * ```
 */
export function wantsProblem(request: object): boolean {
  const { [kPlan]: plan, [kExchange]: exchange } = ownRequest(request, 'wantsProblem')
  return acceptsProblem(plan.app.options.problemDetails, exchange.header('accept'))
}

/**
 * Returns one header of a request, as `request.headers` has it. Until something reads `request.headers`, this finds the
 * line in the head, and creates no object of all headers.
 *
 * @param request - a request from a hook or a handler
 * @param name - the name of the header, in lower case
 * @returns the value, with several lines joined as in `request.headers`, a list with commas
 * @throws `CLO_ERR_INSPECT_REQUEST_INVALID` for any other value
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { headerOf } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.get('/', (request) => headerOf(request, 'accept-language') ?? 'en')
 * await app.inject({ url: '/', headers: { 'accept-language': 'de' } }) // de
 * ```
 */
export function headerOf(request: object, name: string): string | undefined {
  const { [kState]: state, [kExchange]: exchange } = ownRequest(request, 'headerOf')
  return state.headers === null ? exchange.header(name) : headerText(state.headers, name)
}

/**
 * Returns the methods that have a route for the path of a request, for plugins that respond to `OPTIONS`.
 *
 * @param request - a request from a hook or a handler
 * @returns in the order of definition; empty if the path has no route
 * @throws `CLO_ERR_INSPECT_REQUEST_INVALID` for any other value
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { allowedMethods } from 'cloister/inspect'
 *
 * const app = cloister({ exposeHeadRoutes: false })
 * app.get('/books', () => [])
 * app.setNotFoundHandler((request) => allowedMethods(request))
 * await app.inject({ method: 'DELETE', url: '/books' }) // ["GET"]
 * ```
 */
export function allowedMethods(request: object): readonly string[] {
  const { [kPlan]: plan, [kExchange]: exchange } = ownRequest(request, 'allowedMethods')
  return plan.app.routes.methodsFor(exchange)
}

/**
 * Returns the option `config` of the route that the path of a request has for a method, for plugins that respond to
 * preflights.
 *
 * @param request - a request from a hook or a handler
 * @returns `null` if the path has no such route
 * @throws `CLO_ERR_INSPECT_REQUEST_INVALID` for any other value
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { configFor } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.put('/books', { config: { cost: 2 } }, () => 'ok')
 * app.options('/books', (request) => ({ put: configFor(request, 'PUT') }))
 * await app.inject({ method: 'OPTIONS', url: '/books' }) // {"put":{"cost":2}}
 * ```
 */
export function configFor(request: object, method: string): Readonly<Record<PropertyKey, unknown>> | null {
  const { [kPlan]: plan, [kExchange]: exchange } = ownRequest(request, 'configFor')
  const match = plan.app.routes.findFor(method, exchange)
  if (match === null) return null
  const config: unknown = Reflect.get(match.stored.options, 'config')
  return recordOf(config)
}

/**
 * Returns the cookies of a request, by name: those that the schema of its route declares, or all if there is no schema.
 * Percent-encoded values are decoded. Of a name that was sent twice, this is the first value.
 *
 * @param request - a request from a hook or a handler
 * @throws `CLO_ERR_INSPECT_REQUEST_INVALID` for any other value
 * @throws `CLO_ERR_INPUT_INEXACT` for a declared name that was sent twice, if the option `duplicateNames` is `'refuse'`
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { cookiesOf } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.get('/', (request) => cookiesOf(request).get('theme') ?? 'light')
 * await app.inject({ url: '/', headers: { cookie: 'theme=dark' } }) // dark
 * ```
 */
export function cookiesOf(request: object): ReadonlyMap<string, string> {
  const own = ownRequest(request, 'cookiesOf')
  const declared = own[kPlan].validators?.readCookies?.(own)
  if (declared === undefined) return new Map(pairsIn(own[kExchange].header('cookie') ?? '').toReversed())
  return new Map(Object.entries(recordOf(declared)).map(([name, value]) => [name, String(value)]))
}

/**
 * Returns the JSON text of a member of a request's body, for plugins that send it on. In an app with
 * `integers: 'bigint'`, its numbers are written as the client wrote them; otherwise it is the text of `JSON.stringify`.
 *
 * @param request - the request
 * @param holder - the object or list in its body
 * @param key - the name or index in it
 * @returns `undefined` if there is no such member
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { jsonTextOf } from 'cloister/inspect'
 *
 * const app = cloister({ integers: 'bigint' })
 * const body = { type: 'object', required: ['order'], properties: { order: { type: 'object' } } } as const
 * app.post('/', { schema: { body } }, (request) => jsonTextOf(request, request.body, 'order') ?? 'null')
 * ```
 */
export function jsonTextOf(request: object, holder: object, key: string | number): string | undefined {
  const { literals } = ownRequest(request, 'jsonTextOf')[kPlan].app.exact
  if (literals !== null) return exactText(holder, key, literals)
  return JSON.stringify(Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined)
}

/**
 * Returns the file and line of the user's code that has called a function of a plugin, for its errors.
 *
 * @param called - the function that was called
 * @returns `an unknown file` if the platform does not say it
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { callSiteOf } from 'cloister/inspect'
 *
 * const app = cloister().decorate('job', function job(name: string) {
 *   if (name === '') throw new Error(`a job needs a name (${callSiteOf(job)})`)
 * })
 * app.job('clean up')
 * ```
 */
export function callSiteOf(called: (...args: never[]) => unknown): string {
  return new CallSite(called).toString()
}

function contextOf(instance: object, { root }: CloisterApp): Context {
  const context: unknown = Reflect.get(instance, kContext)
  return context instanceof Context ? context : root
}

function ownRequest(request: object, caller: string): RequestImpl {
  if (request instanceof RequestImpl) return request
  throw createError('INSPECT_REQUEST_INVALID', { caller, got: typeName(request) })
}

type Field = readonly [name: string, value: string]

function pairsOf(lines: readonly string[]): Field[] {
  const fields: Field[] = []
  for (let i = 0; i < lines.length; i += 2) fields.push([(lines[i] ?? '').toLowerCase(), lines[i + 1] ?? ''])
  return fields
}

function entriesOf(headers: RequestHeaders): Field[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((line): Field => [name.toLowerCase(), line]),
  )
}

function inspected(app: object, caller: string): CloisterApp {
  return appOf(app, (got) => createError('INSPECT_APP_INVALID', { caller, got }))
}
