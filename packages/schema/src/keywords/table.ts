import type { Narrow } from '../walk/leaf.ts'
import type { Keyword, ListData, ObjectData } from '../walk/part.ts'
import { additionalProperties, patternProperties, removal } from './additional-properties.ts'
import { allOf, condition, not } from './applicators.ts'
import { CONSTANTS } from './constants.ts'
import { contains } from './contains.ts'
import { additionalItems, items } from './items.ts'
import { ITEM_COUNTS, NUMBERS, PROPERTY_COUNTS } from './limits.ts'
import { properties } from './properties.ts'
import { propertyNames } from './property-names.ts'
import { dynamicReference, reference } from './reference.ts'
import { dependencies, dependentRequired, dependentSchemas, required } from './required.ts'
import { numberFormat, TEXTS } from './texts.ts'
import { tuple } from './tuple.ts'
import { notedBranches, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES } from './unevaluated.ts'
import { UNIONS } from './unions.ts'
import { uniqueItems } from './unique-items.ts'

/** The keywords, by the kind of values that they apply to, in Ajv's order. */
export interface KeywordTable {
  readonly any: readonly Keyword[]
  readonly number: readonly Keyword<number>[]
  readonly string: readonly Keyword<string>[]
  readonly array: readonly Keyword<ListData>[]
  readonly object: readonly Keyword<ObjectData>[]
}

/** All keywords. */
export const KEYWORDS: KeywordTable = {
  any: [dynamicReference, reference, ...CONSTANTS, not, ...UNIONS, allOf, condition, notedBranches],
  number: [...NUMBERS, numberFormat],
  string: TEXTS,
  array: [...ITEM_COUNTS, additionalItems, tuple, items, contains, uniqueItems, ...UNEVALUATED_ITEMS],
  object: [
    ...PROPERTY_COUNTS,
    required,
    propertyNames,
    additionalProperties,
    dependencies,
    removal,
    properties,
    patternProperties,
    dependentRequired,
    dependentSchemas,
    ...UNEVALUATED_PROPERTIES,
  ],
}

const GROUPS = ['any', 'number', 'string', 'array', 'object'] as const

/** Keywords of the table, as one bit each. */
export type Chosen = Record<(typeof GROUPS)[number], number>

/** The effect of a keyword's name. */
export interface Brought extends Readonly<Chosen> {
  /** How it narrows a leaf; null if no leaf can have it. */
  readonly narrow: Narrow | null
}

/** The effects of names, except those that refuse nothing, and the type. */
export const BROUGHT: ReadonlyMap<string, Brought> = broughtByName()

function broughtByName(): Map<string, Brought> {
  const brought = new Map<string, Brought>()
  for (const group of GROUPS) {
    const keywords: readonly Pick<Keyword, 'names' | 'narrow'>[] = KEYWORDS[group]
    for (const [index, { names, narrow = null }] of keywords.entries()) {
      for (const name of names) {
        const own = brought.get(name) ?? { any: 0, number: 0, string: 0, array: 0, object: 0, narrow: null }
        brought.set(name, { ...own, narrow: own.narrow ?? narrow, [group]: own[group] | (1 << index) })
      }
    }
  }
  return brought
}
