/** A function of unknown arguments. */
export type AnyFunction = (...args: unknown[]) => unknown

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a member of a value; `undefined` if there is none. */
export function look(value: unknown, key: PropertyKey): unknown {
  const hasMembers = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return hasMembers ? Reflect.get(value, key) : undefined
}
