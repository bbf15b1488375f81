/*
 * What an app shows of itself, as frozen data. `describe-app.ts` builds the tree; `print.ts` writes text of it. Functions
 * appear by name, call sites as `file:line`, contexts and plugins by path (`root > api > users`).
 */

/** An app: its contexts as they see each other, and its plugins as they were loaded. */
export interface AppDescription {
  /** the root context, with all contexts below it */
  readonly contexts: ContextDescription
  /** the hooks of the application's life (`onReady`, `onListen`, `preClose`, `onClose`), by name */
  readonly hooks: readonly HookDescription[]
  /** the app itself, with the plugins that it registered */
  readonly plugins: PluginDescription
}

/** A context of the encapsulation tree, with what was added to it; it also sees what its ancestors have. */
export interface ContextDescription {
  readonly name: string
  readonly path: string
  /** path prefix of its routes, with those of its ancestors; empty at the root */
  readonly prefix: string
  /** names of the plugin that it was made for and of those that share it */
  readonly plugins: readonly string[]
  /** in the order in which they were added */
  readonly hooks: readonly HookDescription[]
  readonly decorators: readonly DecoratorDescription[]
  /** the `$id`s of its shared schemas */
  readonly schemas: readonly string[]
  readonly errorHandler: HandlerDescription | null
  /** in the order in which they were defined */
  readonly routes: readonly RouteDescription[]
  readonly children: readonly ContextDescription[]
}

/** A plugin as it was loaded. */
export interface PluginDescription {
  readonly name: string
  readonly path: string
  /** where it was registered; `null` for the app itself */
  readonly callSite: string | null
  /** path of the context that it fills */
  readonly context: string
  /** it is wrapped, and fills the context of the plugin that registered it */
  readonly sharesContext: boolean
  /** milliseconds that it took to load, its children included */
  readonly tookMs: number
  readonly children: readonly PluginDescription[]
}

/** A decorator of apps, requests or replies. */
export interface DecoratorDescription {
  readonly kind: 'instance' | 'request' | 'reply'
  readonly name: string
  readonly callSite: string
}

/** A hook of a context or of a route. */
export interface HookDescription {
  readonly name: string
  /** name of its function */
  readonly fn: string
  readonly callSite: string
  /** path of the context that it was added to, or of the context of its route */
  readonly context: string
  /** whether `addHook` or the options of a route added it */
  readonly source: 'context' | 'route'
}

/** An error handler of a context or of a route. */
export interface HandlerDescription {
  /** name of its function */
  readonly fn: string
  readonly callSite: string
  /** path of the context that it was set in, or of the context of its route */
  readonly context: string
  readonly source: 'context' | 'route'
}

/** A route with one method. */
export interface RouteDescription {
  readonly method: string
  /** path with its prefix */
  readonly url: string
  /** by strategy name */
  readonly constraints: Readonly<Record<string, unknown>>
  readonly callSite: string
  /** path of its context */
  readonly context: string
  /** a HEAD route that the framework made beside a GET route */
  readonly automatic: boolean
  /** name of the handler */
  readonly handler: string
  /** the hooks that requests run, by stage, and in the order of their run within a stage */
  readonly hooks: readonly HookDescription[]
  /** in the order in which an error reaches them */
  readonly errorHandlers: readonly HandlerDescription[]
  /** largest body, in bytes */
  readonly bodyLimit: number
  /** milliseconds; 0 for no limit */
  readonly handlerTimeout: number
  /** the schema as `request.routeOptions.schema` shows it */
  readonly schema: unknown
}
