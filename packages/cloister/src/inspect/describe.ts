import type { NamedParser } from '../body/parser-table.ts'
import type { LoadNode } from '../boot/plugins/load-node.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import { visibleSchemas } from '../context/shared-schemas.ts'
import { isFunction, type AnyFunction } from '../guards.ts'
import { factsOf, refusalEntries, type StatedFacts } from '../hooks/guard-facts.ts'
import { nameOf, type HookEntry, type HookOwner } from '../hooks/hook-entry.ts'
import type { GuardRefusals } from '../types/guards.ts'
import { constraintsOf } from '../routes/define-route.ts'
import { routeHooks } from '../routes/plan/plan-context.ts'
import { routeSettings, type RouteRecord } from '../routes/route-record.ts'
import type {
  AppDescription,
  ContextDescription,
  DecoratorDescription,
  GuardDescription,
  HandlerDescription,
  HookDescription,
  Origin,
  ParserDescription,
  PluginDescription,
  RouteDescription,
  SettingDescription,
  SharedSchemaDescription,
} from '../types/description.generated.ts'

/** Describes an app in its current state. The description is complete once the app is ready. */
export function describeApp(app: ManagedApp): AppDescription {
  return frozen({
    kind: 'app',
    contexts: describeContext(app.root, app),
    hooks: Object.values(app.applicationHooks).flat().map(describeHook),
    plugins: describePlugin(app.queue.root),
  })
}

function describeContext(context: Context, app: ManagedApp): ContextDescription {
  const { name, path, prefix, pluginNames, hooks, parsers, parent, children, loading } = context
  const notFound = app.notFoundHandlers.find((handler) => handler.context === context)
  return {
    name,
    path,
    prefix,
    plugins: [...pluginNames],
    tookMs: loading?.tookMs ?? 0,
    hooks: hooks.filter(({ owner }) => owner === context).map(describeHook),
    decorators: describeDecorators(context),
    schemas: describeOwnSchemas(context),
    parsers: parsers.own.filter(({ parser }) => parent !== null || !parser.isDefault).map(describeParser),
    settings: describeSettings(context),
    errorHandler: describeErrorHandlers(context)[0] ?? null,
    notFoundHandler:
      notFound?.handler == null ? null : describeHandler(notFound.handler, notFound.callSite, context),
    routes: app.routes.records.filter((record) => record.context === context).map(describeRoute),
    children: children.map((child) => describeContext(child, app)),
  }
}

/**
 * Describes a plugin and the plugins that it registered. Callbacks of `after` aren't plugins, so their plugins are
 * listed instead of them.
 */
export function describePlugin(node: LoadNode): PluginDescription {
  const { name, path, callSite, context, parent, tookMs, children } = node
  const plugins = children.flatMap((child) => (child.isCallback ? child.children : [child]))
  return {
    name,
    path,
    callSite: callSite?.toString() ?? null,
    context: context.path,
    sharesContext: parent?.context === context,
    tookMs,
    children: plugins.map(describePlugin),
  }
}

/** Describes a route: where it was defined, what its requests run, and its limits. */
export function describeRoute(record: RouteRecord): RouteDescription {
  const { method, url, context, handler, callSite, automatic } = record
  const { bodyLimit, handlerTimeout } = routeSettings(record)
  return {
    method,
    url,
    constraints: constraintTexts(record),
    ...originOf(callSite),
    context: context.path,
    automatic,
    handler: nameOf(handler),
    hooks: routeHooks(record).map(describeHook),
    errorHandlers: errorHandlersOf(record),
    bodyLimit,
    handlerTimeout,
  }
}

/** Returns constraints as text. Their values may be patterns or any other value of the application. */
export function constraintTexts({ options }: Pick<RouteRecord, 'options'>): Record<string, string> {
  const entries = Object.entries(constraintsOf(options)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' && !(value instanceof RegExp) ? JSON.stringify(value) : String(value),
  ])
  return Object.fromEntries(entries)
}

/** Returns the error handlers of a route: its own, then those of its contexts, the nearest first. */
function errorHandlersOf({ context, options, callSite }: RouteRecord): HandlerDescription[] {
  const { errorHandler } = options
  const own = isFunction(errorHandler) ? [describeHandler(errorHandler, callSite, context, 'route')] : []
  return [...own, ...context.lineage().toReversed().flatMap(describeErrorHandlers)]
}

