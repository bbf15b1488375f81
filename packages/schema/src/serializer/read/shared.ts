/** Which references lead to a schema that is worth a function of its own, shared by all serializers. */
import { isSchemaObject } from '../../guards.ts'
import { hasReference } from '../../has-reference.ts'
import type { SchemaPlace } from '../../resolve-ref.ts'
import type { RefScope, SchemaObject } from './source.ts'

/** Where such a reference leads. */
export interface SharedTarget {
  readonly place: SchemaPlace
  readonly schema: SchemaObject
}

/**
 * The target of a place that is a `$ref` to the whole of a shared schema; nothing when the place says more, or
 * when the target is no object schema or refers to others.
 */
export function sharedTarget(place: SchemaPlace, scope: RefScope): SharedTarget | undefined {
  const { schema } = place
  if (!isSchemaObject(schema) || typeof schema['$ref'] !== 'string' || schema['nullable'] === true)
    return undefined
  const target = scope.resolve(place, schema['$ref'])
  return target !== undefined &&
    isWhole(target) &&
    isSchemaObject(target.schema) &&
    isShareable(target.schema)
    ? { place: target, schema: target.schema }
    : undefined
}

function isWhole({ document, pointer }: SchemaPlace): boolean {
  return document.sharedId !== undefined && pointer === ''
}

/** A default belongs to the property that refers to the schema, and so is not shared. */
function isShareable(schema: SchemaObject): boolean {
  return schema['type'] === 'object' && schema['default'] === undefined && !hasReference(schema)
}
