/** Measures of values. */

/** Whether a value is an object with properties: no array, no date. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/**
 * Whether a number is a multiple of another. A quotient of 1e21 or more counts as none, as in Ajv, which compares with
 * `parseInt`: that reads 1e21 as 1.
 */
export function isMultipleOf(value: number | bigint, step: number): boolean {
  const quotient = Number(value) / step
  return Number.isInteger(quotient) && quotient < 1e21 && quotient > -1e21
}
