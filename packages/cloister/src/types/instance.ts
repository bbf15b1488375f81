import type { AddressInfo } from 'node:net'

import type { ConstraintStrategy, HTTPVersion } from 'find-my-way'
import type { CallbackFunc, Chain, InjectOptions, Response as InjectResponse } from 'light-my-request'

import type { AddContentTypeParser, BodyParser, PoisoningAction } from './content-type.ts'
import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from './compilers.ts'
import type { Context, ContextOf, Ctx, OpenSchemas, WithSchemas, Within } from './context.ts'
import type { DecorateInstance, DecorateReply, DecorateRequest } from './decorate.ts'
import type { CaughtError } from './errors.ts'
import type { ContextHooks, HookName } from './hooks.ts'
import type { BaseLogger, ChildLoggerFactory } from './logger.ts'
import type { ListenOptions } from './listen-options.ts'
import type { ResolvedOptions } from './options.ts'
import type { FastifyInstance, FastifyTypeProvider, RouteShorthandMethod, SafePromiseLike } from './peer.ts'
import type { Register } from './plugin.ts'
import type { Problem } from './problem.ts'
import type { HttpMethod, RawReplyOf, RawRequestOf } from './raw.ts'
import type { CheckShared } from './refs.ts'
import type { ContextReply, ContextRequest } from './request-of.ts'
import type { RouteConstraints } from './route-options.ts'
import type { RouteHandler } from './route.ts'

/**
 * An app, or the instance that a plugin is given, in the context `C`.
 *
 * All members are shared by all instances and read their context from the type they are called on; the decorations
 * of the context stand beside them.
 */
export type Cloister<C extends Context = Ctx> = FastifyInstance & Within<C> & C['app']

/** An instance that can be awaited: the plugins registered so far are loaded then. */
export type LoadingCloister<C extends Context> = Cloister<C> & SafePromiseLike<Cloister<C>>

declare const provider: unique symbol

/** Answers a request that matches no route, with the request and response of Node. */
export type DefaultRoute = (request: RawRequestOf, reply: RawReplyOf) => void

/** Identifies a route: method, URL, constraints. */
export interface RouteQuery {
  /** The path with its prefix, as in `/users/:id`. */
  url: string
  /** The method of the route. */
  method: HttpMethod
  /**
   * The values of its constraints, as in `{ version: '1.2.0' }`.
   *
   * @default {}
   */
  constraints?: RouteConstraints
}

/** A route that `findRoute` returns. */
export interface FoundRoute {
  /** The handler of the route. */
  handler: (...args: never[]) => unknown
  /** The parameters of its path, by name. */
  params: { [name: string]: string | undefined }
  /** The parameters of the query string, by name. */
  searchParams: { [name: string]: string }
}

/** Options of `printRoutes`. */
export interface PrintRoutesOptions {
  /**
   * Prints only the routes of one method.
   *
   * @default all methods
   */
  method?: HttpMethod
  /**
   * Prints what routes carry: `true` for everything, a list for the keys in it.
   *
   * @default false
   */
  includeMeta?: boolean | (string | symbol)[]
  /**
   * Groups routes by the prefix that their paths share; `false` prints each path in full.
   *
   * @default true
   */
  commonPrefix?: boolean
  /**
   * Prints the hooks of each route.
   *
   * @default false
   */
  includeHooks?: boolean
}

// The types of some libraries do not say which `$id` a schema was given: from there on any reference may be known.
type SchemaEntry<S> = S extends { readonly $id: infer Id extends string }
  ? { readonly [K in Id]: S }
  : OpenSchemas
type CheckAdded<S, Schemas> = S extends { readonly $id: infer Id }
  ? Id extends keyof Schemas
    ? string extends keyof Schemas
      ? unknown
      : Problem<`a schema with the $id '${Id & string}' is already shared in this context`>
    : CheckShared<S, Id, Schemas>
  : S extends { readonly $id?: unknown } | LibrarySchema
    ? unknown
    : Problem<'a shared schema needs an $id'>

/** What schemas of TypeBox 1 have in common; their options are not part of their type. */
interface LibrarySchema {
  readonly '~kind': unknown
}

