// Made by `npm run docs:options` from docs/explanation.schema.json. Do not edit.

/** An app: its contexts as a tree, and its plugins in the order of loading. */
export interface AppDescription {
  /** The kind of explanation. */
  readonly kind: 'app'
  /** The root context, with all contexts below it. */
  readonly contexts: ContextDescription
  /** The hooks of the application (`onReady`, `onListen`, `preClose`, `onClose`), by name. */
  readonly hooks: readonly HookDescription[]
  /** The app itself, with the plugins that it registered. */
  readonly plugins: PluginDescription
}

/** A context of the encapsulation tree, with everything that was added to it. It also sees what was added to its ancestors. */
export interface ContextDescription {
  /** Name of its plugin; `root` for the app. */
  readonly name: string
  /** Names from the root to this context. */
  readonly path: string
  /** Path prefix of its routes, including those of its ancestors; empty at the root. */
  readonly prefix: string
  /** Names of its plugin and of those that share the context. */
  readonly plugins: readonly string[]
  /** Milliseconds that its plugin took to load, including nested plugins. */
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
  /** Path of its context. */
  readonly context: string
  /** Whether it is wrapped, so that it shares the context of the plugin that registered it. */
  readonly sharesContext: boolean
  /** Milliseconds that it took to load, including its children. */
  readonly tookMs: number
  /** The plugins that it registered. */
  readonly children: readonly PluginDescription[]
}

