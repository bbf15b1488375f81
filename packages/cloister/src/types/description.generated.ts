// Made by `npm run docs:options` from docs/explanation.schema.json. Do not edit.

/** An app: its contexts as a tree, and its plugins in the order of loading. */
export interface AppDescription {
  /** The kind of explanation. */
  readonly kind: 'app'
  /** The root context, with all contexts below it. */
  readonly contexts: ContextDescription
  /** The hooks of the application's life (`onReady`, `onListen`, `preClose`, `onClose`), by name. */
  readonly hooks: readonly HookDescription[]
  /** The app itself, with the plugins that it registered. */
  readonly plugins: PluginDescription
}

/** A context of the encapsulation tree, with what was added to it; it also sees what its ancestors have. */
export interface ContextDescription {
  /** Name of the plugin that it was made for; `root` for the app. */
  readonly name: string
  /** Names from the root to this context. */
  readonly path: string
  /** Path prefix of its routes, with those of its ancestors; empty at the root. */
  readonly prefix: string
  /** Names of the plugin that it was made for and of those that share it. */
  readonly plugins: readonly string[]
  /** Milliseconds that its plugin took to load, those below included. */
  readonly tookMs: number
  /** Its hooks, in the order in which they were added. */
  readonly hooks: readonly HookDescription[]
  /** Its decorators. */
  readonly decorators: readonly DecoratorDescription[]
  /** Its shared schemas. */
  readonly schemas: readonly SharedSchemaDescription[]
  /** Its body parsers. */
  readonly parsers: readonly ParserDescription[]
  /** Its settings, such as `validatorCompiler`. */
  readonly settings: readonly SettingDescription[]
  /** Its error handler, if it has one. */
  readonly errorHandler: HandlerDescription | null
  /** Its not-found handler, if it has one. */
  readonly notFoundHandler: HandlerDescription | null
  /** Its routes, in the order in which they were defined. */
  readonly routes: readonly RouteDescription[]
  /** The contexts below it, in the order of loading. */
  readonly children: readonly ContextDescription[]
}

/** A plugin as it was loaded. */
export interface PluginDescription {
  /** Its name. */
  readonly name: string
  /** Names of the plugins from the app to this one: each registered the next. */
  readonly path: string
  /** Where it was registered; `null` for the app itself. */
  readonly callSite: string | null
  /** Path of the context that it fills. */
  readonly context: string
  /** Whether it is wrapped, and fills the context of the plugin that registered it. */
  readonly sharesContext: boolean
  /** Milliseconds that it took to load, its children included. */
  readonly tookMs: number
  /** The plugins that it registered. */
  readonly children: readonly PluginDescription[]
}

/** A decorator of apps, requests or replies. */
export interface DecoratorDescription {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** The kind of object that it decorates. */
  readonly kind: 'instance' | 'request' | 'reply'
  /** Its name. */
  readonly name: string
  /** Path of the context that it was added to. */
  readonly context: string
}

/** A schema that `addSchema` shared. */
export interface SharedSchemaDescription {
  /** Its `$id`. */
  readonly id: string
  /** Where it was added; `null` for one in a bucket of the application. */
  readonly callSite: string | null
}

/** A body parser. */
export interface ParserDescription {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its media type, the text of its pattern, or `*`. */
  readonly type: string
  /** The form of its body: text or bytes in full, or the stream (`null`). */
  readonly parseAs: 'string' | 'buffer' | null
  /** Its own limit in bytes; `null` if the limit of the route applies. */
  readonly bodyLimit: number | null
}

/** A setting of a context. */
export interface SettingDescription {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its name, as in `validatorCompiler`. */
  readonly name: string
}

/** A hook of a context or of a route. */
export interface HookDescription {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Name of its function. */
  readonly fn: string
  /** Path of the context that has it, or of the context of its route. */
  readonly context: string
  /** Whether a context or the options of a route have it. */
  readonly source: 'context' | 'route'
  /** Name of the hook, as in `preHandler`. */
  readonly name: 'onRequest' | 'preParsing' | 'preValidation' | 'preHandler' | 'preSerialization' | 'onSend' | 'onResponse' | 'onError' | 'onTimeout' | 'onRequestAbort' | 'onRoute' | 'onRegister' | 'onReady' | 'onListen' | 'preClose' | 'onClose'
}

