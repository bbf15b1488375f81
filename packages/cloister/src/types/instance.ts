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

/** Answers with the raw objects of the server when no route matches. */
export type DefaultRoute = (request: RawRequestOf, reply: RawReplyOf) => void

/** What a route's place is asked for by. */
export interface RouteQuery {
  /** Path with prefix. */
  url: string
  /** Method. */
  method: HttpMethod
  /** Conditions beside method and path. */
  constraints?: RouteConstraints
}

/** A route that was found. */
export interface FoundRoute {
  /** The handler of the route. */
  handler: (...args: never[]) => unknown
  /** Parameters of its path, by name. */
  params: { [name: string]: string | undefined }
  /** Parameters of its query string. */
  searchParams: { [name: string]: string }
}

/** How routes are printed. */
export interface PrintRoutesOptions {
  /** Only those of a method. */
  method?: HttpMethod
  /** With what routes carry: all of it, or the keys given. */
  includeMeta?: boolean | (string | symbol)[]
  /** Gathers routes with the same start. */
  commonPrefix?: boolean
  /** With hooks. */
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
  /** Name of the plugin that the instance was made for. */
  readonly pluginName: string
  /** Path prefix of the context. */
  readonly prefix: string
  /** Interface level that plugins test for. */
  readonly version: string
  /** Version of Cloister. */
  readonly cloisterVersion: string
  /** Where the app listens, as an origin. */
  readonly listeningOrigin: string
  /** Methods that routes may have. */
  readonly supportedMethods: string[]
  /** The options the app was made with, frozen. */
  readonly initialConfig: ResolvedOptions
  /** The error handler in charge of this context. */
  readonly errorHandler: (error: never, request: never, reply: never) => unknown
  /** Makes the loggers of requests. */
  readonly childLoggerFactory: ChildLoggerFactory
  /** The validator compiler in charge of this context. */
  readonly validatorCompiler: ValidatorCompiler<never> | undefined
  /** The serializer compiler in charge of this context. */
  readonly serializerCompiler: SerializerCompiler<never> | undefined

  /** Addresses the app listens at. */
  addresses(): (AddressInfo | string)[]
  /** Does nothing but keep code of other frameworks going: types follow schemas without a provider. */
  withTypeProvider<Provider extends FastifyTypeProvider, T = FastifyInstance>(
    this: T,
  ): T & { readonly [provider]?: Provider }

  /** Shares a schema in this context and those below. */
  addSchema<T, const S extends object>(
    this: T,
    schema: S & CheckAdded<S, ContextOf<T>['schemas']>,
  ): Cloister<WithSchemas<ContextOf<T>, SchemaEntry<S>>>
  /** A shared schema by its `$id`. */
  getSchema<T, const Id extends string>(
    this: T,
    id: Id,
  ): Id extends keyof ContextOf<T>['schemas'] ? ContextOf<T>['schemas'][Id] : unknown
  /** The shared schemas that this context sees. */
  getSchemas<T>(this: T): ContextOf<T>['schemas'] & { readonly [id: string]: unknown }

  /** Adds a property to the instance of this context and those below. */
  readonly decorate: DecorateInstance<this>
  /** Adds a property to the requests of this context and those below. */
  readonly decorateRequest: DecorateRequest<this>
  /** Adds a property to the replies of this context and those below. */
  readonly decorateReply: DecorateReply<this>
  /** A decoration by name; an error when nobody declared it. */
  getDecorator<T>(name: string | symbol): T
  /** Whether the instance has a decoration. */
  hasDecorator(name: string | symbol): boolean
  /** Whether requests have a decoration. */
  hasRequestDecorator(name: string | symbol): boolean
  /** Whether replies have a decoration. */
  hasReplyDecorator(name: string | symbol): boolean

  /** Registers a plugin. */
  readonly register: Register
  /** Whether a plugin of this name is registered here or above. */
  hasPlugin(name: string): boolean
  /** Loads what was registered so far; awaitable. */
  after<T>(this: T): T & SafePromiseLike<T>
  /** Calls back when what was registered so far is loaded. */
  after<T>(this: T, listener: (error: Error | null) => void): T
  /** Loads all plugins and seals the app; awaitable. */
  ready<T>(this: T): T & SafePromiseLike<T>
  /** Calls back when all plugins are loaded. */
  ready<T>(this: T, listener: (error: Error | null) => void | Promise<void>): T

