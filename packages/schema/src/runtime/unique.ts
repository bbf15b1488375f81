import { hashOfItem } from './item-hash.ts'
import { canonicalJson, NotJson, plainJson, writtenJson, type View } from './canonical.ts'

/*
 * `uniqueItems` in linear time, however deep the items are. Scalars are looked up by value, containers by hash, and
 * containers with the same hash by their canonical JSON text.
 */

/** Compares two values as JSON Schema does. */
export type Equal = (left: unknown, right: unknown) => boolean

/** Positions of two equal items. */
export interface Duplicate {
  readonly i: number
  readonly j: number
}

/** Whether no two scalars of the list are the same. */
export function allScalarsDistinct(list: readonly unknown[]): boolean {
  return new Set(list).size === list.length
}

/** Whether no two items are equal as JSON values; false also when an item is not a JSON value. */
export function allDistinct(list: readonly unknown[]): boolean {
  if (list.length < 2) return true
  const seen = new ItemTable(plainJson)
  for (let i = 0; i < list.length; i++) {
    if (seen.put(list[i], i) !== undefined) return false
  }
  return !seen.hasOthers
}

/** Whether no two items have the same JSON text, for values that will be serialized. */
export function areDistinct(list: readonly unknown[]): boolean {
  if (list.length < 2) return true
  const seen = new ItemTable(writtenJson)
  for (let i = 0; i < list.length; i++) {
    if (seen.put(list[i], i) !== undefined) return false
  }
  // A value that contains itself has no JSON; the serializer throws when it writes the value.
  return true
}

/**
 * Finds the last item that has an equal one before it, and the nearest of those. `equal` compares items that are not
 * JSON values, such as class instances from a body parser of the application.
 */
export function findDuplicate(list: readonly unknown[], equal: Equal): Duplicate | null {
  const seen = new ItemTable(plainJson)
  let found: Duplicate | null = null
  for (let i = 0; i < list.length; i++) {
    const j = seen.put(list[i], i, equal)
    if (j !== undefined) found = { i, j }
  }
  return found
}

/** The items of a list, each with its last position. */
class ItemTable {
  readonly #view: View
  readonly #scalars: Map<unknown, number> = new Map()
  readonly #containers: Map<string, number> = new Map()
  readonly #byHash: Map<number, Bucket> = new Map()
  readonly #others: { readonly item: unknown; readonly position: number }[] = []

  constructor(view: View) {
    this.#view = view
  }

  /** Whether some item was not a JSON value. */
  get hasOthers(): boolean {
    return this.#others.length > 0
  }

  /** Adds an item; returns the position of the nearest equal one before it. */
  put(given: unknown, position: number, equal?: Equal): number | undefined {
    try {
      const item = this.#view(given)
      if (typeof item === 'object' && item !== null) {
        return this.#putContainer(item, position)
      }
      return replace(this.#scalars, item, position)
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      const known = this.#others.findLast(({ item }) => equal?.(given, item) === true)
      this.#others.push({ item: given, position })
      return known?.position
    }
  }

  #putContainer(item: object, position: number): number | undefined {
    // `toJSON` may change the JSON of a value, so its properties give no hash.
    const hash = this.#view === plainJson ? hashOfItem(item) : Number.NaN
    if (Number.isNaN(hash)) return replace(this.#containers, canonicalJson(item, this.#view), position)
    const known = this.#byHash.get(hash)
    if (known === undefined) {
      this.#byHash.set(hash, { item, position })
      return undefined
    }
    const bucket =
      known instanceof Map ? known : new Map([[canonicalJson(known.item, this.#view), known.position]])
    if (bucket !== known) this.#byHash.set(hash, bucket)
    return replace(bucket, canonicalJson(item, this.#view), position)
  }
}

/** One container with its position; from two containers on, positions by canonical text. */
type Bucket = { readonly item: object; readonly position: number } | Map<string, number>

/** Sets an entry and returns the previous one. */
function replace<Key>(table: Map<Key, number>, key: Key, position: number): number | undefined {
  const known = table.get(key)
  table.set(key, position)
  return known
}
