/** A function of all schemas in a schema. */

/** A schema that is an object, or data in one. */
export type Tree = { readonly [key: string]: unknown }

/** Changes a schema whose inner schemas are changed already; `original` is the schema before any change. */
type Change = (schema: Tree, isValue: boolean, original: Tree) => Tree

/** Keywords with one schema, a list or a map of them; `true` if they are about a value inside the value. */
const ONE: Readonly<Record<string, boolean>> = {
  items: true,
  additionalItems: true,
  additionalProperties: true,
  unevaluatedProperties: true,
  unevaluatedItems: true,
  contains: false,
  propertyNames: false,
  if: false,
  then: false,
  else: false,
  not: false,
}
const LISTS: Readonly<Record<string, boolean>> = {
  items: true,
  prefixItems: true,
  allOf: false,
  anyOf: false,
  oneOf: false,
}
const MAPS: Readonly<Record<string, boolean>> = {
  properties: true,
  patternProperties: true,
  definitions: false,
  dependencies: false,
  dependentSchemas: false,
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function treeOf(value: unknown): Tree {
  return isTree(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Changes a schema and all schemas inside it, the inner ones first. */
export function mapSchemas(schema: unknown, change: Change, isValue: boolean = true): unknown {
  if (!isTree(schema)) return schema
  const inner = Object.entries(schema).map(([keyword, below]) => [
    keyword,
    mapKeyword(keyword, below, change),
  ])
  return change(Object.fromEntries(inner), isValue, schema)
}

function mapKeyword(keyword: string, below: unknown, change: Change): unknown {
  if (Array.isArray(below)) {
    if (!Object.hasOwn(LISTS, keyword)) return below
    return below.map((one) => mapSchemas(one, change, LISTS[keyword]))
  }
  if (Object.hasOwn(ONE, keyword)) return mapSchemas(below, change, ONE[keyword])
  if (!Object.hasOwn(MAPS, keyword) || !isTree(below)) return below
  return Object.fromEntries(
    Object.entries(below).map(([name, one]) => [name, mapSchemas(one, change, MAPS[keyword])]),
  )
}
