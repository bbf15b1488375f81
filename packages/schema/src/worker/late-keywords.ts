import { noting, type Keyword, type ListData, type ObjectData } from '../walk/part.ts'
import {
  readContains,
  readNotedBranches,
  readPropertyNames,
  readUnevaluatedItems,
  readUnevaluatedProperties,
  readUniqueItems,
} from './originals/keywords.ts'
import { readUnion } from './originals/unions.ts'

/*
 * Keywords that few schemas have. Their names are here, because the table of keywords needs these; what reads them
 * belongs to a feature.
 */

function late<Data>(names: readonly string[], read: Keyword<Data>['read']): Keyword<Data> {
  return { names, read }
}

/** See `keywords/unions.ts`. */
export const UNIONS: readonly Keyword[] = [
  late(['anyOf'], (node) => readUnion(0, node)),
  late(['oneOf'], (node) => readUnion(1, node)),
]

/** See `keywords/contains.ts`. */
export const contains: Keyword<ListData> = late(['contains'], (node) => readContains(node))

/** See `keywords/unique-items.ts`. */
export const uniqueItems: Keyword<ListData> = late(['uniqueItems'], (node) => readUniqueItems(node))

/** See `keywords/property-names.ts`. */
export const propertyNames: Keyword<ObjectData> = late(['propertyNames'], (node) => readPropertyNames(node))

/** See `keywords/unevaluated.ts`. */
export const notedBranches: Keyword = noting(['anyOf', 'if'], (node) => readNotedBranches(node))

/** See `keywords/unevaluated.ts`. */
export const UNEVALUATED_ITEMS: readonly Keyword<ListData>[] = [
  noting(['items', 'prefixItems', 'additionalItems', 'contains'], (node) => readUnevaluatedItems(0, node)),
  late(['unevaluatedItems'], (node) => readUnevaluatedItems(1, node)),
]

/** See `keywords/unevaluated.ts`. */
export const UNEVALUATED_PROPERTIES: readonly Keyword<ObjectData>[] = [
  noting(['properties', 'patternProperties', 'additionalProperties'], (node) =>
    readUnevaluatedProperties(0, node),
  ),
  late(['unevaluatedProperties'], (node) => readUnevaluatedProperties(1, node)),
]