/** The members of every instance, whatever its context. */
export interface CloisterInstance {
  /**
   * The name of the plugin that this instance was created for. Plugins that share the context add theirs:
   * `users -> db`.
   */
  readonly pluginName: string
  /** The path prefix of this context, with those of the contexts above it; empty at the root. */
  readonly prefix: string
  /** The interface version that plugins are checked against (their `fastify` range). */
  readonly version: string
  /** The version of Cloister. */
  readonly cloisterVersion: string
  /** The origin that the app listens at, as in `http://127.0.0.1:3000`; empty before `listen`. */
  readonly listeningOrigin: string
  /** The HTTP methods that routes can have. `addHttpMethod` adds others. */
  readonly supportedMethods: string[]
  /** The options of the app after defaults, frozen; without functions, keys and certificates. */
  readonly initialConfig: ResolvedOptions
  /** The error handler of this context: its own, or the nearest one above. */
  readonly errorHandler: (error: never, request: never, reply: never) => unknown
  /** The function that creates the loggers of requests in this context. */
  readonly childLoggerFactory: ChildLoggerFactory
  /** The validator compiler of this context; `undefined` until the app is ready, if none was set. */
  readonly validatorCompiler: ValidatorCompiler<never> | undefined
  /** The serializer compiler of this context; `undefined` until the app is ready, if none was set. */
  readonly serializerCompiler: SerializerCompiler<never> | undefined

  /**
   * Returns the addresses that the app listens at: objects of address, family and port, or paths of sockets.
   */
  addresses(): (AddressInfo | string)[]
  /**
   * Returns this instance. Types follow schemas without a type provider; code written for Fastify can call
   * it.
   */
  withTypeProvider<Provider extends FastifyTypeProvider, T = FastifyInstance>(
    this: T,
  ): T & { readonly [provider]?: Provider }

  /**
   * Adds a shared schema to this context and its children. Other schemas refer to it as `{ $ref: 'id#' }`.
   *
   * @throws `CLO_ERR_SCH_MISSING_ID` if it has no `$id`, `CLO_ERR_SCH_ALREADY_PRESENT` if this context has
   * another schema with the `$id`
   * @example
   * ```ts
   * app
   *   .addSchema({ $id: 'user', type: 'object', required: ['name'], properties: { name: { type: 'string' } } })
   *   .post('/users', { schema: { body: { $ref: 'user#' } } }, (request) => request.body.name)
   * ```
   */
  addSchema<T, const S extends object>(
    this: T,
    schema: S & CheckAdded<S, ContextOf<T>['schemas']>,
  ): Cloister<WithSchemas<ContextOf<T>, SchemaEntry<S>>>
  /** Returns the shared schema with this `$id`, or `undefined` if this context has none. */
  getSchema<T, const Id extends string>(
    this: T,
    id: Id,
  ): Id extends keyof ContextOf<T>['schemas'] ? ContextOf<T>['schemas'][Id] : unknown
  /** Returns the shared schemas that this context can refer to, by `$id`. */
  getSchemas<T>(this: T): ContextOf<T>['schemas'] & { readonly [id: string]: unknown }

  /**
   * Adds a property to the instance of this context and its children.
   *
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   * @example
   * ```ts
   * const withDb = app.decorate('db', { find: (id: string) => ({ id }) })
   * withDb.db.find('1')
   * ```
   */
  readonly decorate: DecorateInstance<this>
  /**
   * Adds a property to the requests of this context and its children. Each request starts with the value
   * given.
   *
   * @throws `CLO_ERR_DEC_REFERENCE_TYPE` for an object, which all requests would share; decorate with `null`
   * and assign in a hook, or give `{ getter }`
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   */
  readonly decorateRequest: DecorateRequest<this>
  /**
   * Adds a property to the replies of this context and its children. Each reply starts with the value given.
   *
   * @throws `CLO_ERR_DEC_REFERENCE_TYPE` for an object, which all replies would share; decorate with `null`
   * and assign in a hook, or give `{ getter }`
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   */
  readonly decorateReply: DecorateReply<this>
  /**
   * Returns a decoration of the instance by name.
   *
   * @throws `CLO_ERR_DEC_UNDECLARED` if the instance has none of this name
   */
  getDecorator<T>(name: string | symbol): T
  /** Whether the instance has a decoration of this name. */
  hasDecorator(name: string | symbol): boolean
  /** Whether the requests of this context have a decoration of this name. */
  hasRequestDecorator(name: string | symbol): boolean
  /** Whether the replies of this context have a decoration of this name. */
  hasReplyDecorator(name: string | symbol): boolean

