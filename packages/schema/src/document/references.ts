import { isObject } from '../guards.ts'

/** True when a `$ref` is anywhere in a schema, be it in data: Ajv looks no closer either. */
export function hasReference(schema: unknown): boolean {
  if (!isObject(schema)) return false
  for (const key of Object.keys(schema)) {
    if (key === '$ref' || hasReference(schema[key])) return true
  }
  return false
}
