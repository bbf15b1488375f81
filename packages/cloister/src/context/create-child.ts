import { inherit, isRecord } from '../guards.ts'
import { Context } from './context.ts'
import { bindMethods, DETACHED_METHODS_OF_CONTEXTS } from './detached-methods.ts'
import { ParserTable } from '../body/parser-table.ts'
import { kContext } from '../symbols.ts'

/** Joins the prefix of a context with that of a child: exactly one slash between them. */
export function joinPrefix(parent: string, child: string): string {
  if (child === '') return parent
  if (parent.endsWith('/') !== child.startsWith('/')) return parent + child
  return parent.endsWith('/') ? parent + child.slice(1) : `${parent}/${child}`
}

/**
 * The encapsulation rule, on one screen. A child
 *
 * - inherits by chain, so that what an ancestor adds is seen below whenever it is added: decorators, hooks,
 *   settings (handlers, compilers, formatter), shared schemas, body parsers;
 * - has of its own: everything that is added from now on, which neither parent nor sibling sees;
 * - shares with all: the options, the logger, the router, the schema engine (`ContextServices`).
 *
 * The instance that user code sees inherits from the parent's, so properties that a plugin sets by hand follow the
 * same rule.
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

/** Reads the options of `register` for a child, before its plugin runs. Values of another type are the plugin's. */
export function applyChildOptions(child: Context, options: Readonly<Record<string, unknown>>): void {
  const { prefix, logLevel, logSerializers, serialization } = options
  if (typeof prefix === 'string') child.prefix = joinPrefix(child.prefix, prefix)
  if (typeof logLevel === 'string') child.logLevel = logLevel
  if (isRecord(logSerializers)) child.logSerializers = { ...child.logSerializers, ...logSerializers }
  if (serialization === 'compat' || serialization === 'strict')
    child.set('serialization', serialization, null)
}
