import { isSameJson } from './containers.ts'
import { unwrap } from './scalars.ts'

/** Whether a value is one of an `enum`. */
export function isOneOf(value: unknown, literals: readonly unknown[]): boolean {
  const unwrapped = unwrap(value)
  return literals.some((literal) => isSameJson(unwrapped, literal))
}

/** Whether a value equals a `const`. */
export function isConstant(value: unknown, literal: unknown): boolean {
  return isSameJson(unwrap(value), literal)
}
