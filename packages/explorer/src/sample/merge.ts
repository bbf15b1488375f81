import type { Schema } from '../schema-rows.ts'

const LARGER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']
const SMALLER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']

/** Returns a schema with the rules of both. What cannot be combined is that of the second one; the judge decides. */
export function merge(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one }
  for (const [keyword, value] of Object.entries(other)) {
    const own = one[keyword]
    merged[keyword] = own === undefined ? value : both(keyword, own, value)
  }
  return merged
}

function both(keyword: string, own: unknown, value: unknown): unknown {
  if (typeof own === 'number' && typeof value === 'number') {
    if (LARGER.includes(keyword)) return Math.max(own, value)
    if (SMALLER.includes(keyword)) return Math.min(own, value)
  }
  if (keyword === 'required') return [...new Set([...listOf(own), ...listOf(value)])]
  if (keyword === 'type') return [own].flat().filter((type) => [value].flat().includes(type))
  if (keyword === 'enum') return listOf(own).filter((one) => listOf(value).includes(one))
  if (keyword === 'properties' && isRecord(own) && isRecord(value)) return mergeProperties(own, value)
  if (keyword === 'items' && isRecord(own) && isRecord(value)) return { allOf: [own, value] }
  return value
}

function mergeProperties(own: Schema, value: Schema): Schema {
  const merged: Record<string, unknown> = { ...own }
  for (const [name, schema] of Object.entries(value)) {
    merged[name] = name in own ? { allOf: [own[name], schema] } : schema
  }
  return merged
}

/** Returns a value that is a list, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
