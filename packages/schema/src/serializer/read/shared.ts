/** Which references lead to a schema that is worth a function of its own, shared by all serializers. */
import { isSchemaObject } from '../../guards.ts'
import { hasReference } from '../../document/references.ts'
import type { SchemaLocation } from '../../document/location.ts'
import type { RefScope, SchemaObject } from './source.ts'

/** The whole of a shared schema. */
export interface SharedTarget {
  readonly location: SchemaLocation
  readonly schema: SchemaObject
}

/** What a place refers to that is a `$ref` to the whole of a shared schema and says no more; nothing for any other. */
export function sharedTarget(location: SchemaLocation, scope: RefScope): SharedTarget | undefined {
  const { schema } = location
  if (!isSchemaObject(schema) || typeof schema['$ref'] !== 'string' || schema['nullable'] === true)
    return undefined
  const target = scope.resolve(location, schema['$ref'])
  if (target === undefined || target.document.sharedId === undefined || target.pointer !== '')
    return undefined
  return isSchemaObject(target.schema) ? { location: target, schema: target.schema } : undefined
}

/**
 * Whether a shared schema is compiled apart: object schemas that refer to no others. A default belongs to the
 * property that refers to the schema, and so is not shared.
 */
export function isShareable(schema: SchemaObject): boolean {
  return schema['type'] === 'object' && schema['default'] === undefined && !hasReference(schema)
}