  /**
   * Registers a plugin. It gets a child context, unless it is wrapped to share this one. It loads before
   * `ready` and `listen` complete, in the order of registration, within `pluginTimeout`.
   *
   * @throws `CLO_ERR_PLUGIN_NOT_VALID`, `CLO_ERR_ROOT_PLG_BOOTED` after boot; errors of the plugin itself
   * reject `after`, `ready` and `listen`
   * @example
   * ```ts
   * app.register(async (users) => { users.get('/', () => []) }, { prefix: '/users' })
   * ```
   */
  readonly register: Register
  /** Whether a plugin of this name is registered in this context or above it. */
  hasPlugin(name: string): boolean
  /**
   * Loads the plugins registered so far; resolves once they are loaded.
   *
   * @throws the error of a plugin, `CLO_ERR_PLUGIN_TIMEOUT`
   */
  after<T>(this: T): T & SafePromiseLike<T>
  /** Calls back once the plugins registered so far are loaded, with the error of one that failed. */
  after<T>(this: T, listener: (error: Error | null) => void): T
  /**
   * Loads all plugins, compiles the routes and runs `onReady` hooks; resolves once the app can serve
   * requests. Afterwards no routes, hooks or plugins can be added.
   *
   * @throws the error of a plugin or route, `CLO_ERR_PLUGIN_TIMEOUT`, `CLO_ERR_HOOK_TIMEOUT`
   */
  ready<T>(this: T): T & SafePromiseLike<T>
  /** Calls back once the app can serve requests, with the error of a boot that failed. */
  ready<T>(this: T, listener: (error: Error | null) => void | Promise<void>): T

  /**
   * Boots the app and listens; resolves to the address, as in `http://127.0.0.1:3000`.
   *
   * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID`, `CLO_ERR_REOPENED_SERVER`, `CLO_ERR_REOPENED_CLOSE_SERVER`,
   * errors of Node such as `EADDRINUSE`
   * @example
   * ```ts
   * await app.listen({ port: 3000, host: '0.0.0.0' })
   * ```
   */
  listen(options?: ListenOptions): Promise<string>
  /** Boots the app and listens; calls back with the error or the address. */
  listen(options: ListenOptions, callback: (error: Error | null, address: string) => void): void
  /** Boots the app, listens on any free port of `localhost` and calls back with the error or the address. */
  listen(callback: (error: Error | null, address: string) => void): void
  /**
   * Boots the app and listens, with the arguments of Fastify 4.x: port, host, backlog, callback. Prefer the
   * options.
   */
  listen(port: number | string, callback: (error: Error | null, address: string) => void): void
  listen(port: number | string, host: string, callback: (error: Error | null, address: string) => void): void
  listen(
    port: number | string,
    host: string,
    backlog: number,
    callback: (error: Error | null, address: string) => void,
  ): void
  listen(port: number | string, host?: string, backlog?: number): Promise<string>
  /**
   * Closes the app: runs `preClose`, stops listening, waits up to `closeGraceMs` for open requests, and runs
   * `onClose` from the last plugin to the first.
   */
  close(): Promise<undefined>
  /** Closes the app and calls back. */
  close(listener: () => void): undefined
  /** Closes the app at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<undefined>

  /**
   * Sends a request to the app without a socket, and boots the app first.
   *
   * @example
   * ```ts
   * const response = await app.inject({ method: 'POST', url: '/users', payload: { name: 'Ada' } })
   * console.log(response.statusCode, response.json())
   * ```
   */
  inject(options: InjectOptions | string): Promise<InjectResponse>
  inject(options: InjectOptions | string, callback: CallbackFunc): void
  inject(): Chain

