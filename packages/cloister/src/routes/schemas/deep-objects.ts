import { childLocation, isPlainObject, type SchemaLocation, type SchemaScope } from '@cloister/schema'

import { isRecord } from '../../guards.ts'
import { inPlace } from './in-place.ts'
import type { PartValidateFunction } from '../../request/route-plan.ts'

/** The location of a query schema, and the scope of its references. */
export interface QuerySchema {
  readonly root: SchemaLocation
  readonly scope: SchemaScope
}

/** Keywords with subschemas for the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf'] as const

/**
 * Returns the properties of a query that may be objects, following `$ref`, `allOf` and unions.
 *
 * @param open - opens the schema; called only if a part of it has no plain type
 */
export function objectNames(schema: unknown, open: () => QuerySchema): readonly string[] {
  if (!isPlainObject(schema)) return []
  const properties = isPlainObject(schema['properties']) ? schema['properties'] : {}
  const isPlain = (given: unknown): boolean => !isPlainObject(given) || given['type'] !== undefined
  if (Object.values(properties).every(isPlain) && ![...IN_PLACE, '$ref'].some((name) => name in schema))
    return Object.keys(properties).filter((name) => isOfObjects(properties[name]))
  const { root, scope } = open()
  const names = new Set<string>()
  for (const { at, schema: part } of inPlace(root, scope, IN_PLACE)) {
    const declared = isPlainObject(part['properties']) ? Object.keys(part['properties']) : []
    for (const name of declared) {
      const property = inPlace(childLocation(at, ['properties', name]), scope, IN_PLACE)
      if ([...property].some((one) => isOfObjects(one.schema))) names.add(name)
    }
  }
  return [...names]
}

function isOfObjects(schema: unknown): boolean {
  const type = isPlainObject(schema) ? schema['type'] : undefined
  return Array.isArray(type) ? type.includes('object') : type === 'object'
}

/**
 * Parses query parameters of the form `name[key]=value` to objects before a validator runs, as OpenAPI documents
 * describe it (style `deepObject`).
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

/** Gives a function that wraps a validator the `errors` of the validator. */
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
  // `Object.fromEntries` makes a key such as `__proto__` an own property.
  query[name] = Object.fromEntries(keys.map((key) => [key.slice(start.length, -1), query[key]]))
  for (const key of keys) delete query[key]
}
