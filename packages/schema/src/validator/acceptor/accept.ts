/** Holds a value that coercion may replace as a whole. */
export interface ValueHolder {
  value: unknown
}

/** Accepts a value and changes it as Ajv would, or returns false and changes nothing. */
export type Accept = (data: unknown, holder?: ValueHolder) => boolean
