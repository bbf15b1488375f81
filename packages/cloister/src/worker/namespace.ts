import type { Namespace, withNamespace as replaced } from '../app/namespace.ts'
import { namespace } from './originals/namespace.ts'

const NAMES = [
  'definePlugin',
  'CloisterError',
  'createErrorCodes',
  'errorCodes',
  'LogController',
  'sse',
] as const satisfies readonly (keyof Namespace)[]

/** Gives the factory the other exports as properties, which are looked up when they are read: few apps do. */
export const withNamespace: typeof replaced = <F extends object>(factory: F): F & Namespace => {
  const properties = NAMES.map((name): [string, PropertyDescriptor] => [
    name,
    { enumerable: true, get: () => namespace()[name] },
  ])
  Object.defineProperties(factory, Object.fromEntries(properties))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the line above has defined all names
  return factory as F & Namespace
}
