import type { Arbitrary } from 'fast-check'

import { isRecord, numberOr } from '../guards.ts'
import type { FastCheck } from '../packages.ts'
import type { Schema } from './scalar-values.ts'

/** From this nesting on, values are small, so that recursive schemas end. */
export const DEEPEST = 4
const MAX_LIST_LENGTH = 5

/** A schema in a document, with the nesting of its values. */
export interface Place {
  readonly schema: Schema
  readonly pointer: string
  readonly depth: number
}

/** Generates the values in arrays and objects. */
export interface InnerValues {
  readonly fc: FastCheck
  /** Returns values for the schema at a pointer below a place. */
  below(place: Place, ...tokens: (string | number)[]): Arbitrary<unknown>
  /** Returns values without a schema. */
  anything(depth: number): Arbitrary<unknown>
}

/** Returns arrays that match a schema. */
export function arraysOf(place: Place, inner: InnerValues): Arbitrary<unknown[]> {
  const { schema, depth } = place
  const { prefixItems, items, minItems, maxItems, uniqueItems, contains } = schema
  const first = Array.isArray(prefixItems)
    ? prefixItems.map((_, index) => inner.below(place, 'prefixItems', index))
    : []
  const min = Math.max(0, numberOr(minItems, 0) - first.length)
  const max = Math.max(
    min,
    Math.min(numberOr(maxItems, MAX_LIST_LENGTH) - first.length, min + MAX_LIST_LENGTH),
  )
  const length = {
    minLength: min,
    maxLength: items === false ? 0 : depth > DEEPEST ? min : Math.max(max, 0),
  }
  const rest = items === undefined || items === false ? inner.anything(depth) : inner.below(place, 'items')
  const tail =
    uniqueItems === true
      ? inner.fc.uniqueArray(rest, { ...length, selector: (value) => JSON.stringify(value) })
      : inner.fc.array(rest, length)
  const found = contains === undefined ? [] : [inner.below(place, 'contains')]
  return inner.fc.tuple(inner.fc.tuple(...first), tail, inner.fc.tuple(...found)).map((lists) => lists.flat())
}

/** Returns objects that match a schema. */
export function objectsOf(place: Place, inner: InnerValues): Arbitrary<Record<string, unknown>> {
  const { schema, depth } = place
  const { properties, required, dependentRequired, additionalProperties, minProperties } = schema
  const described = Object.keys(isRecord(properties) ? properties : {})
  const needed = new Set<string>(Array.isArray(required) ? required.map(String) : [])
  const names = described.filter((name) => depth <= DEEPEST || needed.has(name))
  const extra = [...needed].filter((name) => !described.includes(name))
  const rest = isRecord(additionalProperties)
    ? inner.below(place, 'additionalProperties')
    : inner.anything(depth)
  const model = Object.fromEntries([
    ...names.map((name): [string, Arbitrary<unknown>] => [name, inner.below(place, 'properties', name)]),
    ...extra.map((name): [string, Arbitrary<unknown>] => [name, rest]),
  ])
  const isMap = additionalProperties !== false && (isRecord(additionalProperties) || described.length === 0)
  const least = Math.max(0, numberOr(minProperties, 0) - Object.keys(model).length)
  const others = isMap
    ? inner.fc.dictionary(inner.fc.stringMatching(/^[a-z]{1,8}$/), rest, {
        minKeys: least,
        maxKeys: least + 2,
      })
    : inner.fc.constant({})
  const requiredKeys = numberOr(minProperties, 0) > 0 ? Object.keys(model) : [...needed]
  return inner.fc
    .tuple(others, inner.fc.record(model, { requiredKeys }))
    .map(([free, own]) => withDependents({ ...free, ...own }, dependentRequired))
}

/** Removes properties whose `dependentRequired` properties are missing. */
function withDependents(object: Record<string, unknown>, dependents: unknown): Record<string, unknown> {
  if (!isRecord(dependents)) return object
  const broken = Object.entries(dependents).filter(
    ([name, names]) =>
      name in object && Array.isArray(names) && names.some((one) => !(String(one) in object)),
  )
  const kept = Object.entries(object).filter(([name]) => !broken.some(([one]) => one === name))
  return Object.fromEntries(kept)
}
