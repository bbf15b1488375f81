import { isObject, isSchemaObject } from '../guards.ts'
import type { SchemaLocation } from './location.ts'

/** True when a `$ref` is anywhere in a schema, be it in data: Ajv looks no closer either. */
export function hasReference(schema: unknown): boolean {
  if (!isObject(schema)) return false
  for (const key of Object.keys(schema)) {
    if (key === '$ref' || hasReference(schema[key])) return true
  }
  return false
}

/** The `$ref` of a schema, if it has one. */
export function refOf({ schema }: SchemaLocation): string | undefined {
  const ref = isSchemaObject(schema) ? schema['$ref'] : undefined
  return typeof ref === 'string' ? ref : undefined
}
