import { childLocation, type SchemaLocation, type SchemaScope } from '@cloister/schema'
import { isInt64, typesOf } from '@cloister/schema/internal'

import type { Context } from '../../../context/context.ts'
import { schemaScopeOf } from '../../../context/shared-schemas.ts'
import { isRecord, recordOf, typeName, type Dictionary } from '../../../guards.ts'

/** The limits of a 64-bit integer in its schema. */
export interface Limits {
  readonly minimum: number
  readonly maximum: number
}

/** Where a value has 64-bit integers. Schemas that refer to themselves are circles of places. */
export interface Place {
  /** the value itself is one; otherwise `null` */
  limits: Limits | null
  readonly properties: Map<string, Place>
  /** the names in `properties` of the schema, with and without 64-bit integers */
  readonly declared: Set<string>
  /** other properties */
  others: Place | null
  /** the first items */
  readonly first: Place[]
  /** the items after these */
  items: Place | null
  /** the place itself, and those of other schemas of the same value: targets of `$ref`, members of `allOf` */
  readonly all: Set<Place>
}

/** Keywords whose values are no schemas, or hold schemas that apply only by reference. */
const IGNORED: ReadonlySet<string> = new Set(
  '$defs const default definitions discriminator enum example examples required xml'.split(' '),
)
/** Keywords that {@link Finder} follows. */
const FOLLOWED: ReadonlySet<string> = new Set(
  '$ref additionalItems additionalProperties allOf items prefixItems properties'.split(' '),
)

/**
 * Finds the 64-bit integers (`type: 'integer', format: 'int64'`) in the values of a schema.
 *
 * @param lowersNames - whether names of properties are in lower case, as those of headers
 * @returns `null` if there are none
 * @throws for one that can't be read exactly, with its pointer and the reason
 */
export function int64Places(schema: unknown, context: Context, lowersNames: boolean): Place | null {
  const scope = schemaScopeOf(context, new WeakMap())
  const finder = new Finder(scope, lowersNames)
  const place = finder.read(scope.open(schema))
  return finder.prune(place)
}

class Finder {
  readonly #scope: SchemaScope
  readonly #lowersNames: boolean
  readonly #known = new Map<object, Place>()

  constructor(scope: SchemaScope, lowersNames: boolean) {
    this.#scope = scope
    this.#lowersNames = lowersNames
  }

  read(at: SchemaLocation): Place {
    const { schema } = at
    const place: Place = {
      limits: null,
      properties: new Map(),
      declared: new Set(),
      others: null,
      first: [],
      items: null,
      all: new Set(),
    }
    place.all.add(place)
    if (!isRecord(schema)) return place
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    this.#known.set(schema, place)
    this.#refuseOthers(at, schema)
    if (isInt64(schema)) place.limits = limitsOf(at, schema)
    this.#addSame(place, at, schema)
    this.#addMembers(place, at, schema)
    this.#addItems(place, at, schema)
    return place
  }

  /** Leaves out what leads to no 64-bit integer; returns `null` if nothing is left. */
  prune(root: Place): Place | null {
    const places = [...this.#known.values()]
    for (const place of places) for (const one of place.all) for (const next of one.all) place.all.add(next)
    const kept = new Set(places.filter((place) => place.limits !== null))
    const isKept = (place: Place | null): boolean => place !== null && kept.has(place)
    for (let size = -1; size !== kept.size;) {
      size = kept.size
      for (const place of places) if (below(place).some(isKept)) kept.add(place)
    }
    for (const place of places) {
      for (const [name, one] of place.properties) if (!isKept(one)) place.properties.delete(name)
      for (const one of place.all) if (one !== place && !isKept(one)) place.all.delete(one)
      if (!isKept(place.others)) place.others = null
      if (!isKept(place.items)) place.items = null
    }
    return isKept(root) ? root : null
  }

  #addSame(place: Place, at: SchemaLocation, { $ref, allOf }: Dictionary): void {
    const target = typeof $ref === 'string' ? this.#scope.resolve(at, $ref) : undefined
    if (target !== undefined) place.all.add(this.read(target))
    if (!Array.isArray(allOf)) return
    for (const index of allOf.keys()) place.all.add(this.read(childLocation(at, ['allOf', index])))
  }

