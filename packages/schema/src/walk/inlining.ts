import { hasReference } from '../document/references.ts'
import { namesOf } from '../document/vocabulary.ts'
import { isObject } from '../guards.ts'

/*
 * Decides which referenced schemas Ajv inlines: by default those that contain no references. The names of keywords
 * count at any position, even as property names.
 */

const REFERENCES = ['$ref', '$recursiveRef', '$recursiveAnchor', '$dynamicRef', '$dynamicAnchor']

/** Keywords whose values Ajv doesn't count. */
const COUNTED_ONCE: ReadonlySet<string> = new Set(namesOf(({ isCountedOnce }) => isCountedOnce === true))

/** @param limit - the option `inlineRefs`: whether to inline, or up to how many keywords */
export function isInlined(schema: unknown, limit: boolean | number): boolean {
  if (typeof schema === 'boolean') return true
  if (limit === true) return !hasReference(schema, REFERENCES)
  return limit !== false && countKeywords(schema) <= limit
}

/** Returns the number of keywords in a schema; infinite if it has a reference. */
function countKeywords(schema: unknown): number {
  if (!isObject(schema)) return 0
  let count = 0
  for (const key of Object.keys(schema)) {
    if (key === '$ref') return Infinity
    count += 1
    const value = schema[key]
    if (COUNTED_ONCE.has(key) || !isObject(value)) continue
    for (const entry of Array.isArray(value) ? value : [value]) count += countKeywords(entry)
  }
  return count
}
