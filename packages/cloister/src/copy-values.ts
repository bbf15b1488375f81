import { isRecord } from './guards.ts'

/** Sets a property of an object itself, whatever its name is: `__proto__` would replace the prototype. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * Copies values as JSON and parsers of queries have them, which validation changes; others, such as files, stay the same.
 *
 * @throws RangeError for a value that is nested too deeply
 */
export function copyValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyValues)
  if (!isRecord(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  // Parsers of queries have a prototype of their own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return value
  const copied: Record<string, unknown> = prototype === null ? { __proto__: null } : {}
  for (const name of Object.keys(value)) setOwn(copied, name, copyValues(value[name]))
  return copied
}
