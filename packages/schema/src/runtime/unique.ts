import { hashOfItem } from './item-hash.ts'
import { isObject } from '../guards.ts'
import { areStrings, isSameJson } from './containers.ts'
import { createNumberTable, FEW_NUMBERS, type NumberTable } from './number-table.ts'
import { canonicalJson, NotJson, plainJson, writtenJson, type View } from './canonical.ts'

/*
 * `uniqueItems` in linear time, however deep the items are. Scalars are looked up by value, containers by hash, and
 * containers with the same hash by their canonical JSON text.
 */

/** Compares two values as JSON Schema does. */
export type Equal = (left: unknown, right: unknown) => boolean

/** The positions of two equal items. */
export interface Duplicate {
  readonly i: number
  readonly j: number
}

/** Whether no two scalars in a list are equal. */
export function allScalarsDistinct(list: readonly unknown[]): boolean {
  return list.length <= FEW_NUMBERS ? new Set(list).size === list.length : allDistinct(list)
}

/** Whether no two items are equal as JSON values; also false if an item is not a JSON value. */
export function allDistinct(list: readonly unknown[]): boolean {
  if (list.length < 2) return true
  if (areStrings(list)) return new Set(list).size === list.length
  const seen = new ItemTable(list, plainJson)
  for (let i = 0; i < list.length; i++) {
    if (seen.put(i) !== undefined) return false
  }
  return !seen.hasOthers
}

/** Whether no two items have the same JSON text, for values that will be serialized. */
export function areDistinct(list: readonly unknown[]): boolean {
  const seen = new ItemTable(list, writtenJson)
  for (let i = 0; i < list.length; i++) {
    if (seen.put(i) !== undefined) return false
  }
  // A value that contains itself has no JSON; the serializer throws when it writes the value.
  return true
}

/**
 * Finds the last item with an equal one before it, and the nearest of those. `equal` compares items that are not
 * JSON values, such as class instances from a body parser of the application.
 */
export function findDuplicate(list: readonly unknown[], equal: Equal): Duplicate | null {
  const seen = new ItemTable(list, plainJson)
  let found: Duplicate | null = null
  for (let i = 0; i < list.length; i++) {
    const j = seen.put(i, equal)
    if (j !== undefined) found = { i, j }
  }
  return found
}

class ItemTable {
  readonly #list: readonly unknown[]
  readonly #view: View
  /** Strings, booleans and null. V8 hashes strings with a seed, so a Map of them is safe. */
  readonly #scalars: Map<unknown, number> = new Map()
  readonly #numbers: NumberTable
  readonly #numberAt: number[] = []
  readonly #texts: Map<string, number> = new Map()
  readonly #hashes: NumberTable
  readonly #hashedAt: (number | Bucket)[] = []
  readonly #others: { readonly item: unknown; readonly position: number }[] = []

  constructor(list: readonly unknown[], view: View) {
    this.#list = list
    this.#view = view
    this.#numbers = createNumberTable(list.length)
    this.#hashes = createNumberTable(list.length)
  }

  /** Whether any item was not a JSON value. */
  get hasOthers(): boolean {
    return this.#others.length > 0
  }

  /** Adds the item at a position; returns the position of the nearest equal one before it. */
  put(position: number, equal?: Equal): number | undefined {
    const given = this.#list[position]
    try {
      const item = this.#view(given)
      if (typeof item === 'number') return this.#putNumber(item, position)
      if (typeof item === 'object' && item !== null) return this.#putContainer(item, position)
      return replace(this.#scalars, item, position)
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      const known = this.#others.findLast(({ item }) => equal?.(given, item) === true)
      this.#others.push({ item: given, position })
      return known?.position
    }
  }

  #putNumber(number: number, position: number): number | undefined {
    const index = this.#numbers.indexOf(number)
    const known = this.#numberAt[index]
    this.#numberAt[index] = position
    return known
  }

  #putContainer(item: object, position: number): number | undefined {
    // `toJSON` may change the JSON of a value, so a hash of its properties would be wrong.
    const hash = this.#view === plainJson ? hashOfItem(item) : Number.NaN
    if (Number.isNaN(hash)) return replace(this.#texts, canonicalJson(item, this.#view), position)
    const index = this.#hashes.indexOf(hash)
    const known = this.#hashedAt[index]
    if (known === undefined) {
      this.#hashedAt[index] = position
      return undefined
    }
    if (typeof known === 'number') {
      // Containers with the same hash are nearly always equal, and a comparison is cheaper than two texts.
      if (isSameJson(item, this.#list[known])) {
        this.#hashedAt[index] = position
        return known
      }
      const bucket = this.#bucketOf(known)
      this.#hashedAt[index] = bucket
      return replace(bucket, canonicalJson(item, this.#view), position)
    }
    return replace(known, canonicalJson(item, this.#view), position)
  }

  #bucketOf(position: number): Bucket {
    const item = this.#list[position]
    return isObject(item) ? new Map([[canonicalJson(item, this.#view), position]]) : new Map()
  }
}

/** Positions of different containers with the same hash, by canonical text. */
type Bucket = Map<string, number>

function replace<Key>(table: Map<Key, number>, key: Key, position: number): number | undefined {
  const known = table.get(key)
  table.set(key, position)
  return known
}
