import { IN_PLACE, isPlainObject } from '@cloister/schema/internal'

import { isRecord } from '../../guards.ts'
import type { Context } from '../../context/context.ts'
import type { PartValidateFunction } from '../../request/route-plan.ts'
import { isOfObjects, referredObjectNames } from './referred-objects.ts'

/** Returns the properties of a query that may be objects. */
function objectNames(schema: unknown, context: Context): readonly string[] {
  if (!isPlainObject(schema)) return []
  const properties = isPlainObject(schema['properties']) ? schema['properties'] : {}
  const isPlain = (given: unknown): boolean => !isPlainObject(given) || given['type'] !== undefined
  const isWhole = ![...IN_PLACE, '$ref'].some((name) => name in schema)
  return isWhole && Object.values(properties).every(isPlain)
    ? Object.keys(properties).filter((name) => isOfObjects(properties[name]))
    : referredObjectNames(schema, context)
}

/**
 * Parses query parameters of the form `name[key]=value` to objects before a validator runs, as OpenAPI documents
 * describe it (style `deepObject`). An application's parser creates objects in its own way.
 *
 * @param schema - the schema of the query
 */
export function withDeepObjects(
  validate: PartValidateFunction,
  schema: unknown,
  context: Context,
): PartValidateFunction {
  const names = context.app.options.querystringParser === null ? objectNames(schema, context) : []
  if (names.length === 0) return validate
  return withErrorsOf(validate, (data, holder) => {
    if (isRecord(data)) for (const name of names) gather(data, name)
    return validate(data, holder)
  })
}

/** Gives a function that wraps a validator the `errors` of the validator. */
export function withErrorsOf(
  validate: PartValidateFunction,
  wrapped: (...args: Parameters<PartValidateFunction>) => unknown,
): PartValidateFunction {
  return Object.defineProperty(wrapped, 'errors', { get: () => validate.errors })
}

/** What follows `name[`. */
const KEY_END = /^[^[\]]*\]$/

function gather(query: Record<string, unknown>, name: string): void {
  const start = `${name}[`
  // Names with more brackets stay as they are: `name[key][]` would become the key `key][`.
  const keys = Object.keys(query).filter(
    (key) => key.startsWith(start) && KEY_END.test(key.slice(start.length)),
  )
  if (keys.length === 0 || query[name] !== undefined) return
  // `Object.fromEntries` makes a key such as `__proto__` an own property.
  query[name] = Object.fromEntries(keys.map((key) => [key.slice(start.length, -1), query[key]]))
  for (const key of keys) delete query[key]
}
