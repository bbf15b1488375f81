import { isSchemaObject } from '../../../guards.ts'
import { DELETED } from '../../../runtime/replay.ts'
import type { UndeclaredNode } from '../ir.ts'
import type { EditLog } from './edit-log.ts'
import { ANY, CALL, fits, type Leaf, type TestKind } from './leaf.ts'
import type { Property } from './properties.ts'
import type { Data } from './undeclared.ts'
import { DEFERRED, FITS, REJECTED, type Check, type Step, type Verdict } from './verdict.ts'

/*
 * Objects of one schema mostly have the same keys in the same order. A walk over the keys of an object costs half of
 * reading its properties by names that differ from call to call, so the sequences of keys that were met are kept, as a
 * tree: each key says what is tested, and the end of a sequence says which properties are missing.
 */

const PLAIN: object = Object.prototype
/** How many keys a tree holds; objects with further sequences are read by the names of the properties. */
const MAX_KEYS = 200

/** What becomes of undeclared properties. */
type Effect = UndeclaredNode['effect']

/** A key behind others. */
class Key {
  readonly name: string
  readonly kind: TestKind
  readonly leaf: Leaf
  readonly check: Check
  readonly property: Property | undefined
  readonly before: Key | undefined
  /** The first key that may follow. */
  next: Key | undefined = undefined
  /** Another key that may be in this one's place. */
  other: Key | undefined = undefined
  /** Properties that are missing where this is the last key. */
  missing: readonly Property[] | undefined = undefined

  constructor(
    name: string,
    { leaf, check }: { readonly leaf: Leaf; readonly check: Check },
    property: Property | undefined,
    before: Key | undefined,
  ) {
    this.name = name
    this.kind = leaf.kind
    this.leaf = leaf
    this.check = check
    this.property = property
    this.before = before
  }
}

/** The sequences of keys that the objects of one schema had. */
class Sequences {
  readonly start: Key = new Key('', IGNORED, undefined, undefined)
  readonly #properties: readonly Property[]
  readonly #undeclared: { readonly leaf: Leaf; readonly check: Check }
  #byName: ReadonlyMap<string, Property> | undefined
  #left: number = MAX_KEYS

  constructor(properties: readonly Property[], effect: Effect | undefined) {
    this.#properties = properties
    this.#undeclared = effect === undefined ? IGNORED : UNDECLARED[effect]
  }

  /** Adds a key behind another one; undefined when there are enough. */
  add(before: Key, name: string): Key | undefined {
    if (this.#left === 0) return undefined
    this.#left -= 1
    this.#byName ??= new Map(this.#properties.map((property) => [property.name, property]))
    const property = this.#byName.get(name)
    const key = new Key(name, property ?? this.#undeclared, property, before)
    key.other = before.next
    before.next = key
    return key
  }

  /** The properties that are not in a sequence. */
  missingAt(last: Key): readonly Property[] {
    const met = new Set<Property>()
    for (let key: Key | undefined = last; key !== undefined; key = key.before) {
      if (key.property !== undefined) met.add(key.property)
    }
    return (last.missing = this.#properties.filter((property) => !met.has(property)))
  }
}

const IGNORED = { leaf: ANY, check: (): typeof FITS => FITS }
const UNDECLARED: Readonly<Record<Effect, { readonly leaf: Leaf; readonly check: Check }>> = {
  reject: { leaf: CALL, check: () => REJECTED },
  defer: { leaf: CALL, check: () => DEFERRED },
  remove: {
    leaf: CALL,
    check: (_value, log, object, name) => {
      log.push(object, name, DELETED)
      return FITS
    },
  },
}

/** What a walk over the keys of an object leaves to others. */
interface Exits {
  /** Says of a property that is missing whether it may be. */
  absent(property: Property, object: Data, log: EditLog): Verdict
  /** Reads the properties by name. */
  readonly each: Step<Data>
  /** Decides about a value that is no object. */
  readonly mismatch: Check
}

/**
 * The check that walks over the keys of an object.
 * @param effect - what becomes of undeclared properties; undefined leaves them
 */
export function eachKey(
  properties: readonly Property[],
  effect: Effect | undefined,
  { absent, each, mismatch }: Exits,
): Check {
  // Most closures of an app that is compiled as it starts are never called.
  let sequences: Sequences | undefined
  /** Begins again, without the edits that were noted. */
  const byName = (object: Data, log: EditLog, edits: number): Verdict => {
    log.length = edits
    return each(object, log)
  }
  return (object, log, parent, place) => {
    if (!isSchemaObject(object)) return mismatch(object, log, parent, place)
    const edits = log.length
    sequences ??= new Sequences(properties, effect)
    let last = sequences.start
    for (const name in object) {
      let key = last.next
      while (key !== undefined && key.name !== name) key = key.other
      key ??= sequences.add(last, name)
      if (key === undefined) return byName(object, log, edits)
      const value = object[name]
      if (!fits(key.kind, key.leaf, value)) {
        if (value === undefined) return byName(object, log, edits)
        const verdict = key.check(value, log, object, name)
        if (verdict !== FITS) return verdict
      }
      last = key
    }
    const missing = last.missing ?? sequences.missingAt(last)
    if (missing.length === 0) return FITS
    // Another prototype may have them.
    if (Object.getPrototypeOf(object) !== PLAIN) return byName(object, log, edits)
    for (const property of missing) {
      const verdict = absent(property, object, log)
      if (verdict !== FITS) return verdict
    }
    return FITS
  }
}
