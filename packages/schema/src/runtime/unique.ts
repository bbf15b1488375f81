import { isObject, isPlainObject } from '../guards.ts'

/** Compares two values as JSON Schema does. */
export type Equal = (left: unknown, right: unknown) => boolean

/** True when no two scalars of the list are the same. */
export function allScalarsDistinct(list: readonly unknown[]): boolean {
  return new Set(list).size === list.length
}

/** Thrown for a value that is not made of plain objects, arrays and scalars. */
class NotJson extends Error {}

/** True when no two items are equal as JSON values, in linear time; false when that cannot be told. */
export function allDistinct(list: readonly unknown[]): boolean {
  const texts = canonicalTexts(list)
  return texts !== undefined && new Set(texts).size === list.length
}

/** Positions of two equal items: the last that has an equal one before it, and the nearest before. */
export function findDuplicate(list: readonly unknown[], equal: Equal): { i: number; j: number } | null {
  const texts = canonicalTexts(list)
  if (texts === undefined) return findByComparing(list, equal)
  const seen = new Map<string, number>()
  let found: { i: number; j: number } | null = null
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] ?? ''
    const j = seen.get(text)
    if (j !== undefined) found = { i, j }
    seen.set(text, i)
  }
  return found
}

/** Text that equal JSON values share and different ones do not; the order of keys does not count. */
export function canonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (!isObject(value)) {
    if (typeof value === 'function' || typeof value === 'symbol') throw new NotJson()
    return String(Object.is(value, -0) ? 0 : value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (!isPlainObject(value)) throw new NotJson()
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join()}}`
}

/** Undefined for values that are not JSON or nested deeper than the stack. */
function canonicalTexts(list: readonly unknown[]): string[] | undefined {
  try {
    return list.map(canonicalText)
  } catch (error) {
    if (error instanceof RangeError || error instanceof NotJson) return undefined
    throw error
  }
}

function findByComparing(list: readonly unknown[], equal: Equal): { i: number; j: number } | null {
  for (let i = list.length - 1; i > 0; i--) {
    for (let j = i - 1; j >= 0; j--) {
      if (equal(list[i], list[j])) return { i, j }
    }
  }
  return null
}
