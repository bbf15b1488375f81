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

/** The parts of an app that a description reads. */
type InspectedApp = Pick<ManagedApp, 'queue' | 'root' | 'routes' | 'applicationHooks' | 'notFoundHandlers'>

/** Describes an app as it is now: complete once the app is ready, before that as far as it has loaded. */
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

/** Describes a plugin and those that it registered; callbacks of `after` are not plugins, what they registered is. */
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
