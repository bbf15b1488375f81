/** Whether a value is an object with properties, not an array or a date. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/**
 * Whether a number is a multiple of another. False for a quotient of 1e21 or more, as in Ajv, which compares with
 * `parseInt`: that reads 1e21 as 1.
 */
export function isMultipleOf(value: number | bigint, step: number): boolean {
  const quotient = Number(value) / step
  return Number.isInteger(quotient) && quotient < 1e21 && quotient > -1e21
}

/** Counts code points: a surrogate pair counts as one, and so does a lone surrogate. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const codeUnit = text.charCodeAt(i)
    if (codeUnit < 0xd800 || codeUnit > 0xdbff) continue
    const next = text.charCodeAt(i + 1)
    if (next < 0xdc00 || next > 0xdfff) continue
    length -= 1
    i += 1
  }
  return length
}
