/** Holds a value that coercion may replace as a whole. */
export interface ValueHolder {
  /** The root value; a coercion replaces it. */
  value: unknown
}

/** Accepts a value and changes it as Ajv would, or returns false and changes nothing. */
export type Accept = (data: unknown, holder?: ValueHolder) => boolean