  #addMembers(place: Place, at: SchemaLocation, schema: Dictionary): void {
    const { properties, additionalProperties } = schema
    for (const given of Object.keys(recordOf(properties))) {
      const name = this.#lowersNames ? given.toLowerCase() : given
      place.declared.add(name)
      place.properties.set(name, this.read(childLocation(at, ['properties', given])))
    }
    if (!isRecord(additionalProperties)) return
    place.others = this.read(childLocation(at, ['additionalProperties']))
    if (isRecord(schema['patternProperties']) && this.#mentions(childLocation(at, ['additionalProperties'])))
      throw unread(at, 'additionalProperties beside patternProperties')
  }

  #addItems(place: Place, at: SchemaLocation, schema: Dictionary): void {
    const { items, prefixItems, uniqueItems } = schema
    const [list, rest] = Array.isArray(items) ? ['items', 'additionalItems'] : ['prefixItems', 'items']
    const first = Array.isArray(items) ? items : prefixItems
    if (Array.isArray(first))
      for (const index of first.keys()) place.first.push(this.read(childLocation(at, [list, index])))
    if (isRecord(schema[rest])) place.items = this.read(childLocation(at, [rest]))
    if (uniqueItems !== true) return
    if ([list, rest].some((keyword) => this.#mentions(childLocation(at, [keyword]))))
      throw unread(at, 'items of a list with uniqueItems')
  }

  /** Refuses 64-bit integers under other keywords with schemas, such as those of unions. */
  #refuseOthers(at: SchemaLocation, schema: Dictionary): void {
    for (const [keyword, value] of Object.entries(schema)) {
      if (FOLLOWED.has(keyword) || IGNORED.has(keyword)) continue
      const isDynamic = keyword === '$dynamicRef' || keyword === '$recursiveRef'
      const target = isDynamic ? this.#scope.resolve(at, String(value)) : childLocation(at, [keyword])
      if (target !== undefined && this.#mentions(target)) throw unread(at, `a value under ${keyword}`)
    }
  }

  /** Returns whether a schema, or one in it or that it refers to, is of 64-bit integers. */
  #mentions(at: SchemaLocation, seen: Set<unknown> = new Set()): boolean {
    const { schema } = at
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
    seen.add(schema)
    if (isRecord(schema)) {
      if (isInt64(schema)) return true
      for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
        const ref = schema[keyword]
        const target = typeof ref === 'string' ? this.#scope.resolve(at, ref) : undefined
        if (target !== undefined && this.#mentions(target, seen)) return true
      }
    }
    // A property may have the name of any keyword.
    return Object.keys(schema).some((key) => this.#mentions(childLocation(at, [key]), seen))
  }
}

function below({ properties, others, first, items, all }: Place): readonly (Place | null)[] {
  return [...properties.values(), others, ...first, items, ...all]
}

/** @throws for keywords whose numbers are rounded */
function limitsOf(at: SchemaLocation, schema: Dictionary): Limits {
  const types = typesOf(schema).filter((type) => type !== 'integer' && type !== 'null')
  if (types.length > 0) throw unread(at, `a value that may also be of type ${types.join(', ')}`)
  if (schema['multipleOf'] !== undefined) throw unread(at, 'a value with multipleOf')
  for (const keyword of ['exclusiveMaximum', 'exclusiveMinimum', 'const', 'enum', 'default']) {
    const value = schema[keyword]
    const unsafe = [value].flat().find((one) => typeof one === 'number' && !Number.isSafeInteger(one))
    if (unsafe !== undefined) throw unread(at, `a value with ${keyword}: ${String(unsafe)}`)
  }
  return { minimum: limitOf(at, schema, 'minimum'), maximum: limitOf(at, schema, 'maximum') }
}

/** The limits of 64 bits. As a number, the upper one is 2^63. */
const INT64 = { minimum: -(2 ** 63), maximum: 2 ** 63 } as const

function limitOf(at: SchemaLocation, schema: Dictionary, keyword: 'minimum' | 'maximum'): number {
  const value = schema[keyword]
  if (value === undefined) return INT64[keyword]
  if (typeof value !== 'number') throw unread(at, `a value with ${keyword} of type ${typeName(value)}`)
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER && value !== INT64[keyword])
    throw unread(at, `a value with ${keyword}: ${value}, which is no exact number`)
  return value
}

function unread({ pointer, document }: SchemaLocation, what: string): Error {
  const place = `${document.sharedId ?? ''}#${pointer}`
  return new Error(
    `with integers: 'bigint', an integer with format int64 must not be ${what} (${place}); write the schema without it, or leave out the format to get numbers`,
  )
}