  /** Defines a GET route. */
  readonly get: RouteShorthandMethod
  /** Defines a HEAD route. */
  readonly head: RouteShorthandMethod
  /** Defines a POST route. */
  readonly post: RouteShorthandMethod
  /** Defines a PUT route. */
  readonly put: RouteShorthandMethod
  /** Defines a DELETE route. */
  readonly delete: RouteShorthandMethod
  /** Defines an OPTIONS route. */
  readonly options: RouteShorthandMethod
  /** Defines a PATCH route. */
  readonly patch: RouteShorthandMethod
  /** Defines a TRACE route. */
  readonly trace: RouteShorthandMethod
  /** Defines a QUERY route. */
  readonly query: RouteShorthandMethod
  /** Defines a PROPFIND route. */
  readonly propfind: RouteShorthandMethod
  /** Defines a PROPPATCH route. */
  readonly proppatch: RouteShorthandMethod
  /** Defines a MKCALENDAR route. */
  readonly mkcalendar: RouteShorthandMethod
  /** Defines a MKCOL route. */
  readonly mkcol: RouteShorthandMethod
  /** Defines a COPY route. */
  readonly copy: RouteShorthandMethod
  /** Defines a MOVE route. */
  readonly move: RouteShorthandMethod
  /** Defines a LOCK route. */
  readonly lock: RouteShorthandMethod
  /** Defines an UNLOCK route. */
  readonly unlock: RouteShorthandMethod
  /** Defines a SEARCH route. */
  readonly search: RouteShorthandMethod
  /** Defines a REPORT route. */
  readonly report: RouteShorthandMethod
  /** Defines a route of every supported method. */
  readonly all: RouteShorthandMethod
  /** Whether a route with this method, URL and constraints is defined. */
  hasRoute(route: RouteQuery): boolean
  /**
   * Returns the route with this method, URL and constraints, as the router stores it; `null` if there is
   * none.
   */
  findRoute(route: RouteQuery): FoundRoute | null
  /** Returns the function set by `setDefaultRoute` or the option `defaultRoute`. */
  getDefaultRoute(): DefaultRoute | undefined
  /**
   * Sets a function that answers requests without a route, with the request and response of Node, before
   * hooks. Prefer `setNotFoundHandler`.
   *
   * @throws `CLO_ERR_DEFAULT_ROUTE_INVALID_TYPE`
   */
  setDefaultRoute(route: DefaultRoute): void
  /**
   * Adds an HTTP method that routes can have. With `hasBody`, its requests can have a body.
   *
   * @throws `CLO_ERR_ROUTE_METHOD_INVALID` if the HTTP parser of Node does not accept the method
   */
  addHttpMethod<T>(this: T, method: string, options?: { hasBody?: boolean; overrideExisting?: boolean }): T
  /** Adds a constraint strategy, which chooses between routes with the same path. */
  addConstraintStrategy(strategy: ConstraintStrategy<HTTPVersion, unknown>): void
  /** Whether there is a constraint strategy of this name. */
  hasConstraintStrategy(name: string): boolean

  /**
   * Adds a hook to this context and its children. It runs for routes that are defined later too. A hook is
   * asynchronous, or calls `done`; not both.
   *
   * @throws `CLO_ERR_HOOK_NOT_SUPPORTED` (with the nearest name), `CLO_ERR_HOOK_INVALID_HANDLER`,
   * `CLO_ERR_HOOK_INVALID_ASYNC_HANDLER`
   * @example
   * ```ts
   * app.addHook('onRequest', async (request, reply) => {
   *   if (request.headers.authorization === undefined) await reply.code(401).send()
   * })
   * ```
   */
  addHook<T, const Name extends HookName>(this: T, name: Name, hook: ContextHooks<ContextOf<T>>[Name]): T

