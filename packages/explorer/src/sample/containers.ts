import type { Schema } from '../schema-rows.ts'
import { isRecord, listOf } from './merge.ts'
import { numberOr } from './numbers.ts'
import { textsOf } from './sample-text.ts'

/** Returns values that a schema below accepts, the plainest first; an empty list if none is known. */
export type Below = (schema: unknown) => readonly unknown[]

/** No list or object of a form is longer. */
const MAX_LENGTH = 50

/** Returns lists that a schema may accept. */
export function listsOf(schema: Schema, below: Below): unknown[][] {
  const { items, contains, uniqueItems, minItems, maxItems, minContains } = schema
  const prefix = Array.isArray(items) ? items : listOf(schema['prefixItems'])
  const rest = Array.isArray(items) ? schema['additionalItems'] : items
  const least = Math.min(numberOr(minItems, 0), MAX_LENGTH)
  const most = numberOr(maxItems, MAX_LENGTH)
  const first = prefix.map((one) => below(one)[0])
  const wanted = contains === undefined ? 0 : numberOr(minContains, 1)
  const found = take(below(contains ?? {}), wanted, uniqueItems === true)
  const more = rest === false ? [] : below(rest ?? {})
  const lists = [Math.max(least, first.length + found.length, 1), least, first.length + found.length, 0]
    .map((count) => Math.min(Math.max(count, least), most))
    .map((count) => {
      const begin = [...first, ...found].slice(0, Math.max(count, found.length))
      return [...begin, ...take(more, count - begin.length, uniqueItems === true, begin)]
    })
  return lists.filter((list) => !list.includes(undefined) && list.length >= least)
}

/** Takes a number of values, each once if they have to differ. */
function take(
  values: readonly unknown[],
  count: number,
  isUnique: boolean,
  taken: readonly unknown[] = [],
): unknown[] {
  if (count <= 0 || values.length === 0) return []
  if (!isUnique) return Array.from({ length: count }, () => values[0])
  const texts = new Set(taken.map((one) => JSON.stringify(one)))
  return [...new Set(values.map((one) => JSON.stringify(one)))]
    .filter((text) => !texts.has(text))
    .slice(0, count)
    .map((text): unknown => JSON.parse(text))
}

/**
 * Returns objects that a schema may accept: with what is required and what has a default, and with all properties.
 *
 * @param isWhole - whether the one with all properties comes first
 */
export function objectsOf(schema: Schema, below: Below, isWhole: boolean): Schema[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = listOf(schema['required']).map(String)
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const isRead = (name: string): boolean =>
    isRecord(properties[name]) && properties[name]['readOnly'] === true
  const hasDefault = (name: string): boolean => isRecord(properties[name]) && 'default' in properties[name]
  const all = optional.filter((name) => !isRead(name))
  const choices = isWhole
    ? [all, all.filter(hasDefault), []]
    : [all.filter(hasDefault), all, [], ...all.map((name) => [name])]
  return choices.flatMap((chosen) => {
    const made = make(schema, properties, [...required, ...chosen], below)
    return made === null ? [] : [made]
  })
}

function make(schema: Schema, properties: Schema, names: readonly string[], below: Below): Schema | null {
  const required = listOf(schema['required'])
  const most = numberOr(schema['maxProperties'], MAX_LENGTH)
  const made: Record<string, unknown> = {}
  const add = (name: string): boolean => {
    if (Object.hasOwn(made, name)) return true
    const [value] = below(schemaOf(schema, properties, name))
    if (value === undefined) return false
    made[name] = value
    return listOf(dependentsOf(schema)[name]).every((one) => add(String(one)))
  }
  for (const name of names) {
    const isRequired = required.includes(name)
    if (!isRequired && Object.keys(made).length >= most) continue
    if (!add(name) && isRequired) return null
  }
  const least = Math.min(numberOr(schema['minProperties'], 0), MAX_LENGTH)
  const spare = [...Object.keys(properties), ...extraNames(schema)]
  for (const name of spare) if (Object.keys(made).length < least) add(name)
  return made
}

function dependentsOf(schema: Schema): Schema {
  const given = schema['dependentRequired'] ?? schema['dependencies']
  return isRecord(given) ? given : {}
}

/** The schema of a property: its own one with those of the patterns that its name has, or that of all others. */
function schemaOf(schema: Schema, properties: Schema, name: string): unknown {
  const patterns = Object.entries(isRecord(schema['patternProperties']) ? schema['patternProperties'] : {})
  const own = [
    ...(name in properties ? [properties[name]] : []),
    ...patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, one]) => one),
  ]
  if (own.length === 0) return schema['additionalProperties'] ?? {}
  return own.length === 1 ? own[0] : { allOf: own }
}

/** Names for properties that a schema does not name. */
function extraNames(schema: Schema): string[] {
  const patterns = Object.keys(isRecord(schema['patternProperties']) ? schema['patternProperties'] : {})
  const rule = isRecord(schema['propertyNames']) ? schema['propertyNames'] : {}
  const listed = listOf(rule['enum']).map(String)
  const numbered = Array.from({ length: 12 }, (_, index) => `key${index + 1}`)
  return [...listed, ...patterns.flatMap((pattern) => textsOf({ pattern })), ...textsOf(rule), ...numbered]
}
