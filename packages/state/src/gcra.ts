import type { TakeResult, TakeRule } from './types.ts'

/**
 * Decides by the generic cell rate algorithm.
 *
 * @param freeAt - when all of the key is free again, in milliseconds; `undefined` for a new key
 * @returns whether it may be taken, and when all is free then
 */
export function decideTake(
  freeAt: number | undefined,
  now: number,
  cost: number,
  { max, perMs }: TakeRule,
): { allowed: boolean; freeAt: number } {
  const each = perMs / max
  const from = Math.max(freeAt ?? now, now)
  const next = from + cost * each
  // A sum of fractions may exceed the period by less than a thousandth of a request.
  const allowed = next - now - perMs <= each / 1000
  return { allowed, freeAt: allowed ? next : from }
}

/** Returns the result of a decision. */
export function takeResult(
  allowed: boolean,
  freeAt: number,
  now: number,
  cost: number,
  { max, perMs }: TakeRule,
): TakeResult {
  const each = perMs / max
  if (!allowed) return { allowed, remaining: 0, resetMs: freeAt + cost * each - now - perMs }
  return {
    allowed,
    remaining: Math.max(0, Math.floor((perMs - (freeAt - now)) / each + 0.001)),
    resetMs: freeAt - now,
  }
}
