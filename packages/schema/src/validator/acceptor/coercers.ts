import { createCoercer, createFiniteCoercer, type CoercionMode } from '../../runtime/coerce.ts'
import type { JsonType } from '../../document/json-types.ts'
import type { CoercerCall } from './ir.ts'

/** Coercers by types, as references of generated code; undefined where nothing can be coerced. */
type Coercers = Map<string, CoercerCall | undefined>

/** The coercers of one engine, each created once. */
export class CoercerTable {
  readonly #mode: CoercionMode
  readonly #coercers: Coercers = new Map()
  readonly #finite: Coercers = new Map()

  constructor(mode: CoercionMode) {
    this.#mode = mode
  }

  /** Whether an array of one item is coerced to the item. */
  get unwraps(): boolean {
    return this.#mode === 'array'
  }

  /** Returns the coercer for a list of types; undefined when nothing can be coerced to them. */
  get(types: readonly JsonType[]): CoercerCall | undefined {
    return remember(this.#coercers, types, () => {
      const value = createCoercer(types, this.#mode)
      return value && { kind: 'call', name: 'createCoercer', args: [types, this.#mode], value }
    })
  }

  /** As {@link get}, but leaves infinities to Ajv. */
  getFinite(types: readonly JsonType[]): CoercerCall | undefined {
    return remember(this.#finite, types, () => {
      const value = createFiniteCoercer(types, this.#mode)
      return value && { kind: 'call', name: 'createFiniteCoercer', args: [types, this.#mode], value }
    })
  }
}

function remember(
  coercers: Coercers,
  types: readonly JsonType[],
  create: () => CoercerCall | undefined,
): CoercerCall | undefined {
  const only = types.length === 1 ? types[0] : undefined
  const key = only ?? types.join()
  const known = coercers.get(key)
  if (known !== undefined || coercers.has(key)) return known
  const coercer = create()
  coercers.set(key, coercer)
  return coercer
}