/** An error handler of a context or of a route, or a not-found handler. */
export interface HandlerDescription {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Name of its function. */
  readonly fn: string
  /** Path of the context that has it, or of the context of its route. */
  readonly context: string
  /** Whether a context or the options of a route have it. */
  readonly source: 'context' | 'route'
}

/** A route with one method. */
export interface RouteDescription {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its method. */
  readonly method: string
  /** Its path, with the prefix. */
  readonly url: string
  /** Its constraints, as text, by the name of their strategy. */
  readonly constraints: Readonly<Record<string, string>>
  /** Path of its context. */
  readonly context: string
  /** Whether it is a HEAD route that the framework made beside a GET route. */
  readonly automatic: boolean
  /** Name of the handler. */
  readonly handler: string
  /** The hooks that requests run, by stage, and in the order of their run within a stage. */
  readonly hooks: readonly HookDescription[]
  /** In the order in which an error reaches them; the framework's own is behind the last. */
  readonly errorHandlers: readonly HandlerDescription[]
  /** Largest body, in bytes. */
  readonly bodyLimit: number
  /** Milliseconds; 0 for no limit. */
  readonly handlerTimeout: number
}

/** A route with all that its requests use; what `app.explain(method, url)` returns. */
export interface RouteExplanation {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its method. */
  readonly method: string
  /** Its path, with the prefix. */
  readonly url: string
  /** Its constraints, as text, by the name of their strategy. */
  readonly constraints: Readonly<Record<string, string>>
  /** Path of its context. */
  readonly context: string
  /** Whether it is a HEAD route that the framework made beside a GET route. */
  readonly automatic: boolean
  /** Name of the handler. */
  readonly handler: string
  /** The hooks that requests run, by stage, and in the order of their run within a stage. */
  readonly hooks: readonly HookDescription[]
  /** In the order in which an error reaches them; the framework's own is behind the last. */
  readonly errorHandlers: readonly HandlerDescription[]
  /** Largest body, in bytes. */
  readonly bodyLimit: number
  /** Milliseconds; 0 for no limit. */
  readonly handlerTimeout: number
  /** The kind of explanation. */
  readonly kind: 'route'
  /** Values of the path's parameters in the URL that was asked for; empty for the path of the route itself. */
  readonly params: Readonly<Record<string, string>>
  /** What of its body is read, and by what. */
  readonly body: BodyExplanation
  /** Decorators that its requests, replies and instance have, with their origins. */
  readonly decorators: readonly DecoratorDescription[]
  /** The validators, in the order in which they run. */
  readonly validators: readonly ValidatorExplanation[]
  /** The serializers, by status and media type. */
  readonly serializers: readonly SerializerExplanation[]
  /** What a WebSocket route holds its sockets to; `null` for other routes. */
  readonly socket: null | SocketExplanation
  /** Names of the route's options that plugins read, as in `mcp` for `@cloister/mcp`. */
  readonly pluginOptions: readonly string[]
  /** Whether the route itself or the options of the app set `handlerTimeout`. */
  readonly handlerTimeoutSetBy: 'route' | 'app'
  /** Milliseconds in which a whole request must have arrived; 0 for no limit. */
  readonly requestTimeout: number
  /** Lowest level that its requests log; `silent` in an app without a logger. */
  readonly logLevel: string
}

/** What a route does with the body of a request. */
export interface BodyExplanation {
  /** Whether requests may bring a body: `never` and `seldom` by the method (`seldom` reads one with a media type), `optional`, `expected`; `typed` wants a media type. */
  readonly rule: 'never' | 'seldom' | 'optional' | 'expected' | 'typed'
  /** Largest body, in bytes. */
  readonly limit: number
  /** Whether the route itself or the options of the app set the limit. */
  readonly limitSetBy: 'route' | 'app'
  /** The parsers in the order in which they are tried; none where no body is read. */
  readonly parsers: readonly ParserDescription[]
}

/** Which schema is applied, and what compiles it. */
export interface SchemaExplanation {
  /** Its `$id`, or the `$ref` that is all of it; `null` for a schema of the route alone. */
  readonly key: string | null
  /** Where the schema was given: of a `$ref` the shared schema, else the route; `null` where it is not known. */
  readonly callSite: string | null
  /** What compiles it: the framework's engine, a compiler of the application, or the library that it comes from. */
  readonly by: 'engine' | 'application' | 'standard-schema'
  /** Where the compiler of the application was set; `null` for the others. */
  readonly compiler: string | null
}