  /** Listens; resolves to the address. */
  listen(options?: ListenOptions): Promise<string>
  /** Listens, and calls back with the address. */
  listen(options: ListenOptions, callback: (error: Error | null, address: string) => void): void
  /** Listens on any port, and calls back with the address. */
  listen(callback: (error: Error | null, address: string) => void): void
  /** Listens, with the arguments in a row. */
  listen(port: number | string, callback: (error: Error | null, address: string) => void): void
  listen(port: number | string, host: string, callback: (error: Error | null, address: string) => void): void
  listen(
    port: number | string,
    host: string,
    backlog: number,
    callback: (error: Error | null, address: string) => void,
  ): void
  listen(port: number | string, host?: string, backlog?: number): Promise<string>
  /** Stops listening, waits for the requests under way, and closes plugins in reverse order. */
  close(): Promise<undefined>
  /** Closes, and calls back. */
  close(listener: () => void): undefined
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<undefined>

  /** Calls the app without a socket. */
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
  /** Defines a route of every method. */
  readonly all: RouteShorthandMethod
  /** Whether a route is defined. */
  hasRoute(route: RouteQuery): boolean
  /** A route, as the router knows it. */
  findRoute(route: RouteQuery): FoundRoute | null
  /** What answers with the raw objects when no route matches, if something was set. */
  getDefaultRoute(): DefaultRoute | undefined
  /** Sets it; `setNotFoundHandler` is the way of today. */
  setDefaultRoute(route: DefaultRoute): void
  /** Lets routes have another method. */
  addHttpMethod<T>(this: T, method: string, options?: { hasBody?: boolean; overrideExisting?: boolean }): T
  /** Adds a condition of routes. */
  addConstraintStrategy(strategy: ConstraintStrategy<HTTPVersion, unknown>): void
  /** Whether there is a condition of this name. */
  hasConstraintStrategy(name: string): boolean

  /** Adds a hook to this context and those below. */
  addHook<T, const Name extends HookName>(this: T, name: Name, hook: ContextHooks<ContextOf<T>>[Name]): T

  /** Answers what no route answers. */
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
  /** Answers the errors of this context and those below. */
  setErrorHandler<E extends Error = CaughtError, T = FastifyInstance>(
    this: T,
    handler: (
      this: Cloister<ContextOf<T>>,
      error: E,
      request: ContextRequest<ContextOf<T>>,
      reply: ContextReply<ContextOf<T>>,
    ) => unknown,
  ): T
  /** Makes the names of requests. */
  setGenReqId<T>(this: T, make: (request: RawRequestOf) => string): T
  /** Makes the loggers of requests. */
  setChildLoggerFactory<T>(this: T, factory: ChildLoggerFactory<Cloister<ContextOf<T>>>): T
  /** Takes validation into your own hands. */
  setValidatorCompiler<Schema = unknown, T = FastifyInstance>(this: T, compiler: ValidatorCompiler<Schema>): T
  /** Takes serialization into your own hands. */
  setSerializerCompiler<Schema = unknown, T = FastifyInstance>(
    this: T,
    compiler: SerializerCompiler<Schema>,
  ): T
  /** Takes both, and the store of schemas, into your own hands. */
  setSchemaController<T>(this: T, options: SchemaControllerOptions): T
  /** Serializes every payload of this context. */
  setReplySerializer<T>(this: T, serialize: (payload: unknown, statusCode: number) => string): T
  /** Makes the errors of failed validations. */
  setSchemaErrorFormatter<T>(this: T, formatter: SchemaErrorFormatter<Cloister<ContextOf<T>>>): T

  /** Adds a parser of bodies to this context and those below. */
  readonly addContentTypeParser: AddContentTypeParser
  /** Whether there is a parser of a media type. */
  hasContentTypeParser(contentType: string | RegExp): boolean
  /** Takes parsers back. */
  removeContentTypeParser(contentType: string | RegExp | readonly (string | RegExp)[]): void
  /** Takes all parsers back, those of the framework included. */
  removeAllContentTypeParsers(): void
  /** The parser of JSON that the framework uses. */
  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): BodyParser<string>
  /** The parser of plain text that the framework uses. */
  readonly defaultTextParser: BodyParser<string>

  /** Hands a request of Node's to the app. */
  routing(request: RawRequestOf, response: RawReplyOf): void
  /** The routes, as a tree. */
  printRoutes(options?: PrintRoutesOptions): string
  /** The plugins, as a tree. */
  printPlugins(): string
  /** Logger of the app. */
  readonly log: BaseLogger
}
