import type { LoadNode } from '../boot/plugins/load-node.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import type { Context } from '../context/context.ts'
import type { AppDescription, ContextDescription, PluginDescription } from '../types/description.generated.ts'
import {
  describeDecorators,
  describeErrorHandler,
  describeHandler,
  describeHook,
  describeOwnParsers,
  describeOwnSchemas,
  describeSettings,
  frozen,
} from './describe-parts.ts'
import { describeRoute } from './describe-route.ts'

type InspectedApp = Pick<ManagedApp, 'queue' | 'root' | 'routes' | 'applicationHooks' | 'notFoundHandlers'>

/** Describes an app in its current state. The description is complete once the app is ready. */
export function describeApp(app: InspectedApp): AppDescription {
  return frozen({
    kind: 'app',
    contexts: describeContext(app.root, app),
    hooks: Object.values(app.applicationHooks).flat().map(describeHook),
    plugins: describePlugin(app.queue.root),
  })
}

function describeContext(context: Context, app: InspectedApp): ContextDescription {
  const { name, path, prefix, pluginNames, hooks, children, loading } = context
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
    parsers: describeOwnParsers(context),
    settings: describeSettings(context),
    errorHandler: describeErrorHandler(context),
    notFoundHandler:
      notFound === undefined ? null : describeHandler(notFound.handler, notFound.callSite, context),
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
