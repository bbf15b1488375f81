import type { Arbitrary } from 'fast-check'

import { isRecord } from '../guards.ts'
import { loadFastCheck } from '../packages.ts'
import { pointerTo } from './schemas.ts'
import type { DocumentSchemas } from './schemas.ts'

/** Nesting at which values become small, so that schemas that refer to themselves end. */
const DEEPEST = 4
const LONGEST_TEXT = 40
const LONGEST_LIST = 5

type Schema = Readonly<Record<string, unknown>>

/** Makes values of the schemas in a document. A few do not fit: those of keywords that only refuse. */
export class ValueMaker {
  readonly #fc = loadFastCheck()
  readonly #schemas: DocumentSchemas
  /** By pointer and depth: schemas that refer to each other are many times below each other. */
  readonly #known = new Map<string, Arbitrary<unknown>>()

  constructor(schemas: DocumentSchemas) {
    this.#schemas = schemas
  }

  /** Values of the schema at a pointer. */
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
    const parts = this.#partsOf(schema, pointer, depth)
    const own = this.#ofTypes(schema, pointer, depth)
    if (parts.length === 0) return own
    // What the schema itself and its parts say of an object is one object.
    return this.#fc
      .tuple(own, ...parts)
      .map(([first, ...others]) => merge(first, others, hasOwnRules(schema)))
  }

  /** The values that keywords with schemas for the same value want. */
  #partsOf(schema: Schema, pointer: string, depth: number): Arbitrary<unknown>[] {
    const { $ref, allOf, anyOf, oneOf } = schema
    const branches = (name: string, list: readonly unknown[]): Arbitrary<unknown>[] =>
      list.map((_, index) => this.valuesAt(pointerTo(pointer, name, index), depth + 1))
    const choices = [
      ...(Array.isArray(anyOf) && anyOf.length > 0 ? [branches('anyOf', anyOf)] : []),
      ...(Array.isArray(oneOf) && oneOf.length > 0 ? [branches('oneOf', oneOf)] : []),
    ]
    return [
      ...(typeof $ref === 'string' && $ref.startsWith('#/') ? [this.valuesAt($ref.slice(1), depth + 1)] : []),
      ...(Array.isArray(allOf) ? branches('allOf', allOf) : []),
      ...choices.map((choice) => this.#fc.oneof(...choice)),
    ]
  }

  #ofTypes(schema: Schema, pointer: string, depth: number): Arbitrary<unknown> {
    const { type } = schema
    const types = type === undefined ? typesByKeywords(schema) : [type].flat()
    if (types.length === 0) return this.#anything(depth)
    return this.#fc.oneof(...types.map((one) => this.#ofType(String(one), schema, pointer, depth)))
  }

  #ofType(type: string, schema: Schema, pointer: string, depth: number): Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return this.#fc.constant(null)
      case 'boolean':
        return this.#fc.boolean()
      case 'integer':
      case 'number':
        return this.#number(schema, type === 'integer')
      case 'string':
        return this.#string(schema)
      case 'array':
        return this.#array(schema, pointer, depth)
      default:
        return this.#object(schema, pointer, depth)
    }
  }

  #number(schema: Schema, isInteger: boolean): Arbitrary<number> {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
    const least = Math.max(numberOr(minimum, -1000), numberOr(exclusiveMinimum, -Infinity))
    const most = Math.min(
      numberOr(maximum, Math.max(1000, least + 1000)),
      numberOr(exclusiveMaximum, Infinity),
    )
    const low = Math.min(least, most)
    const factor = numberOr(multipleOf, 0)
    if (factor > 0) {
      const range = {
        min: Math.ceil(low / factor),
        max: Math.max(Math.floor(most / factor), Math.ceil(low / factor)),
      }
      return this.#fc.integer(range).map((count) => count * factor)
    }
    if (isInteger)
      return this.#fc.integer({ min: Math.ceil(low), max: Math.max(Math.floor(most), Math.ceil(low)) })
    return this.#fc.double({ min: low, max: most, noNaN: true }).map((value) => Number(value.toFixed(6)))
  }

  #string(schema: Schema): Arbitrary<string> {
    const { format, pattern, minLength, maxLength } = schema
    const min = numberOr(minLength, 0)
    const max = Math.max(min, Math.min(numberOr(maxLength, LONGEST_TEXT), min + LONGEST_TEXT))
    if (typeof pattern === 'string') return this.#fc.stringMatching(new RegExp(pattern))
    const made = typeof format === 'string' ? this.#ofFormat(format) : null
    return made ?? this.#fc.string({ minLength: min, maxLength: max })
  }

  #ofFormat(format: string): Arbitrary<string> | null {
    const fc = this.#fc
    const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    const iso = date.map((one) => one.toISOString())
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    switch (format) {
      case 'date-time':
        return iso
      case 'date':
        return iso.map((text) => text.slice(0, 10))
      case 'time':
        return iso.map((text) => text.slice(11))
      case 'email':
        return word.map((text) => `${text}@example.com`)
      case 'uuid':
        return fc.uuid()
      case 'uri':
      case 'url':
      case 'uri-reference':
        return word.map((text) => `https://example.com/${text}`)
      case 'hostname':
        return word.map((text) => `${text}.example.com`)
      case 'ipv4':
        return fc.ipV4()
      case 'ipv6':
        return fc.ipV6()
      default:
        return null
    }
  }

  #array(schema: Schema, pointer: string, depth: number): Arbitrary<unknown[]> {
    const { prefixItems, items, minItems, maxItems, uniqueItems, contains } = schema
    const first = Array.isArray(prefixItems)
      ? prefixItems.map((_, index) => this.valuesAt(pointerTo(pointer, 'prefixItems', index), depth + 1))
      : []
    const min = Math.max(0, numberOr(minItems, 0) - first.length)
    const max = Math.max(min, Math.min(numberOr(maxItems, LONGEST_LIST) - first.length, min + LONGEST_LIST))
    const length = {
      minLength: min,
      maxLength: items === false ? 0 : depth > DEEPEST ? min : Math.max(max, 0),
    }
    const rest =
      items === undefined || items === false
        ? this.#anything(depth)
        : this.valuesAt(pointerTo(pointer, 'items'), depth + 1)
    const tail =
      uniqueItems === true
        ? this.#fc.uniqueArray(rest, { ...length, selector: (value) => JSON.stringify(value) })
        : this.#fc.array(rest, length)
    const found = contains === undefined ? [] : [this.valuesAt(pointerTo(pointer, 'contains'), depth + 1)]
    return this.#fc
      .tuple(this.#fc.tuple(...first), tail, this.#fc.tuple(...found))
      .map((lists) => lists.flat())
  }

  #object(schema: Schema, pointer: string, depth: number): Arbitrary<Record<string, unknown>> {
    const { properties, required, dependentRequired, additionalProperties, minProperties } = schema
    const described = Object.keys(isRecord(properties) ? properties : {})
    const needed = new Set<string>(Array.isArray(required) ? required.map(String) : [])
    const names = described.filter((name) => depth <= DEEPEST || needed.has(name))
    const extra = [...needed].filter((name) => !described.includes(name))
    const rest = isRecord(additionalProperties)
      ? this.valuesAt(pointerTo(pointer, 'additionalProperties'), depth + 1)
      : this.#anything(depth)
    const model = Object.fromEntries([
      ...names.map((name): [string, Arbitrary<unknown>] => [
        name,
        this.valuesAt(pointerTo(pointer, 'properties', name), depth + 1),
      ]),
      ...extra.map((name): [string, Arbitrary<unknown>] => [name, rest]),
    ])
    const isMap = additionalProperties !== false && (isRecord(additionalProperties) || described.length === 0)
    const least = Math.max(0, numberOr(minProperties, 0) - Object.keys(model).length)
    const others = isMap
      ? this.#fc.dictionary(this.#fc.stringMatching(/^[a-z]{1,8}$/), rest, {
          minKeys: least,
          maxKeys: least + 2,
        })
      : this.#fc.constant({})
    const requiredKeys = numberOr(minProperties, 0) > 0 ? Object.keys(model) : [...needed]
    return this.#fc
      .tuple(others, this.#fc.record(model, { requiredKeys }))
      .map(([free, own]) => withDependents({ ...free, ...own }, dependentRequired))
  }

  #anything(depth: number): Arbitrary<unknown> {
    const fc = this.#fc
    const text = fc.string({ maxLength: 10 })
    const scalars = [text, fc.integer(), fc.boolean(), fc.constant(null)]
    if (depth > DEEPEST) return fc.oneof(...scalars)
    return fc.oneof(...scalars, fc.array(fc.integer(), { maxLength: 3 }), fc.record({ a: text }))
  }
}

/** Takes out what others want to come with what is missing. */
function withDependents(object: Record<string, unknown>, dependents: unknown): Record<string, unknown> {
  if (!isRecord(dependents)) return object
  const broken = Object.entries(dependents).filter(
    ([name, names]) =>
      name in object && Array.isArray(names) && names.some((one) => !(String(one) in object)),
  )
  const kept = Object.entries(object).filter(([name]) => !broken.some(([one]) => one === name))
  return Object.fromEntries(kept)
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

/** Puts the values of several schemas for one value together. */
function merge(own: unknown, others: readonly unknown[], ownCounts: boolean): unknown {
  const all = ownCounts ? [...others, own] : others
  return all.every(isRecord) ? Object.assign({}, ...all) : all.at(ownCounts && !isRecord(own) ? -1 : 0)
}

const BY_KEYWORD: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  minProperties: 'object',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  pattern: 'string',
  minLength: 'string',
  maxLength: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  multipleOf: 'number',
}

/** The types that a schema without `type` speaks of. */
function typesByKeywords(schema: Schema): string[] {
  return [...new Set(Object.keys(schema).flatMap((keyword) => BY_KEYWORD[keyword] ?? []))]
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
