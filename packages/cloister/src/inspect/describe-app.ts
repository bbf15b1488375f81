import type { LoadNode } from '../boot/plugins/load-node.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import type { Context } from '../context/context.ts'
import type { DecoratorKind } from '../context/decorators.ts'
import { sharedSchemas } from '../context/shared-schemas.ts'
import { isRecord } from '../functions.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import { describeErrorHandler, describeHook, describeHooks, describeRoute } from './describe-route.ts'
import type {
  AppDescription,
  ContextDescription,
  DecoratorDescription,
  HookDescription,
  PluginDescription,
} from './description.ts'

/** The parts of an app that a description reads. */
export type InspectedApp = Pick<ManagedApp, 'queue' | 'root' | 'routes' | 'applicationHooks'>

/** Describes an app as it is now: complete once the app is ready, before that as far as it has loaded. */
export function describeApp(app: InspectedApp): AppDescription {
  const { queue, root, routes } = app
  const contexts = contextsOf(queue.root)
  const children = groupBy(contexts, ({ parent }) => parent)
  const byContext = groupBy(routes.records, ({ context }) => context)
  return Object.freeze({
    contexts: describeContext(root, children, byContext),
    hooks: Object.freeze(describeLife(app, contexts)),
    plugins: describePlugin(queue.root),
  })
}

/** The contexts that plugins were given, in the order of loading. */
function contextsOf(node: LoadNode): ReadonlySet<Context> {
  return new Set([node.context, ...node.children.flatMap((child) => [...contextsOf(child)])])
}

/** Describes the hooks of the application's life; each keeps the instance that it was added to. */
function describeLife(
  { applicationHooks, root }: InspectedApp,
  contexts: ReadonlySet<Context>,
): HookDescription[] {
  const paths = new Map([...contexts].map(({ instance, path }) => [instance, path]))
  return Object.values(applicationHooks).flatMap((hooks) =>
    hooks.map(({ entry, instance }) => describeHook(entry, paths.get(instance) ?? root.path)),
  )
}

function describeContext(
  context: Context,
  children: ReadonlyMap<Context | null, readonly Context[]>,
  routes: ReadonlyMap<Context, readonly RouteRecord[]>,
): ContextDescription {
  const { name, path, prefix, pluginNames } = context
  return Object.freeze({
    name,
    path,
    prefix,
    plugins: Object.freeze([...pluginNames]),
    hooks: Object.freeze(describeHooks(context)),
    decorators: Object.freeze(describeDecorators(context)),
    schemas: Object.freeze(ownSchemas(context)),
    errorHandler: describeErrorHandler(context),
    routes: Object.freeze((routes.get(context) ?? []).map((record) => describeRoute(record))),
    children: Object.freeze(
      (children.get(context) ?? []).map((child) => describeContext(child, children, routes)),
    ),
  })
}

const KINDS: readonly DecoratorKind[] = ['instance', 'request', 'reply']

function describeDecorators({ decorators }: Context): DecoratorDescription[] {
  return KINDS.flatMap((kind) =>
    [...decorators[kind].own].map(({ name, callSite }) =>
      Object.freeze({ kind, name: String(name), callSite: callSite.toString() }),
    ),
  )
}

/** The `$id`s that a context sees and its parent does not. */
function ownSchemas(context: Context): string[] {
  const inherited = new Set(context.parent === null ? [] : visibleIds(context.parent))
  return visibleIds(context).filter((id) => !inherited.has(id))
}

function visibleIds(context: Context): string[] {
  const schemas = sharedSchemas(context)
  return isRecord(schemas) ? Object.keys(schemas) : []
}

/** Describes a plugin and those that it registered; callbacks of `after` are not plugins. */
function describePlugin({
  name,
  path,
  callSite,
  context,
  parent,
  tookMs,
  children,
}: LoadNode): PluginDescription {
  const plugins = children.filter((child) => child.name !== 'after')
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
