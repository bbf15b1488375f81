import type { Schema } from '../schema-rows.ts'

/** How many numbers are given to lists whose items have to differ. */
const SPARE = 12

/** Returns a number from a schema, or the fallback. */
export function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}

/** Returns numbers that a schema may accept, the plainest first. */
export function numbersOf(schema: Schema, isInteger: boolean): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity))
  const high = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity))
  const step = numberOr(multipleOf, isInteger ? 1 : 0)
  const first = Number.isFinite(low) ? low : Number.isFinite(high) ? high - SPARE * (step || 1) : 0
  const spare = Array.from({ length: SPARE }, (_, index) => first + index * (step || 1))
  const wanted = [0, 1, 2, low, low + 1, high, high - 1, (low + high) / 2, low + (high - low) / 8, ...spare]
  const finite = wanted.filter((one) => Number.isFinite(one) && one >= low && one <= high)
  const fitting =
    step === 0
      ? finite
      : finite.flatMap((one) => [times(Math.ceil(one / step), step), times(Math.floor(one / step), step)])
  const open = (one: number): boolean => one !== exclusiveMinimum && one !== exclusiveMaximum
  return [...new Set(fitting)].filter((one) => one >= low && one <= high && open(one)).map((one) => one + 0)
}

/** A multiple without the error of floating-point numbers, as in 3 × 0.1. */
function times(count: number, step: number): number {
  const decimals = /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0
  return Number((count * step).toFixed(decimals))
}
