import { typesOfRules } from '@cloister/schema/internal'
import type { Arbitrary } from 'fast-check'

import { isRecord } from '../guards.ts'
import { loadFastCheck } from '../packages.ts'
import { arraysOf, DEEPEST, objectsOf } from './container-values.ts'
import type { InnerValues, Place } from './container-values.ts'
import { numbersOf, textsOf } from './scalar-values.ts'
import type { Schema } from './scalar-values.ts'
import { pointerTo } from './schemas.ts'
import type { DocumentSchemas } from './schemas.ts'

/** Generates values for the schemas in a document. A few do not match, because of keywords that can only reject. */
export class ValueMaker {
  readonly #fc = loadFastCheck()
  readonly #schemas: DocumentSchemas
  readonly #inner: InnerValues
  /** By pointer and depth, since schemas that refer to each other occur many times below each other. */
  readonly #known = new Map<string, Arbitrary<unknown>>()

  constructor(schemas: DocumentSchemas) {
    this.#schemas = schemas
    this.#inner = {
      fc: this.#fc,
      below: ({ pointer, depth }, ...tokens) => this.valuesAt(pointerTo(pointer, ...tokens), depth + 1),
      anything: (depth) => this.#anything(depth),
    }
  }

  valuesAt(at: string, depth = 0): Arbitrary<unknown> {
    const { value: schema, pointer } = this.#schemas.at(at)
    const key = `${depth} ${pointer}`
    const values = this.#known.get(key) ?? this.#make(schema, pointer, depth)
    this.#known.set(key, values)
    return values
  }

  #make(schema: unknown, pointer: string, depth: number): Arbitrary<unknown> {
    if (!isRecord(schema) || depth > 2 * DEEPEST) return this.#anything(depth)
    if ('const' in schema) return this.#fc.constant(schema['const'])
    const listed: unknown = schema['enum']
    if (isList(listed)) return this.#fc.constantFrom(...listed)
    const place = { schema, pointer, depth }
    const parts = this.#partsOf(place)
    const own = this.#ofTypes(place)
    if (parts.length === 0) return own
    // An object must match the schema itself and its parts.
    return this.#fc
      .tuple(own, ...parts)
      .map(([first, ...others]) => merge(first, others, hasOwnRules(schema)))
  }

  /** Returns values for the keywords whose schemas apply to the same value. */
  #partsOf(place: Place): Arbitrary<unknown>[] {
    const { $ref, allOf, anyOf, oneOf } = place.schema
    const branches = (name: string, list: readonly unknown[]): Arbitrary<unknown>[] =>
      list.map((_, index) => this.#inner.below(place, name, index))
    const choices = [
      ...(Array.isArray(anyOf) && anyOf.length > 0 ? [branches('anyOf', anyOf)] : []),
      ...(Array.isArray(oneOf) && oneOf.length > 0 ? [branches('oneOf', oneOf)] : []),
    ]
    return [
      ...(typeof $ref === 'string' && $ref.startsWith('#/')
        ? [this.valuesAt($ref.slice(1), place.depth + 1)]
        : []),
      ...(Array.isArray(allOf) ? branches('allOf', allOf) : []),
      ...choices.map((choice) => this.#fc.oneof(...choice)),
    ]
  }

  #ofTypes(place: Place): Arbitrary<unknown> {
    const { schema, depth } = place
    const { type } = schema
    const types = type === undefined ? typesOfRules(schema) : [type].flat()
    if (types.length === 0) return this.#anything(depth)
    return this.#fc.oneof(...types.map((one) => this.#ofType(String(one), place)))
  }

  #ofType(type: string, place: Place): Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return this.#fc.constant(null)
      case 'boolean':
        return this.#fc.boolean()
      case 'integer':
      case 'number':
        return numbersOf(this.#fc, place.schema, type === 'integer')
      case 'string':
        return textsOf(this.#fc, place.schema)
      case 'array':
        return arraysOf(place, this.#inner)
      default:
        return objectsOf(place, this.#inner)
    }
  }

  #anything(depth: number): Arbitrary<unknown> {
    const fc = this.#fc
    const text = fc.string({ maxLength: 10 })
    const scalars = [text, fc.integer(), fc.boolean(), fc.constant(null)]
    if (depth > DEEPEST) return fc.oneof(...scalars)
    return fc.oneof(...scalars, fc.array(fc.integer(), { maxLength: 3 }), fc.record({ a: text }))
  }
}

const RULES = [
  'type',
  'properties',
  'items',
  'prefixItems',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'required',
]

function hasOwnRules(schema: Schema): boolean {
  return RULES.some((keyword) => keyword in schema)
}

function merge(own: unknown, others: readonly unknown[], ownCounts: boolean): unknown {
  const all = ownCounts ? [...others, own] : others
  return all.every(isRecord) ? Object.assign({}, ...all) : all.at(ownCounts && !isRecord(own) ? -1 : 0)
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
