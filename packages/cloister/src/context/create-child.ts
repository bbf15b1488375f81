import { inherit, isFunction, isRecord, recordOf, typeName } from '../guards.ts'
import { refuseOptions } from '../options/option-row.ts'
import { nearestName } from '../suggest.ts'
import { Context } from './context.ts'
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
  const child = new Context(parent.app, parent, name, parent.builtIns)
  // A detached `getSchemas` keeps the context from which it was read.
  child.instance = createInstance(parent.instance, child, ['getSchemas'])
  return child
}

/**
 * Creates the object that user code calls the app, for a context.
 *
 * @param detached - the methods that also work detached, as in `const { close } = app`. Called on another instance, they
 * use that instance; called without `this`, they use this one
 */
export function createInstance(parent: object, context: Context, detached: readonly string[]): object {
  const instance = inherit(parent, { [kContext]: { value: context } })
  for (const name of detached) {
    const method: unknown = Reflect.get(instance, name)
    if (!isFunction(method)) continue
    const value = function (this: unknown, ...args: unknown[]): unknown {
      const isInstance = typeof this === 'object' && this !== null && kContext in this
      return method.apply(isInstance ? this : instance, args)
    }
    Object.defineProperty(value, 'name', { value: name, configurable: true })
    Object.defineProperty(value, 'length', { value: method.length, configurable: true })
    Object.defineProperty(instance, name, { value, writable: true, configurable: true })
  }
  return instance
}

/**
 * Applies the options of `register` to a child before its plugin runs. An options function may have them as properties,
 * which take precedence over those of its result. Most values of another type belong to the plugin and are ignored.
 *
 * @throws `CLO_ERR_INIT_OPTS_INVALID`
 */
export function applyChildOptions(child: Context, given: unknown, result: unknown): void {
  const own = isFunction(given) ? Object.fromEntries(Object.entries(given)) : {}
  const options: Record<string, unknown> = { ...recordOf(result), ...own }
  const { prefix, logLevel, logSerializers, serialization } = options
  if (typeof prefix === 'string') child.prefix = joinPrefix(child.prefix, prefix)
  else if (prefix != null) refuseOptions(`'prefix' of a plugin must be a string, got ${typeName(prefix)}`)
  if (typeof logLevel === 'string') child.logLevel = logLevel
  if (isRecord(logSerializers)) child.logSerializers = { ...child.logSerializers, ...logSerializers }
  if (serialization === 'compat' || serialization === 'strict')
    child.set('serialization', serialization, null)
  else if (typeof serialization === 'string') {
    // The plugin may have its own option with this name. A value close to a valid one is meant for the framework.
    const hint = nearestName(serialization, ['compat', 'strict'])
    const wanted = "'serialization' of a plugin must be 'compat' or 'strict'"
    if (hint !== '') refuseOptions(`${wanted}, got ${JSON.stringify(serialization)}${hint}`)
  }
}
