import { inherit, isRecord } from '../guards.ts'
import { Context } from './context.ts'
import { bindMethods, DETACHED_METHODS_OF_CONTEXTS } from './detached-methods.ts'
import { ParserTable } from '../body/parser-table.ts'
import { kContext } from '../symbols.ts'

/** Joins the prefix of a context with that of a child, with exactly one slash between them. */
export function joinPrefix(parent: string, child: string): string {
  if (child === '') return parent
  if (parent.endsWith('/') !== child.startsWith('/')) return parent + child
  return parent.endsWith('/') ? parent + child.slice(1) : `${parent}/${child}`
}

/**
 * Creates a child context. This function is the encapsulation rule. A child
 * - inherits through its parent, so that it sees what an ancestor adds at any time: decorators, hooks, settings
 *   (handlers, compilers, formatter), shared schemas, body parsers;
 * - owns everything that is added to it; parents and siblings don't see it;
 * - shares with all contexts: the options, the logger, the router, the schema engine (`ContextServices`).
 *
 * The instance of a child inherits from the parent's instance, so the same rule applies to properties that a plugin
 * sets by hand.
 */
export function createChild(parent: Context, name: string): Context {
  const child = new Context({
    app: parent.app,
    parent,
    name,
    pluginNames: [name],
    prefix: parent.prefix,
    parsers: new ParserTable(parent.parsers),
    schemas: parent.app.engine.createStore(parent.schemas, name),
    logLevel: parent.logLevel,
    logSerializers: parent.logSerializers,
    builtIns: parent.builtIns,
  })
  child.instance = inherit(parent.instance, { [kContext]: { value: child } })
  bindMethods(child.instance, DETACHED_METHODS_OF_CONTEXTS)
  return child
}

/**
 * Applies the options of `register` to a child before its plugin runs. Values of another type belong to the plugin and
 * are ignored.
 */
export function applyChildOptions(child: Context, options: Readonly<Record<string, unknown>>): void {
  const { prefix, logLevel, logSerializers, serialization } = options
  if (typeof prefix === 'string') child.prefix = joinPrefix(child.prefix, prefix)
  if (typeof logLevel === 'string') child.logLevel = logLevel
  if (isRecord(logSerializers)) child.logSerializers = { ...child.logSerializers, ...logSerializers }
  if (serialization === 'compat' || serialization === 'strict')
    child.set('serialization', serialization, null)
}
