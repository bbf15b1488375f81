import type { JsonType } from '../document/json-types.ts'
import { createCoercer, createFiniteCoercer, type Coercer, type CoercionMode } from '../runtime/coerce.ts'

/** What values become that have none of some types. */
export interface Coercion {
  /** As Ajv coerces them. */
  readonly coerce: Coercer
  /** As that, but leaves infinities to a walk. */
  readonly coerceFinite: Coercer
}

/** The coercions of one engine, each made once. */
export class Coercers {
  readonly #mode: CoercionMode
  readonly #known: Map<string, Coercion | undefined> = new Map()

  constructor(mode: CoercionMode) {
    this.#mode = mode
  }

  /** The coercion to a list of types; undefined where nothing can be coerced. */
  get(types: readonly JsonType[]): Coercion | undefined {
    const only = types.length === 1 ? types[0] : undefined
    const key = only ?? types.join()
    if (this.#known.has(key)) return this.#known.get(key)
    const coerce = createCoercer(types, this.#mode)
    const coerceFinite = createFiniteCoercer(types, this.#mode)
    const coercion = coerce && coerceFinite && { coerce, coerceFinite }
    this.#known.set(key, coercion)
    return coercion
  }
}
