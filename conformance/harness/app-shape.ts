// The members of an app that the suites use, as structural types that Cloister, Fastify 4.x and Fastify 5.x all
// match. Members that only one test uses are read through the index signature and narrowed there.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Calls back with an error, a value, or nothing. */
export type Done = (error?: unknown, value?: unknown) => void

/** The request as handlers and hooks see it. */
export interface Request {
  [decoration: string]: unknown
  readonly id: unknown
  readonly raw: IncomingMessage
  readonly log: Log
  readonly server: App
  readonly method: string
  readonly url: string
  readonly originalUrl: string
  readonly ip: string
  readonly ips?: readonly string[]
  readonly host: string
  readonly hostname: string
  readonly protocol: string
  readonly socket: Socket
  readonly routeOptions: RouteOptionsView
  readonly is404: boolean
  readonly params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  headers: Record<string, string | string[] | undefined>
  validationError?: (Error & { validation?: unknown; validationContext?: string }) | null
}

/** What a request shows of its route. */
export interface RouteOptionsView {
  [option: string]: unknown
  readonly method?: string | string[]
  readonly url?: string
  readonly bodyLimit?: number
  readonly config: Record<string, unknown>
}

/** The reply as handlers and hooks see it. */
export interface Reply extends PromiseLike<undefined> {
  [decoration: string]: unknown
  readonly raw: ServerResponse
  readonly log: Log
  readonly server: App
  readonly request: Request
  readonly sent: boolean
  readonly elapsedTime: number
  statusCode: number
  code(status: number): Reply
  status(status: number): Reply
  send(payload?: unknown): Reply
  header(name: string, value?: unknown): Reply
  headers(values: Record<string, unknown>): Reply
  getHeader(name: string): unknown
  getHeaders(): Record<string, unknown>
  removeHeader(name: string): Reply
  hasHeader(name: string): boolean
  type(mediaType: string): Reply
  redirect(...args: readonly (string | number)[]): Reply
  callNotFound(): unknown
  hijack(): Reply
  trailer(name: string, make: (this: unknown, reply: Reply, payload: unknown, done: Done) => unknown): Reply
  hasTrailer(name: string): boolean
  removeTrailer(name: string): Reply
  serializer(serialize: (payload: unknown) => string | Buffer): Reply
  serialize(payload: unknown): unknown
  getResponseTime(): number
  writeEarlyHints(hints: Record<string, string | string[]>, done?: () => void): void
}

/** A logger of the pino kind. */
export interface Log {
  [member: string]: unknown
  level: string
  trace(...args: readonly unknown[]): void
  debug(...args: readonly unknown[]): void
  info(...args: readonly unknown[]): void
  warn(...args: readonly unknown[]): void
  error(...args: readonly unknown[]): void
  fatal(...args: readonly unknown[]): void
  child(bindings: Record<string, unknown>, options?: Record<string, unknown>): Log
}

/** A handler; an encapsulated app is its `this`. */
export type Handler = (this: App, request: Request, reply: Reply) => unknown

type StepHook = (this: App, request: Request, reply: Reply, done: Done) => unknown
type PayloadHook = (
  this: App,
  ...step: [request: Request, reply: Reply, payload: never, done: Done]
) => unknown

/** The hooks by name, with their arguments. */
export interface Hooks {
  onRequest: StepHook
  preParsing: PayloadHook
  preValidation: StepHook
  preHandler: StepHook
  preSerialization: PayloadHook
  onSend: PayloadHook
  onResponse: StepHook
  onTimeout: StepHook
  onError: (this: App, ...step: [request: Request, reply: Reply, error: Error, done: () => void]) => unknown
  onRequestAbort: (this: App, request: Request, done: Done) => unknown
  onRoute: (this: App, route: RouteRecord) => unknown
  onRegister: (this: App, instance: App, options: Record<string, unknown>) => unknown
  onReady: (this: App, done: Done) => unknown
  onListen: (this: App, done: Done) => unknown
  preClose: (this: App, done: Done) => unknown
  onClose: (this: App, instance: App, done: Done) => unknown
}

/** The argument of `onRoute`. */
export interface RouteRecord {
  [option: string]: unknown
  method: string | string[]
  url: string
  path: string
  routePath: string
  prefix: string
}

type OneOrMany<T> = T | readonly T[]

/** Options of a route that the suites use. */
export interface RouteOptions {
  [option: string]: unknown
  method?: string | readonly string[]
  url?: string
  path?: string
  handler?: Handler
  schema?: Record<string, unknown>
  onRequest?: OneOrMany<Hooks['onRequest']>
  preParsing?: OneOrMany<Hooks['preParsing']>
  preValidation?: OneOrMany<Hooks['preValidation']>
  preHandler?: OneOrMany<Hooks['preHandler']>
  preSerialization?: OneOrMany<Hooks['preSerialization']>
  onSend?: OneOrMany<Hooks['onSend']>
  onResponse?: OneOrMany<Hooks['onResponse']>
  onTimeout?: OneOrMany<Hooks['onTimeout']>
  onError?: OneOrMany<Hooks['onError']>
  onRequestAbort?: OneOrMany<Hooks['onRequestAbort']>
  errorHandler?: ErrorHandler
}

