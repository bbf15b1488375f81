import type { RuntimeCall } from '../../codegen/reference.ts'
import { createCoercer, createFiniteCoercer, type CoercionMode } from '../../runtime/coerce.ts'
import type { JsonType } from '../../document/json-types.ts'

/** A coercer, as generated code refers to it; `value` is undefined where nothing can be made into one of the types. */
type Coercers = Map<string, RuntimeCall | undefined>

/** The coercers of one engine, each made once. */
export class CoercerTable {
  readonly #mode: CoercionMode
  readonly #coercers: Coercers = new Map()
  readonly #finite: Coercers = new Map()

  constructor(mode: CoercionMode) {
    this.#mode = mode
  }

  /** True when an array of one item stands for the item. */
  get unwraps(): boolean {
    return this.#mode === 'array'
  }

  /** The coercer for a list of types; undefined when nothing can be made into one of them. */
  get(types: readonly JsonType[]): RuntimeCall | undefined {
    return remember(this.#coercers, types, () => {
      const value = createCoercer(types, this.#mode)
      return value && { kind: 'call', name: 'createCoercer', args: [types, this.#mode], value }
    })
  }

  /** The same, but infinities are left to Ajv. */
  getFinite(types: readonly JsonType[]): RuntimeCall | undefined {
    return remember(this.#finite, types, () => {
      const value = createFiniteCoercer(types, this.#mode)
      return value && { kind: 'call', name: 'createFiniteCoercer', args: [types, this.#mode], value }
    })
  }
}

function remember(
  coercers: Coercers,
  types: readonly JsonType[],
  create: () => RuntimeCall | undefined,
): RuntimeCall | undefined {
  const only = types.length === 1 ? types[0] : undefined
  const key = only ?? types.join()
  const known = coercers.get(key)
  if (known !== undefined || coercers.has(key)) return known
  const coercer = create()
  coercers.set(key, coercer)
  return coercer
}
