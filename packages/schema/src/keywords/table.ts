import type { Narrow } from '../walk/leaf.ts'
import type { Keyword, ListData, ObjectData } from '../walk/part.ts'
import { additionalProperties, removal } from './additional-properties.ts'
import { allOf, condition, not } from './applicators.ts'
import { constant, enumeration } from './constants.ts'
import { contains } from './contains.ts'
import { itemCount, propertyCount } from './counts.ts'
import { dependencies, dependentRequired, dependentSchemas } from './dependencies.ts'
import { additionalItems, items } from './items.ts'
import { limit, multipleOf } from './numbers.ts'
import { patternProperties } from './pattern-properties.ts'
import { properties } from './properties.ts'
import { propertyNames } from './property-names.ts'
import { dynamicReference, reference } from './reference.ts'
import { required } from './required.ts'
import { maxLength, minLength, numberFormat, pattern, textFormat } from './texts.ts'
import { tuple } from './tuple.ts'
import {
  evaluatedItems,
  evaluatedProperties,
  unevaluatedItems,
  unevaluatedProperties,
} from './unevaluated.ts'
import { anyOf, oneOf } from './unions.ts'
import { uniqueItems } from './unique-items.ts'

/** The keywords, by the kind of values that they are about, in Ajv's order. */
export interface KeywordTable {
  readonly any: readonly Keyword[]
  readonly number: readonly Keyword<number>[]
  readonly string: readonly Keyword<string>[]
  readonly array: readonly Keyword<ListData>[]
  readonly object: readonly Keyword<ObjectData>[]
}

/** All keywords. */
export const KEYWORDS: KeywordTable = {
  any: [dynamicReference, reference, constant, enumeration, not, anyOf, oneOf, allOf, condition],
  number: [
    limit('maximum'),
    limit('minimum'),
    limit('exclusiveMaximum'),
    limit('exclusiveMinimum'),
    multipleOf,
    numberFormat,
  ],
  string: [maxLength, minLength, pattern, textFormat],
  array: [
    itemCount('maxItems', 'maximum'),
    itemCount('minItems', 'minimum'),
    additionalItems,
    tuple,
    items,
    contains,
    uniqueItems,
    evaluatedItems,
    unevaluatedItems,
  ],
  object: [
    propertyCount('maxProperties', 'maximum'),
    propertyCount('minProperties', 'minimum'),
    required,
    propertyNames,
    additionalProperties,
    dependencies,
    removal,
    properties,
    patternProperties,
    dependentRequired,
    dependentSchemas,
    evaluatedProperties,
    unevaluatedProperties,
  ],
}

/** How keywords narrow a leaf; null for one that no leaf can have. What refuses nothing is not in it, nor is the type. */
export const NARROWS: ReadonlyMap<string, Narrow | null> = new Map(
  [KEYWORDS.any, KEYWORDS.number, KEYWORDS.string, KEYWORDS.array, KEYWORDS.object].flatMap((keywords) =>
    keywords.flatMap(({ names, narrow }) => names.map((name) => [name, narrow ?? null] as const)),
  ),
)

/** Keywords of the table, as one bit each. */
export type Chosen = { -readonly [Group in keyof KeywordTable]: number }

/** The keywords that a name brings. */
export const BROUGHT: ReadonlyMap<string, Readonly<Chosen>> = broughtByName()

function broughtByName(): Map<string, Chosen> {
  const brought = new Map<string, Chosen>()
  const add = (
    group: keyof KeywordTable,
    keywords: readonly { readonly names: readonly string[] }[],
  ): void => {
    for (const [index, { names }] of keywords.entries()) {
      for (const name of names) {
        const own = brought.get(name) ?? { any: 0, number: 0, string: 0, array: 0, object: 0 }
        own[group] = own[group] | (1 << index)
        brought.set(name, own)
      }
    }
  }
  add('any', KEYWORDS.any)
  add('number', KEYWORDS.number)
  add('string', KEYWORDS.string)
  add('array', KEYWORDS.array)
  add('object', KEYWORDS.object)
  return brought
}
