import { isExactInteger, TYPE_TESTS, type TestedType } from '../document/json-types.ts'

import { isExactText } from './exact-text.ts'

/*
 * The coercions of Ajv, as functions. A coercer gets a value with none of the wanted types and returns the value
 * that Ajv would coerce it to, or REFUSED. The first matching type wins, in the order of the schema.
 */

/** Returned by a {@link Coercer} for a value that cannot be coerced. */
export const REFUSED: unique symbol = Symbol('refused')

/** Converts a value of a wrong type to one of the right type. */
export type Coercer = (value: unknown) => unknown

/** Ajv's `coerceTypes`. */
export type CoercionMode = boolean | 'array'

type Rule = (value: unknown) => unknown

function toNumber(value: unknown): unknown {
  if (typeof value === 'boolean' || value === null) return Number(value)
  if (typeof value !== 'string' || value === '') return REFUSED
  const number = Number(value)
  return Number.isNaN(number) ? REFUSED : number
}

function toInteger(value: unknown): unknown {
  const number = toNumber(value)
  // The remainder of an infinity is NaN, which Ajv treats as no remainder.
  return typeof number === 'number' && number % 1 ? REFUSED : number
}

function toSafeInteger(value: unknown): unknown {
  const number = toNumber(value)
  return isExactInteger(number) && (typeof value !== 'string' || isExactText(value)) ? number : REFUSED
}

function toText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === null ? '' : REFUSED
}

function toBoolean(value: unknown): unknown {
  if (value === 'false' || value === 0 || value === null) return false
  return value === 'true' || value === 1 ? true : REFUSED
}

function toNull(value: unknown): unknown {
  return value === '' || value === 0 || value === false ? null : REFUSED
}

function toArray(value: unknown): unknown {
  const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return scalar || value === null ? [value] : REFUSED
}

function refuse(): unknown {
  return REFUSED
}

const RULES: Readonly<Record<TestedType, Rule>> = {
  string: toText,
  number: toNumber,
  integer: toInteger,
  safeInteger: toSafeInteger,
  boolean: toBoolean,
  null: toNull,
  array: toArray,
  object: refuse,
}

/**
 * Returns the coercer for a list of wanted types; undefined if the mode or the types allow no coercion.
 *
 * @param isExact - whether an integer that is not exact has no other form
 */
export function createCoercer(
  types: readonly TestedType[],
  mode: CoercionMode,
  isExact: boolean = false,
): Coercer | undefined {
  if (mode === false) return undefined
  const coercible = types.filter((type) => type !== 'object' && (type !== 'array' || mode === 'array'))
  if (coercible.length === 0) return undefined
  const rules = coercible.map((type) => RULES[type])
  const [only] = rules
  const convert: Rule = rules.length === 1 && only !== undefined ? only : (value) => firstOf(rules, value)
  const apply: Rule = isExact ? (value) => (isInexact(value) ? REFUSED : convert(value)) : convert
  if (mode !== 'array') return apply
  const test = unwrappedTest(types)
  return (value) => {
    if (!Array.isArray(value) || value.length !== 1) return apply(value)
    const item: unknown = value[0]
    return test(item) ? item : apply(item)
  }
}

function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !isExactInteger(value)
}

/** Returns a coercer that leaves infinities (`"Infinity"` read as a number) to Ajv, whose options decide about them. */
function finiteOnly(coerce: Coercer): Coercer {
  return (value) => {
    const coerced = coerce(value)
    return coerced === Infinity || coerced === -Infinity ? REFUSED : coerced
  }
}

/**
 * Does the same as {@link createCoercer}, but leaves infinities to Ajv, and has a fast path for strings, because
 * query strings contain nothing else.
 */
export function createFiniteCoercer(
  types: readonly TestedType[],
  mode: CoercionMode,
  isExact: boolean = false,
): Coercer | undefined {
  const coercer = createCoercer(types, mode, isExact)
  if (coercer === undefined) return undefined
  const [only, ...others] = types
  if (others.length === 0) return quickened(only, coercer)
  return types.includes('number') || types.includes('integer') ? finiteOnly(coercer) : coercer
}

/** One function literal per type keeps each of them monomorphic. */
function quickened(type: TestedType | undefined, coerce: Coercer): Coercer {
  const finite = finiteOnly(coerce)
  switch (type) {
    case 'integer':
      return (value) => {
        if (typeof value !== 'string') return finite(value)
        const number = Number(value)
        return value !== '' && Number.isInteger(number) ? number : REFUSED
      }
    case 'number':
      return (value) => (typeof value === 'string' ? finiteNumber(value) : finite(value))
    case 'boolean':
      return (value) => (value === 'true' ? true : value === 'false' ? false : coerce(value))
    default:
      return coerce
  }
}

function finiteNumber(text: string): unknown {
  const number = Number(text)
  return text !== '' && Number.isFinite(number) ? number : REFUSED
}

/** With one wanted type, Ajv takes the only item of an array unchanged; with several, it coerces the item. */
function unwrappedTest(types: readonly TestedType[]): (value: unknown) => boolean {
  const distinct = new Set(types)
  if (distinct.has('number')) distinct.delete('integer')
  const [only, ...others] = distinct
  return only === undefined || others.length > 0 ? () => false : TYPE_TESTS[only]
}

function firstOf(rules: readonly Rule[], value: unknown): unknown {
  for (const rule of rules) {
    const coerced = rule(value)
    if (coerced !== REFUSED) return coerced
  }
  return REFUSED
}

/** Coerces values that have none of the wanted types. */
export interface Coercion {
  /** As Ajv does. */
  readonly coerce: Coercer
  /** The same, but leaves infinities to a walk. */
  readonly coerceFinite: Coercer
}

/** The coercions of one engine, each made once. */
export class Coercers {
  readonly #mode: CoercionMode
  readonly #isExact: boolean
  readonly #known: Map<string, Coercion | undefined> = new Map()

  /** @param isExact - whether an integer that is not exact has no other form */
  constructor(mode: CoercionMode, isExact: boolean = false) {
    this.#mode = mode
    this.#isExact = isExact
  }

  /** Returns the coercion to a list of types; undefined if nothing can be coerced. */
  get(types: readonly TestedType[]): Coercion | undefined {
    const only = types.length === 1 ? types[0] : undefined
    const key = only ?? types.join()
    if (this.#known.has(key)) return this.#known.get(key)
    const coerce = createCoercer(types, this.#mode, this.#isExact)
    const coerceFinite = createFiniteCoercer(types, this.#mode, this.#isExact)
    const coercion = coerce && coerceFinite && { coerce, coerceFinite }
    this.#known.set(key, coercion)
    return coercion
  }
}
