import type { StateEntry } from '../types.ts'

/** What an operation of a history asked for. */
export type Call =
  | { readonly kind: 'get' }
  | {
      readonly kind: 'put'
      readonly value: string
      readonly if: 'absent' | 'always' | { readonly version: string }
    }
  | { readonly kind: 'delete'; readonly version: string | null }

/** An operation of a history, with the ticks of a counter at its begin and its end. */
export interface Operation {
  readonly call: Call
  readonly begin: number
  readonly end: number
  readonly result: StateEntry | string | boolean | null
}

type Kept = StateEntry | null
type Next = { readonly kept: Kept } | null

/** Returns what a key has after an operation; `null` if the operation could not return what it did. */
function apply({ call, result }: Operation, kept: Kept): Next {
  switch (call.kind) {
    case 'get': {
      const isSame =
        typeof result === 'object' && result?.version === kept?.version && result?.value === kept?.value
      return isSame ? { kept } : null
    }
    case 'put': {
      const holds =
        call.if === 'always' || (call.if === 'absent' ? kept === null : kept?.version === call.if.version)
      if (!holds) return result === null ? { kept } : null
      return typeof result === 'string' ? { kept: { value: call.value, version: result } } : null
    }
    case 'delete': {
      const holds = kept !== null && (call.version === null || call.version === kept.version)
      return result === holds ? { kept: holds ? null : kept } : null
    }
  }
}

/**
 * Returns whether there is an order of the operations on one key in which each returned what it must, and which keeps
 * the order of operations that did not overlap (Wing and Gong). The key is absent at first.
 */
export function isLinearizable(history: readonly Operation[]): boolean {
  const seen = new Set<string>()
  const search = (done: bigint, kept: Kept): boolean => {
    const rest = history.filter((_one, index) => (done & (1n << BigInt(index))) === 0n)
    if (rest.length === 0) return true
    const state = `${done}:${kept?.version ?? ''}`
    if (seen.has(state)) return false
    seen.add(state)
    const firstEnd = Math.min(...rest.map(({ end }) => end))
    return history.some((operation, index) => {
      const bit = 1n << BigInt(index)
      if ((done & bit) !== 0n || operation.begin > firstEnd) return false
      const next = apply(operation, kept)
      return next !== null && search(done | bit, next.kept)
    })
  }
  return search(0n, null)
}
