/** Measures of values for predicates. */
import { isSameJson } from './containers.ts'

/** Whether a value is an object with properties: no array, no date. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** Length of a string in characters (code points). */
export function textLength(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Whether a number is a multiple of another, up to the error of floating point. */
export function isMultipleOf(value: number | bigint, step: number): boolean {
  const quotient = Number(value) / step
  return Number.isInteger(quotient)
}

/** Whether all items differ. */
export function areDistinct(items: readonly unknown[]): boolean {
  const primitives = new Set<unknown>()
  const others: unknown[] = []
  for (const item of items) {
    if (typeof item !== 'object' || item === null) {
      if (primitives.has(item)) return false
      primitives.add(item)
    } else {
      if (others.some((other) => isSameJson(other, item))) return false
      others.push(item)
    }
  }
  return true
}

/** Number of properties that JSON will show. */
export function propertyCount(object: Readonly<Record<string, unknown>>): number {
  return Object.values(object).filter((value) => value !== undefined).length
}

/** Whether a test holds for every property that JSON will show. */
export function everyProperty(
  object: Readonly<Record<string, unknown>>,
  test: (key: string, value: unknown) => boolean,
): boolean {
  return Object.keys(object).every((key) => object[key] === undefined || test(key, object[key]))
}
