/** Finds references to schemas that become functions of their own, which all serializers share. */
import { isSchemaObject } from '../../guards.ts'
import { hasReference, hasSiblings } from '../../document/references.ts'
import type { SchemaLocation } from '../../document/location.ts'
import type { RefScope, SchemaObject } from './source.ts'

/** The whole of a shared schema. */
export interface SharedTarget {
  readonly location: SchemaLocation
  readonly schema: SchemaObject
}

/** Returns the target of a `$ref` to a whole shared schema; undefined for any other schema. */
export function sharedTarget(location: SchemaLocation, scope: RefScope): SharedTarget | undefined {
  const { schema } = location
  if (!isSchemaObject(schema) || typeof schema['$ref'] !== 'string' || schema['nullable'] === true)
    return undefined
  if (schema['$dynamicRef'] !== undefined || hasSiblings(location)) return undefined
  const target = scope.resolve(location, schema['$ref'])
  if (target === undefined || target.document.sharedId === undefined || target.pointer !== '')
    return undefined
  return isSchemaObject(target.schema) ? { location: target, schema: target.schema } : undefined
}

/**
 * Whether a shared schema is compiled separately: an object schema without references. A default belongs to the
 * property that refers to the schema, so schemas with a default are not shared.
 */
export function isShareable(schema: SchemaObject): boolean {
  return schema['type'] === 'object' && schema['default'] === undefined && !hasReference(schema)
}
