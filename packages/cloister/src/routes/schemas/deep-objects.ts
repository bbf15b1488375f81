import { isPlainObject } from '@cloister/schema'

import { isRecord } from '../../guards.ts'
import type { PartValidateFunction } from '../../request/route-plan.ts'

/** The properties of a query that are objects. */
export function objectNames(schema: unknown): readonly string[] {
  const properties: unknown = isPlainObject(schema) ? schema['properties'] : undefined
  if (!isPlainObject(properties)) return []
  return Object.keys(properties).filter((name) => {
    const property = properties[name]
    return isPlainObject(property) && property['type'] === 'object'
  })
}

/**
 * Lets a validator of a query see objects where clients write `name[key]=value`, as documents say it (style `deepObject`
 * of OpenAPI).
 */
export function withDeepObjects(
  validate: PartValidateFunction,
  names: readonly string[],
): PartValidateFunction {
  if (names.length === 0) return validate
  return withErrorsOf(validate, (data, holder) => {
    if (isRecord(data)) for (const name of names) gather(data, name)
    return validate(data, holder)
  })
}

/** Gives a function that wraps a validator the errors of the validator. */
export function withErrorsOf(
  validate: PartValidateFunction,
  wrapped: (...args: Parameters<PartValidateFunction>) => unknown,
): PartValidateFunction {
  return Object.defineProperty(wrapped, 'errors', { get: () => validate.errors })
}

function gather(query: Record<string, unknown>, name: string): void {
  const start = `${name}[`
  const keys = Object.keys(query).filter((key) => key.startsWith(start) && key.endsWith(']'))
  if (keys.length === 0 || query[name] !== undefined) return
  // A key such as `__proto__` is an own property of what this makes.
  query[name] = Object.fromEntries(keys.map((key) => [key.slice(start.length, -1), query[key]]))
  for (const key of keys) delete query[key]
}
