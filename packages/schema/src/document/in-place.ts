import { isSchemaObject } from '../guards.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from './location.ts'

/** A schema that is no boolean, and its location. */
export interface PlacedSchema {
  /** Where it is. */
  readonly at: SchemaLocation
  /** The schema. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** Keywords with a schema for the same value, or a list of them. */
export const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const

/**
 * Yields the schemas that describe the same value as one schema (JSON Schema 2020-12, 10.2): the target of `$ref`, then
 * those below {@link IN_PLACE}, each before the schema that refers to it.
 *
 * @param seen - schemas that are left out; gets those that were yielded
 *
 * @example
 * ```ts
 * import { schemasInPlace, SchemaScope } from '@cloister/schema'
 *
 * const shared = new Map([['named', { $id: 'named', required: ['name'] }]])
 * const scope = new SchemaScope({ get: (id) => shared.get(id), ids: () => shared.keys() })
 * const at = scope.open({ allOf: [{ $ref: 'named#' }], required: ['id'] })
 * for (const { schema } of schemasInPlace(at, scope)) console.log(schema['required'])
 * ```
 */
export function* schemasInPlace(
  at: SchemaLocation,
  scope: SchemaScope,
  seen: Set<unknown> = new Set(),
): Generator<PlacedSchema> {
  const { schema } = at
  if (!isSchemaObject(schema) || seen.has(schema)) return
  seen.add(schema)
  const { $ref } = schema
  const target = typeof $ref === 'string' ? scope.resolve(at, $ref) : undefined
  if (target !== undefined) yield* schemasInPlace(target, scope, seen)
  for (const keyword of IN_PLACE) {
    const below = schema[keyword]
    const steps = Array.isArray(below) ? Array.from(below.keys(), (index) => [keyword, index]) : [[keyword]]
    for (const path of steps) yield* schemasInPlace(childLocation(at, path), scope, seen)
  }
  yield { at, schema }
}
