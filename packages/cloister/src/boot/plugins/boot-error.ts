import type { LoadNode } from './load-node.ts'

const DESCRIBED: unique symbol = Symbol('cloister.bootError')

/**
 * Adds to an error of a plugin which plugin it was, who registered it and where: once, by the innermost plugin. The
 * message stays as it is; what is added is `error.plugin` and a line at the end of the stack.
 */
export function describeBootError(thrown: Error, node: LoadNode): Error {
  if (Object.hasOwn(thrown, DESCRIBED) || Object.isFrozen(thrown)) return thrown
  const callSite = node.callSite?.toString() ?? 'an unknown file'
  Object.defineProperties(thrown, {
    [DESCRIBED]: { value: true },
    plugin: { value: { path: node.path, callSite }, enumerable: false, configurable: true },
    stack: {
      value: `${thrown.stack ?? String(thrown)}\n    in plugin ${node.path} (registered at ${callSite})`,
      enumerable: false,
      configurable: true,
      writable: true,
    },
  })
  return thrown
}
