import { isObject } from '../guards.ts'

/**
 * How often the schemas inside a schema can be combined, as a power of two: each union, each condition and each schema
 * that is read together with the one around it multiplies the forms that a serializer may have to read.
 */
export function combinationsOf(schema: unknown): number {
  return countBelow(schema, new Set())
}

function countBelow(value: unknown, seen: Set<object>): number {
  if (!isObject(value) || seen.has(value)) return 0
  seen.add(value)
  let count = 0
  for (const key of Object.keys(value)) count += combinationsAt(key, value) + countBelow(value[key], seen)
  return count
}

/** The share of one keyword. A key in data may be counted too, which does no harm. */
export function combinationsAt(key: string, schema: Readonly<Record<string, unknown>>): number {
  switch (key) {
    case 'anyOf':
    case 'oneOf': {
      const branches = schema[key]
      return Array.isArray(branches) && branches.length > 1 ? Math.log2(branches.length) : 0
    }
    case 'dependencies':
    case 'dependentSchemas':
      return isObject(schema[key]) ? Object.keys(schema[key]).length : 0
    case 'if':
    case 'allOf':
    case 'patternProperties':
      return 1
    case '$ref':
      return Object.keys(schema).length > 1 ? 1 : 0
    default:
      return 0
  }
}
