import type { LoadNode } from '../boot/plugins/load-node.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import type { Context } from '../context/context.ts'
import type { NotFoundHandler } from '../context/not-found-handler.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import type {
  AppDescription,
  ContextDescription,
  HookDescription,
  PluginDescription,
} from '../types/description.ts'
import {
  describeDecorators,
  describeErrorHandler,
  describeHandler,
  describeHook,
  describeOwnParsers,
  describeOwnSchemas,
  describeSettings,
} from './describe-parts.ts'
import { describeRoute } from './describe-route.ts'

/** The parts of an app that a description reads. */
export type InspectedApp = Pick<
  ManagedApp,
  'queue' | 'root' | 'routes' | 'applicationHooks' | 'notFoundHandlers'
>

/** What the contexts of an app are made of, by context. */
interface Inventory {
  readonly nodes: ReadonlyMap<Context, LoadNode>
  readonly children: ReadonlyMap<Context | null, readonly Context[]>
  readonly routes: ReadonlyMap<Context, readonly RouteRecord[]>
  readonly notFound: ReadonlyMap<Context, NotFoundHandler>
}

/** Describes an app as it is now: complete once the app is ready, before that as far as it has loaded. */
export function describeApp(app: InspectedApp): AppDescription {
  const { queue, root, routes, notFoundHandlers } = app
  const nodes = new Map(nodesOf(queue.root))
  const inventory = {
    nodes,
    children: groupBy(nodes.keys(), ({ parent }) => parent),
    routes: groupBy(routes.records, ({ context }) => context),
    notFound: new Map(notFoundHandlers.map((handler) => [handler.context, handler])),
  }
  return Object.freeze({
    kind: 'app',
    contexts: describeContext(root, inventory),
    hooks: Object.freeze(describeLife(app, nodes.keys())),
    plugins: describePlugin(queue.root),
  })
}

/** The contexts that plugins were given, in the order of loading, each with the plugin that it was made for. */
function nodesOf(node: LoadNode): [Context, LoadNode][] {
  const own: [Context, LoadNode][] = node.parent?.context === node.context ? [] : [[node.context, node]]
  const isKept = ({ isCallback }: LoadNode): boolean => !isCallback
  const below = node.children.flatMap((child) =>
    isKept(child) ? nodesOf(child) : child.children.flatMap(nodesOf),
  )
  return [...own, ...below]
}

/** Describes the hooks of the application's life; each keeps the instance that it was added to. */
function describeLife(
  { applicationHooks, root }: InspectedApp,
  contexts: Iterable<Context>,
): HookDescription[] {
  const paths = new Map([...contexts].map(({ instance, path }) => [instance, path]))
  return Object.values(applicationHooks).flatMap((hooks) =>
    hooks.map(({ entry, instance }) => describeHook(entry, paths.get(instance) ?? root.path)),
  )
}

function describeContext(context: Context, inventory: Inventory): ContextDescription {
  const { name, path, prefix, pluginNames, hooks } = context
  const { nodes, children, routes, notFound } = inventory
  const handler = notFound.get(context)
  return Object.freeze({
    name,
    path,
    prefix,
    plugins: Object.freeze([...pluginNames]),
    tookMs: nodes.get(context)?.tookMs ?? 0,
    hooks: Object.freeze(hooks.own.map((entry) => describeHook(entry, path))),
    decorators: Object.freeze(describeDecorators(context)),
    schemas: Object.freeze(describeOwnSchemas(context)),
    parsers: Object.freeze(describeOwnParsers(context)),
    settings: Object.freeze(describeSettings(context)),
    errorHandler: describeErrorHandler(context),
    notFoundHandler: handler === undefined ? null : describeHandler(handler.handler, handler.callSite, path),
    routes: Object.freeze((routes.get(context) ?? []).map((record) => describeRoute(record))),
    children: Object.freeze((children.get(context) ?? []).map((child) => describeContext(child, inventory))),
  })
}

/** Describes a plugin and those that it registered; callbacks of `after` are not plugins, what they registered is. */
function describePlugin(node: LoadNode): PluginDescription {
  const { name, path, callSite, context, parent, tookMs, children } = node
  const plugins = children.flatMap((child) => (child.isCallback ? child.children : [child]))
  return Object.freeze({
    name,
    path,
    callSite: callSite?.toString() ?? null,
    context: context.path,
    sharesContext: parent?.context === context,
    tookMs,
    children: Object.freeze(plugins.map((child) => describePlugin(child))),
  })
}

function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
