import { childLocation, type SchemaLocation, type SchemaScope } from '@cloister/schema'
import { isPlainObject } from '@cloister/schema/internal'

import { isRecord } from '../../guards.ts'
import type { Context } from '../../context/context.ts'
import { schemaScopeOf } from '../../context/shared-schemas.ts'
import type { PartValidateFunction } from '../../request/route-plan.ts'

export interface PlacedSchema {
  readonly at: SchemaLocation
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * Yields the schemas that apply to the same value as one schema: the target of `$ref`, then those under some keywords,
 * each before the schema that refers to it.
 *
 * @param keywords - the keywords with a schema or a list of them, such as `allOf`
 */
export function* inPlace(
  at: SchemaLocation,
  scope: SchemaScope,
  keywords: readonly string[],
  seen: Set<unknown> = new Set(),
): Generator<PlacedSchema> {
  const { schema } = at
  if (!isRecord(schema) || seen.has(schema)) return
  seen.add(schema)
  const { $ref } = schema
  const target = typeof $ref === 'string' ? scope.resolve(at, $ref) : undefined
  if (target !== undefined) yield* inPlace(target, scope, keywords, seen)
  for (const keyword of keywords) {
    const below = schema[keyword]
    const steps = Array.isArray(below) ? Array.from(below.keys(), (index) => [keyword, index]) : [[keyword]]
    for (const path of steps) yield* inPlace(childLocation(at, path), scope, keywords, seen)
  }
  yield { at, schema }
}

/** Keywords with subschemas for the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf'] as const

/** Returns the properties of a query that may be objects, following `$ref`, `allOf` and unions. */
function objectNames(schema: unknown, context: Context): readonly string[] {
  if (!isPlainObject(schema)) return []
  const properties = isPlainObject(schema['properties']) ? schema['properties'] : {}
  const isPlain = (given: unknown): boolean => !isPlainObject(given) || given['type'] !== undefined
  if (Object.values(properties).every(isPlain) && ![...IN_PLACE, '$ref'].some((name) => name in schema))
    return Object.keys(properties).filter((name) => isOfObjects(properties[name]))
  const scope = schemaScopeOf(context, new WeakMap())
  const names = new Set<string>()
  for (const { at, schema: part } of inPlace(scope.open(schema), scope, IN_PLACE)) {
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

function gather(query: Record<string, unknown>, name: string): void {
  const start = `${name}[`
  const keys = Object.keys(query).filter((key) => key.startsWith(start) && key.endsWith(']'))
  if (keys.length === 0 || query[name] !== undefined) return
  // `Object.fromEntries` makes a key such as `__proto__` an own property.
  query[name] = Object.fromEntries(keys.map((key) => [key.slice(start.length, -1), query[key]]))
  for (const key of keys) delete query[key]
}