  /**
   * Sets the handler of requests that match no route, for the prefix of this context.
   *
   * @throws `CLO_ERR_NOT_FOUND_HANDLER_ALREADY_SET` if the prefix has one
   */
  setNotFoundHandler<T>(this: T, handler: RouteHandler<ContextOf<T>>): T
  setNotFoundHandler<T>(
    this: T,
    options: Pick<
      Partial<{
        [K in 'preValidation' | 'preHandler']: ContextHooks<ContextOf<T>>[K] | ContextHooks<ContextOf<T>>[K][]
      }>,
      'preValidation' | 'preHandler'
    >,
    handler: RouteHandler<ContextOf<T>>,
  ): T
  /**
   * Sets the error handler of this context and its children. It answers errors of hooks, parsing,
   * validation, handlers and serialization; an error that it throws goes to the handler above.
   *
   * @throws `CLO_ERR_ERROR_HANDLER_NOT_FN`, `CLO_ERR_ERROR_HANDLER_ALREADY_SET` if
   * `allowErrorHandlerOverride` is `false`
   * @example
   * ```ts
   * app.setErrorHandler((error, request, reply) => {
   *   request.log.error(error)
   *   return reply.code(error.statusCode ?? 500).send({ message: error.message })
   * })
   * ```
   */
  setErrorHandler<E extends Error = CaughtError, T = FastifyInstance>(
    this: T,
    handler: (
      this: Cloister<ContextOf<T>>,
      error: E,
      request: ContextRequest<ContextOf<T>>,
      reply: ContextReply<ContextOf<T>>,
    ) => unknown,
  ): T
  /**
   * Sets the function that generates the request id (`request.id`).
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setGenReqId<T>(this: T, make: (request: RawRequestOf) => string): T
  /**
   * Sets the function that creates the logger of a request, for this context and its children.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setChildLoggerFactory<T>(this: T, factory: ChildLoggerFactory<Cloister<ContextOf<T>>>): T
  /**
   * Sets the compiler that turns request schemas into validators, for this context and its children. A
   * validator returns a boolean, `{ value }` or `{ error }`.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setValidatorCompiler<Schema = unknown, T = FastifyInstance>(this: T, compiler: ValidatorCompiler<Schema>): T
  /**
   * Sets the compiler that turns response schemas into serializers, for this context and its children. A
   * serializer returns a string.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setSerializerCompiler<Schema = unknown, T = FastifyInstance>(
    this: T,
    compiler: SerializerCompiler<Schema>,
  ): T
  /**
   * Replaces the store of shared schemas and the compiler factories of this context and its children.
   *
   * @throws `CLO_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN`
   */
  setSchemaController<T>(this: T, options: SchemaControllerOptions): T
  /**
   * Sets the function that serializes every payload of this context, in place of response schemas and
   * `JSON.stringify`.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setReplySerializer<T>(this: T, serialize: (payload: unknown, statusCode: number) => string): T
  /**
   * Sets the function that creates the error of a failed validation, for this context and its children. It
   * must not be asynchronous.
   *
   * @throws `CLO_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN`
   */
  setSchemaErrorFormatter<T>(this: T, formatter: SchemaErrorFormatter<Cloister<ContextOf<T>>>): T

  /**
   * Adds a body parser for media types to this context and its children. With `parseAs` the framework reads
   * the body, up to `bodyLimit`; without it the parser gets the stream.
   *
   * @throws `CLO_ERR_CTP_ALREADY_PRESENT`, `CLO_ERR_CTP_INVALID_TYPE`, `CLO_ERR_CTP_EMPTY_TYPE`,
   * `CLO_ERR_CTP_INVALID_HANDLER`, `CLO_ERR_CTP_INVALID_PARSE_TYPE`
   * @example
   * ```ts
   * app.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request, body) => body.split('\n'))
   * ```
   */
  readonly addContentTypeParser: AddContentTypeParser
  /** Whether this context has a body parser for a media type. */
  hasContentTypeParser(contentType: string | RegExp): boolean
  /** Removes body parsers from this context. */
  removeContentTypeParser(contentType: string | RegExp | readonly (string | RegExp)[]): void
  /** Removes all body parsers from this context, those of the framework included. */
  removeAllContentTypeParsers(): void
  /** Returns the JSON parser of the framework, with these actions on keys that could poison a prototype. */
  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): BodyParser<string>
  /** The plain text parser of the framework. */
  readonly defaultTextParser: BodyParser<string>

  /**
   * Answers a request of the web platform (WHATWG Fetch): for `Bun.serve`, `Deno.serve`, workers, edge functions, and
   * for tests. The app boots with the first request. Works detached. With settings: `toFetch` of `cloister/fetch`.
   *
   * @param platform - what the platform hands over; the client's address is found in what Bun and Deno give
   * @returns a promise of the response; it rejects with what failed the boot, and when the signal of the request is
   * aborted before the response has begun
   * @example
   * ```ts
   * const response = await app.fetch(new Request('http://localhost/books/7'))
   * ```
   */
  readonly fetch: (request: Request, ...platform: readonly unknown[]) => Promise<Response>
  /** Handles a request of Node. Use it as the listener of a server of your own, after `ready`. */
  routing(request: RawRequestOf, response: RawReplyOf): void
  /** Returns the routes as a tree, in text. */
  printRoutes(options?: PrintRoutesOptions): string
  /** Returns the plugins as a tree, in text, with the time that each took to load, in milliseconds. */
  printPlugins(): string
  /** The logger of the app; it discards everything if `logger` is off. */
  readonly log: BaseLogger
}