export function frozen<T>(description: T): T {
  if (typeof description !== 'object' || description === null) return description
  Object.values(description).forEach(frozen)
  return Object.freeze(description)
}

/** Describes where something was registered; `null` if it comes from the framework or from an option. */
export function originOf(callSite: CallSite | null): Origin {
  return { callSite: callSite?.toString() ?? null, plugin: callSite?.plugin?.path ?? null }
}

function describeHook(entry: HookEntry): HookDescription {
  const { name, fn, callSite, owner, source } = entry
  const facts = factsOf(entry)
  return { name, ...describeHandler(fn, callSite, owner, source), guard: facts && describeGuard(facts) }
}

/** Copies what a guard states: descriptions are frozen, and objects of the application are not. */
function describeGuard({ name, security, refuses }: StatedFacts): GuardDescription {
  const scopes = Object.entries(security).map(([scheme, wanted]) => [scheme, [...wanted]] as const)
  const bodies = refusalEntries(refuses).map(([status, body]) => [status, describeBody(body)] as const)
  return { name, security: Object.fromEntries(scopes), refuses: Object.fromEntries(bodies) }
}

/** Describes the body of a refusal of a guard. */
export function describeBody(body: GuardRefusals[number]): GuardDescription['refuses'][string] {
  if (body === null) return 'unknown'
  return body === 'error' ? 'error' : 'schema'
}

/** Describes the error handlers of a context, without inherited ones, in the order in which they get an error. */
function describeErrorHandlers(context: Context): HandlerDescription[] {
  return context.errorHandlers.map(({ fn, callSite }) => describeHandler(fn, callSite, context))
}

/** Describes a handler of a context, or one from the options of a route in it. */
function describeHandler(
  fn: AnyFunction,
  callSite: CallSite | null,
  { path }: HookOwner,
  source: HandlerDescription['source'] = 'context',
): HandlerDescription {
  return { fn: nameOf(fn), ...originOf(callSite), context: path, source }
}

/** Describes the decorators of a context, without inherited ones. */
function describeDecorators({ decorators, path }: Context): DecoratorDescription[] {
  return Object.values(decorators).flatMap(({ kind, own }) =>
    [...own].map(({ name, callSite }) => ({
      kind,
      name: String(name),
      ...originOf(callSite),
      context: path,
    })),
  )
}

/** Describes the decorators that a context sees. The nearest context with a name takes precedence. */
export function visibleDecorators(context: Context): DecoratorDescription[] {
  const all = context.lineage().flatMap(describeDecorators)
  return [...new Map(all.map((one) => [`${one.kind} ${one.name}`, one])).values()]
}

/** Describes the body parsers that a context uses, in the order in which they are tried. */
export function describeParsers({ parsers }: Context): ParserDescription[] {
  // The key of a pattern has the form `/…/`; a part of a media type has no slash.
  const rank = ({ type }: NamedParser): number => (type === '*' ? 2 : /^[^/]+\//.test(type) ? 0 : 1)
  return parsers.visible.toSorted((a, b) => rank(a) - rank(b)).map(describeParser)
}

function describeParser({ type, parser }: NamedParser): ParserDescription {
  const { parseAs, bodyLimit, callSite } = parser
  return { type, parseAs, bodyLimit, ...originOf(callSite) }
}

/** Describes the settings that methods such as `setGenReqId` set on a context. */
function describeSettings({ settings }: Context): SettingDescription[] {
  return Object.entries(settings).flatMap(([name, { callSite }]) =>
    callSite === null ? [] : { name, ...originOf(callSite) },
  )
}

/** Describes the shared schemas that a context sees and its parent does not. */
function describeOwnSchemas(context: Context): SharedSchemaDescription[] {
  const inherited = context.parent === null ? {} : visibleSchemas(context.parent)
  return Object.keys(visibleSchemas(context))
    .filter((id) => !Object.hasOwn(inherited, id))
    .map((id) => ({ id, callSite: sharedCallSite(context, id) }))
}

/** Returns the call site of a shared schema; `null` if it is in a bucket of the application. */
export function sharedCallSite(context: Context, id: string): string | null {
  return context.bucket() === null ? (context.schemas.callSiteOf(id)?.toString() ?? null) : null
}
