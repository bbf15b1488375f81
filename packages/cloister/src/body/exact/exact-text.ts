import { isRecord } from '../../guards.ts'
import type { Literals } from './rules.ts'

/**
 * Returns the JSON text of a member of a value that was read from JSON, with the numbers as they were written.
 *
 * @param holder - the object or list
 * @returns `undefined` for a value without JSON
 */
export function exactText(holder: object, key: string | number, literals: Literals): string | undefined {
  const value: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
  if (typeof value === 'number') {
    const literal = literals.get(holder)?.get(String(key))
    return literal !== undefined && Number(literal) === value ? literal : JSON.stringify(value)
  }
  // Validators make bigints of 64-bit integers.
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) {
    const items = value.map((_item, index) => exactText(value, index, literals) ?? 'null')
    return `[${items.join(',')}]`
  }
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.keys(value).flatMap((name) => {
    const text = exactText(value, name, literals)
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`
  })
  return `{${members.join(',')}}`
}