/** A decorator of apps, requests or replies. */
export interface DecoratorDescription {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
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

/** A schema from `addSchema`. */
export interface SharedSchemaDescription {
  /** Its `$id`. */
  readonly id: string
  /** Where it was added; `null` if it is in a bucket of the application. */
  readonly callSite: string | null
}

/** A body parser. */
export interface ParserDescription {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its media type, the text of its pattern, or `*`. */
  readonly type: string
  /** The form of the body that it gets: the whole text or bytes, or the stream (`null`). */
  readonly parseAs: 'string' | 'buffer' | null
  /** Its own limit in bytes; `null` if the limit of the route applies. */
  readonly bodyLimit: number | null
}

/** A setting of a context. */
export interface SettingDescription {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its name, such as `validatorCompiler`. */
  readonly name: string
}

/** A hook of a context or of a route. */
export interface HookDescription {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Name of its function. */
  readonly fn: string
  /** Path of the context that has it, or of the context of its route. */
  readonly context: string
  /** Whether a context or the options of a route have it. */
  readonly source: 'context' | 'route'
  /** Name of the hook, such as `preHandler`. */
  readonly name: 'onRequest' | 'preParsing' | 'preValidation' | 'preHandler' | 'preSerialization' | 'onSend' | 'onResponse' | 'onError' | 'onTimeout' | 'onRequestAbort' | 'onRoute' | 'onRegister' | 'onReady' | 'onListen' | 'preClose' | 'onClose'
  /** The guard that it runs, or what it declares as one; `null` for other hooks. */
  readonly guard: GuardDescription | null
}

/** What a guard, or a hook that checks credentials, states: the name of its value, and who passes. */
export interface GuardDescription {
  /** Name of its value on requests; `null` for a hook. */
  readonly name: string | null
  /** The security schemes that it checks, with the scopes that it demands. */
  readonly security: Readonly<Record<string, readonly string[]>>
  /** The statuses of its refusals, each with its body: the error response of the app, what a schema of the guard describes, or unknown. */
  readonly refuses: Readonly<Record<string, 'error' | 'schema' | 'unknown'>>
}

/** An error handler of a context or of a route, or a not-found handler. */
export interface HandlerDescription {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
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
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
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
  /** Whether it is a HEAD route that the framework added for a GET route. */
  readonly automatic: boolean
  /** Name of the handler. */
  readonly handler: string
  /** The hooks that requests run, by stage, in the order in which they run. */
  readonly hooks: readonly HookDescription[]
  /** The error handlers in the order in which an error reaches them. The framework's own comes last and is not listed. */
  readonly errorHandlers: readonly HandlerDescription[]
  /** The maximum size of the body, in bytes. */
  readonly bodyLimit: number
  /** Milliseconds; 0 means no limit. */
  readonly handlerTimeout: number
}

/** A route with everything that its requests use. This is what `app.explain(method, url)` returns. */
export interface RouteExplanation {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
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
  /** Whether it is a HEAD route that the framework added for a GET route. */
  readonly automatic: boolean
  /** Name of the handler. */
  readonly handler: string
  /** The hooks that requests run, by stage, in the order in which they run. */
  readonly hooks: readonly HookDescription[]
  /** The error handlers in the order in which an error reaches them. The framework's own comes last and is not listed. */
  readonly errorHandlers: readonly HandlerDescription[]
  /** The maximum size of the body, in bytes. */
  readonly bodyLimit: number
  /** Milliseconds; 0 means no limit. */
  readonly handlerTimeout: number
  /** The kind of explanation. */
  readonly kind: 'route'
  /** Values of the path parameters in the requested URL; empty for the path of the route itself. */
  readonly params: Readonly<Record<string, string>>
  /** How its body is read. */
  readonly body: BodyExplanation
  /** Decorators of its requests, replies and instance, with their origins. */
  readonly decorators: readonly DecoratorDescription[]
  /** The validators, in the order in which they run. */
  readonly validators: readonly ValidatorExplanation[]
  /** The serializers, by status and media type. */
  readonly serializers: readonly SerializerExplanation[]
  /** The protocol of a route with `upgrade`, such as one of `app.ws`, and its message schemas; `null` for other routes. */
  readonly socket: null | SocketExplanation
  /** The headers that all its responses have unless they set others (`presetHeaders`). */
  readonly responseHeaders: readonly ResponseHeaderDescription[]
  /** Names of the route's options that plugins read, such as `mcp` for `@cloister/mcp`. */
  readonly pluginOptions: readonly string[]
  /** The `x-…` members of its schema that JSON can express. Documents have them, too: a plugin says there what clients have to know, as `@cloister/state` does of topics (`x-subscribes`). */
  readonly extensions: Readonly<Record<string, unknown>>
  /** Whether the route itself or the options of the app set `handlerTimeout`. */
  readonly handlerTimeoutSetBy: 'route' | 'app'
  /** Milliseconds within which a whole request must arrive; 0 means no limit. */
  readonly requestTimeout: number
  /** The lowest level that its requests log; `silent` in an app without a logger. */
  readonly logLevel: string
}

/** A header that is decided at boot, and the call of `presetHeaders` that decides it. */
export interface ResponseHeaderDescription {
  /** Its name, in lower case. */
  readonly name: string
  /** Its value. */
  readonly value: string
  /** The field of requests that has to have a certain value; `null` for all requests. */
  readonly dependsOn: string | null
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
}

/** How a route handles the body of a request. */
export interface BodyExplanation {
  /** Whether requests may have a body, depending on the method: `never`, `seldom` (only a body with a media type is read), `sent` (a body that is sent is read), `optional`, `expected`, or `typed` (a media type is required). */
  readonly rule: 'never' | 'seldom' | 'sent' | 'optional' | 'expected' | 'typed'
  /** The maximum size of the body, in bytes. */
  readonly limit: number
  /** Whether the route itself or the options of the app set the limit. */
  readonly limitSetBy: 'route' | 'app'
  /** The parsers in the order in which they are tried; empty if no body is read. */
  readonly parsers: readonly ParserDescription[]
}

/** A schema with its compiler. */
export interface SchemaExplanation {
  /** Its `$id`, or its `$ref` if it is only a reference; `null` for a schema without either. */
  readonly key: string | null
  /** Where the schema was defined: for a `$ref` the shared schema, otherwise the route; `null` if unknown. */
  readonly callSite: string | null
  /** What compiles it: the framework's engine, a compiler of the application, or the library that it comes from. */
  readonly by: 'engine' | 'application' | 'standard-schema'
  /** Where the application set its compiler; `null` for other compilers. */
  readonly compiler: string | null
}

/** A validator of a request part. */
export interface ValidatorExplanation {
  /** Its `$id`, or its `$ref` if it is only a reference; `null` for a schema without either. */
  readonly key: string | null
  /** Where the schema was defined: for a `$ref` the shared schema, otherwise the route; `null` if unknown. */
  readonly callSite: string | null
  /** What compiles it: the framework's engine, a compiler of the application, or the library that it comes from. */
  readonly by: 'engine' | 'application' | 'standard-schema'
  /** Where the application set its compiler; `null` for other compilers. */
  readonly compiler: string | null
  /** The part of the request. */
  readonly part: 'params' | 'headers' | 'querystring' | 'body' | 'cookies'
  /** Its media type; `null` for all. */
  readonly mediaType: string | null
  /** Whether closures or generated code accept valid values. With `codeGeneration: 'hot'`, closures become code after many calls. `null` if neither does, or if the engine does not compile the schema. */
  readonly tier: 'closures' | 'code' | null
  /** Whether Ajv validates no values, only those that were not accepted, or all; `null` if the engine does not compile the schema. */
  readonly ajv: 'never' | 'refused' | 'always' | null
}

/** A serializer of responses. */
export interface SerializerExplanation {
  /** Its `$id`, or its `$ref` if it is only a reference; `null` for a schema without either. */
  readonly key: string | null
  /** Where the schema was defined: for a `$ref` the shared schema, otherwise the route; `null` if unknown. */
  readonly callSite: string | null
  /** What compiles it: the framework's engine, a compiler of the application, or the library that it comes from. */
  readonly by: 'engine' | 'application' | 'standard-schema'
  /** Where the application set its compiler; `null` for other compilers. */
  readonly compiler: string | null
  /** The status (`200`), class (`2xx`) or `default`. */
  readonly status: string
  /** Its media type; `null` for all. */
  readonly mediaType: string | null
  /** How values that do not match the schema are handled. */
  readonly mode: 'compat' | 'strict'
  /** Closures or generated code; `null` if the engine does not compile the schema. */
  readonly tier: 'closures' | 'code' | null
}

/** The protocol of a route with `upgrade`, and its message schemas. */
export interface SocketExplanation {
  /** The protocol that it switches to, such as `websocket`. */
  readonly protocol: string
  /** The schema of the messages of the client; `null` if there is none. */
  readonly incoming: null | SchemaExplanation
  /** The schema of the messages to the client; `null` if there is none. */
  readonly outgoing: null | SchemaExplanation
  /** A setting of the protocol, such as `maxPayload` of WebSockets (`upgrade.settings`). */
  readonly [name: string]: unknown
}

/** What `app.explain(method, url)` returns for a URL without a route. */
export interface MissingRoute {
  /** The kind of explanation. */
  readonly kind: 'missing'
  /** The requested method. */
  readonly method: string
  /** The requested URL. */
  readonly url: string
  /** The most similar routes, the best match first; at most five. */
  readonly nearest: readonly NearRoute[]
}

/** A route that almost matches. */
export interface NearRoute {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
  /** Its method. */
  readonly method: string
  /** Its path, with the prefix. */
  readonly url: string
  /** The reasons why it does not match, as sentences. */
  readonly why: readonly string[]
}

/** Where something was registered, and by which plugin. */
export interface Origin {
  /** `file:line`; `null` if it comes from the framework or from the app's options. */
  readonly callSite: string | null
  /** Path of the plugin that registered it; `null` if no plugin did. */
  readonly plugin: string | null
}
