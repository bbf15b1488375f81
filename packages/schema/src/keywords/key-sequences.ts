import { NOTHING } from '../guards.ts'
import { ANY, CALL, type Leaf, type TestKind } from '../walk/leaf.ts'
import type { Property } from './properties.ts'

/*
 * Objects of one schema mostly have the same keys in the same order. Iterating over the keys of an object takes half as
 * long as reading its properties by names that differ from call to call. So the sequences of keys that occurred are
 * stored as a tree: each key has its test, and the end of a sequence has the missing properties.
 */

/** The maximum number of keys in a tree; objects with further sequences are read in the order of the schema. */
const MAX_KEYS = 200

/** A key after others. */
export class Key {
  readonly name: string
  readonly kind: TestKind
  readonly leaf: Leaf
  /** Undefined for an undeclared property. */
  readonly property: Property | undefined
  readonly before: Key | undefined
  /** The first key that may follow. */
  next: Key | undefined = undefined
  /** Another key at the same position. */
  other: Key | undefined = undefined
  /** The needed properties that are missing if this is the last key. */
  missing: readonly Property[] | undefined = undefined

  constructor(name: string, leaf: Leaf, property: Property | undefined, before: Key | undefined) {
    this.name = name
    this.kind = leaf.kind
    this.leaf = leaf
    this.property = property
    this.before = before
  }
}

/** The sequences of keys that objects of one schema had. */
export class KeySequences {
  readonly start: Key = new Key('', ANY, undefined, undefined)
  readonly #properties: readonly Property[]
  readonly #needed: readonly Property[]
  readonly #isClosed: boolean
  #byName: ReadonlyMap<string, Property> | undefined = undefined
  #left: number = MAX_KEYS

  /** @param isClosed - whether undeclared properties are checked */
  constructor(properties: readonly Property[], isClosed: boolean) {
    this.#properties = properties
    this.#needed = properties.filter(({ isNeeded }) => isNeeded)
    this.#isClosed = isClosed
  }

  /** Adds a key after another one; undefined if the tree is full. */
  add(before: Key, name: string): Key | undefined {
    if (this.#left === 0) return undefined
    this.#left -= 1
    this.#byName ??= new Map(this.#properties.map((property) => [property.name, property]))
    const property = this.#byName.get(name)
    const key = new Key(name, property?.leaf ?? (this.#isClosed ? CALL : ANY), property, before)
    key.other = before.next
    before.next = key
    return key
  }

  /** The needed properties that are not in a sequence. */
  missingAt(last: Key): readonly Property[] {
    if (this.#needed.length === 0) return (last.missing = NOTHING)
    const met = new Set<Property>()
    for (let key: Key | undefined = last; key !== undefined; key = key.before) {
      if (key.property !== undefined) met.add(key.property)
    }
    return (last.missing = this.#needed.filter((property) => !met.has(property)))
  }
}
