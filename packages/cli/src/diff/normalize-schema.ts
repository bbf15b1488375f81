import type { DocumentReader, Json } from './json.ts'
import { isObject, listOf, textOf } from './json.ts'
import { typesOf } from './keywords.ts'

const NOTHING: Json = { not: {} }

/** Whether a schema accepts no value. */
export function isNothing(schema: Json): boolean {
  return textOf(schema['not']) === '{}'
}

/**
 * Normalizes a schema: follows references, writes `nullable` and unions with `null` as types, writes boolean limits
 * (3.0) as numbers, and replaces an `allOf` with one member by this member.
 */
export function normalizeSchema(given: unknown, reader: DocumentReader): Json {
  if (given === false) return NOTHING
  let schema = reader.follow(given)
  const [only, ...others] = listOf(schema['allOf'])
  if (only !== undefined && others.length === 0) {
    const { allOf: _allOf, ...rest } = schema
    schema = { ...normalizeSchema(only, reader), ...rest }
  }
  return withLimits(withNull(withoutNullBranch(schema, reader)))
}

/** Rewrites `anyOf` of a schema and `null` as the schema with one more type. */
function withoutNullBranch(schema: Json, reader: DocumentReader): Json {
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword]).map((branch) => reader.follow(branch))
    const other = branches.filter(({ type }) => textOf(type) !== '"null"')
    const [only] = other
    if (branches.length !== 2 || other.length !== 1 || only?.['type'] === undefined) continue
    const { [keyword]: _branches, ...rest } = schema
    return { ...normalizeSchema(only, reader), nullable: true, ...rest }
  }
  return schema
}

function withNull({ nullable, ...schema }: Json): Json {
  if (nullable !== true || schema['type'] === undefined) return schema
  const values = schema['enum']
  const type = [...new Set([...typesOf(schema['type']), 'null'])]
  return Array.isArray(values)
    ? { ...schema, type, enum: [...new Set([...listOf(values), null])] }
    : { ...schema, type }
}

function withLimits(schema: Json): Json {
  const limits = [
    ['exclusiveMaximum', 'maximum'],
    ['exclusiveMinimum', 'minimum'],
  ] as const
  let found = schema
  for (const [exclusive, inclusive] of limits) {
    if (typeof found[exclusive] !== 'boolean') continue
    const { [exclusive]: isExclusive, [inclusive]: limit, ...rest } = found
    found = limit === undefined ? rest : { ...rest, [isExclusive === true ? exclusive : inclusive]: limit }
  }
  return found
}

/** Returns the schemas by name of a keyword such as `properties`. */
export function schemasOf(schema: Json, keyword: string): Readonly<Record<string, unknown>> {
  const found = schema[keyword]
  return isObject(found) ? found : {}
}