/** A validator of a request part. */
export interface ValidatorExplanation {
  /** Its `$id`, or the `$ref` that is all of it; `null` for a schema of the route alone. */
  readonly key: string | null
  /** Where the schema was given: of a `$ref` the shared schema, else the route; `null` where it is not known. */
  readonly callSite: string | null
  /** What compiles it: the framework's engine, a compiler of the application, or the library that it comes from. */
  readonly by: 'engine' | 'application' | 'standard-schema'
  /** Where the compiler of the application was set; `null` for the others. */
  readonly compiler: string | null
  /** The part of the request. */
  readonly part: 'params' | 'headers' | 'querystring' | 'body'
  /** The media type that it is for; `null` for all. */
  readonly mediaType: string | null
  /** Whether closures or generated code accept valid values; with `codeGeneration: 'hot'` closures become code after many calls. `null` where neither does, or the engine does not compile the schema. */
  readonly tier: 'closures' | 'code' | null
  /** Whether Ajv sees no values, those that were not accepted, or all; `null` where the engine does not compile the schema. */
  readonly ajv: 'never' | 'refused' | 'always' | null
}

/** A serializer of responses. */
export interface SerializerExplanation {
  /** Its `$id`, or the `$ref` that is all of it; `null` for a schema of the route alone. */
  readonly key: string | null
  /** Where the schema was given: of a `$ref` the shared schema, else the route; `null` where it is not known. */
  readonly callSite: string | null
  /** What compiles it: the framework's engine, a compiler of the application, or the library that it comes from. */
  readonly by: 'engine' | 'application' | 'standard-schema'
  /** Where the compiler of the application was set; `null` for the others. */
  readonly compiler: string | null
  /** The status (`200`), class (`2xx`) or `default`. */
  readonly status: string
  /** The media type that it is for; `null` for all. */
  readonly mediaType: string | null
  /** How values that do not fit are treated. */
  readonly mode: 'compat' | 'strict'
  /** Closures or generated code; `null` where the engine does not compile the schema. */
  readonly tier: 'closures' | 'code' | null
}

/** What a WebSocket route holds its sockets to. */
export interface SocketExplanation {
  /** Limits the size of an incoming message, in bytes. A larger one closes the socket with 1009. */
  readonly maxPayload: number
  /** Limits how many messages wait for the handler. From then on nothing more is read, so that the client has to wait. */
  readonly maxQueued: number
  /** Limits how many bytes wait for a client that reads slowly, in bytes. A handler that awaits `send` does not reach it; with more than that the socket is cut. */
  readonly maxBuffered: number
  /** Sends a ping so often, in milliseconds, and cuts a socket from which nothing has come since the last one. 0 sends none. */
  readonly pingInterval: number
  /** The origins whose pages may open the socket, as in `https://example.com`; `'*'` for any. Clients that are no browsers send no origin, and may always. */
  readonly origins: '*' | readonly string[]
  /** The subprotocols that the route speaks, the best first. The first that the client offers is chosen. */
  readonly protocols: readonly string[]
  /** The schema of the messages of the client; `null` where it has none. */
  readonly incoming: null | SchemaExplanation
  /** The schema of the messages to the client; `null` where it has none. */
  readonly outgoing: null | SchemaExplanation
}

/** What `app.explain(method, url)` returns for a URL without a route. */
export interface MissingRoute {
  /** The kind of explanation. */
  readonly kind: 'missing'
  /** The method that was asked for. */
  readonly method: string
  /** The URL that was asked for. */
  readonly url: string
  /** The routes that are nearest, the best first; five at most. */
  readonly nearest: readonly NearRoute[]
}

/** A route that almost matches. */
export interface NearRoute {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its method. */
  readonly method: string
  /** Its path, with the prefix. */
  readonly url: string
  /** Why it does not match, in sentences. */
  readonly why: readonly string[]
}

/** Where something was registered, and by which plugin. */
export interface Origin {
  /** `file:line`; `null` for a part of the framework or of the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
}
