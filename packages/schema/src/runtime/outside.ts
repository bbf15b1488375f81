import { isScalar } from '../guards.ts'
import { codePointLength } from './measures.ts'

/** Whether a value is outside of constants and limits. */
export function isOutside(value: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  const { enum: values } = schema
  if (isScalar(value)) {
    if (Array.isArray(values) && !values.includes(value)) return true
    if (isScalar(schema['const']) && schema['const'] !== value) return true
  }
  const limit = (name: string, otherwise: number): number => {
    const given = schema[name]
    return typeof given === 'number' ? given : otherwise
  }
  if (typeof value === 'number') {
    const least = limit('minimum', -Infinity)
    const most = limit('maximum', Infinity)
    if (value < least || value > most) return true
    return value <= limit('exclusiveMinimum', -Infinity) || value >= limit('exclusiveMaximum', Infinity)
  }
  const size = sizeOf(value)
  if (size === null) return false
  const kind = Array.isArray(value) ? 'Items' : 'Length'
  return size < limit(`min${kind}`, 0) || size > limit(`max${kind}`, Infinity)
}

/** Returns the number of characters, as code points, or of items. */
function sizeOf(value: unknown): number | null {
  if (typeof value === 'string') return codePointLength(value)
  return Array.isArray(value) ? value.length : null
}