/** Handles the errors of hooks, parsers, validation and handlers. */
export type ErrorHandler = (this: App, error: CodedError, request: Request, reply: Reply) => unknown

/** An error with the properties that the framework adds. */
export interface CodedError extends Error {
  code?: string
  statusCode?: number
  validation?: unknown
  validationContext?: string
}

/** A plugin with a callback or a promise. */
export type Plugin = (app: App, options: Record<string, unknown>, done: Done) => unknown

/** Metadata of a wrapped plugin. */
export interface PluginMetadata {
  name?: string
  fastify?: string
  encapsulate?: boolean
  dependencies?: string[]
  decorators?: { fastify?: string[]; request?: string[]; reply?: string[] }
}

/** The types that `register` accepts. */
export type Registrable = Plugin | Promise<Plugin> | Promise<{ default: Plugin }> | { default: Plugin }

/** Options of `listen`. */
export interface ListenOptions {
  [option: string]: unknown
  port?: number
  host?: string
}

/** The response of in-process injection. */
export interface InjectedResponse {
  statusCode: number
  headers: Record<string, string | string[] | number | undefined>
  trailers: Record<string, string>
  payload: string
  rawPayload: Buffer
}

type ParserOptions = { parseAs?: 'string' | 'buffer'; bodyLimit?: number }
/** A body parser; `parseAs` decides whether the body is a stream, a string or a buffer. */
export type BodyParser = (this: App, request: Request, body: never, done: Done) => unknown
type RouteShortcut = (path: string, options: RouteOptions | Handler, handler?: Handler) => App

/** An app, or the encapsulated instance of a plugin. */
export interface App extends PromiseLike<undefined> {
  [decoration: string]: unknown
  readonly server: Server
  readonly log: Log
  readonly prefix: string
  readonly version: string
  readonly pluginName: string
  readonly listeningOrigin: string
  readonly transport: { readonly name: string; readonly reason: string; readonly handedOver: object }
  readonly initialConfig: Record<string, unknown>
  register(
    plugin: Registrable,
    options?: Record<string, unknown> | ((parent: App) => Record<string, unknown>),
  ): App
  after(callback?: (error?: unknown, ...rest: never[]) => unknown): App
  ready(callback?: (error?: unknown, instance?: App) => unknown): App
  close(callback?: (error?: unknown) => void): Promise<undefined>
  listen(options?: ListenOptions, callback?: (error: Error | null, address: string) => void): Promise<string>
  addresses(): AddressInfo[]
  inject(options?: Record<string, unknown> | string): Promise<InjectedResponse>
  fetch(request: globalThis.Request, ...platform: unknown[]): Promise<globalThis.Response>
  route(options: RouteOptions): App
  get: RouteShortcut
  post: RouteShortcut
  put: RouteShortcut
  patch: RouteShortcut
  delete: RouteShortcut
  head: RouteShortcut
  options: RouteShortcut
  all: RouteShortcut
  decorate(name: string | symbol, value?: unknown, dependencies?: readonly string[]): App
  override(name: string | symbol, value: unknown): App
  decorateRequest(name: string | symbol, value?: unknown, dependencies?: readonly string[]): App
  decorateReply(name: string | symbol, value?: unknown, dependencies?: readonly string[]): App
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
  addGuard(
    name: string,
    guard: (this: App, request: Request, reply: Reply) => unknown,
    options?: Record<string, unknown>,
  ): App
  addHook<N extends keyof Hooks>(name: N, hook: Hooks[N]): App
  addContentTypeParser(
    type: string | RegExp | readonly (string | RegExp)[],
    options: ParserOptions | BodyParser,
    parser?: BodyParser,
  ): App
  hasContentTypeParser(type: string | RegExp): boolean
  removeContentTypeParser(type: string | RegExp | readonly (string | RegExp)[]): void
  removeAllContentTypeParsers(): void
  getDefaultJsonParser(onProto: string, onConstructor: string): BodyParser
  defaultTextParser: BodyParser
  setErrorHandler(handler: ErrorHandler): App
  setNotFoundHandler(options: RouteOptions | Handler, handler?: Handler): App
  addSchema(schema: unknown): App
  getSchema(id: string): unknown
  getSchemas(): Record<string, unknown>
  setValidatorCompiler(compile: (route: Record<string, unknown>) => unknown): App
  setSerializerCompiler(compile: (route: Record<string, unknown>) => unknown): App
  setSchemaErrorFormatter(format: (this: App, errors: readonly unknown[], part: string) => Error): App
  setReplySerializer(serialize: (payload: unknown, status: number) => string): App
  setChildLoggerFactory(
    make: (logger: Log, bindings: Record<string, unknown>, options: Record<string, unknown>) => Log,
  ): App
  setGenReqId(make: (raw: IncomingMessage) => string): App
  hasRoute(route: { method: string; url: string; constraints?: Record<string, unknown> }): boolean
  findRoute(route: { method: string; url: string; constraints?: Record<string, unknown> }): unknown
  printRoutes(options?: Record<string, unknown>): string
  printPlugins(): string
  hasPlugin(name: string): boolean
}

export type Factory = (options?: Record<string, unknown>) => App
