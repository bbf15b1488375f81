import { isObject, isSchemaObject } from '../guards.ts'
import type { SchemaLocation } from './location.ts'

/** Whether a schema has a `$ref` anywhere, even in data: Ajv does not distinguish either. */
export function hasReference(schema: unknown): boolean {
  if (!isObject(schema)) return false
  for (const key of Object.keys(schema)) {
    if (key === '$ref' || hasReference(schema[key])) return true
  }
  return false
}

/** Returns the `$ref` of a schema, if it has one. */
export function refOf({ schema }: SchemaLocation): string | undefined {
  const ref = isSchemaObject(schema) ? schema['$ref'] : undefined
  return typeof ref === 'string' ? ref : undefined
}
