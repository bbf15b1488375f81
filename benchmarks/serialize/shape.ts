/** One shape of a response: a schema and values that fit it. */
export interface Shape {
  readonly name: string
  readonly schema: object
  /** A value; each variant holds other numbers and strings, so that nothing is measured out of a cache. */
  readonly make: (variant: number) => unknown
  /** The schema does not change the value, so that `JSON.stringify` can be measured beside it. */
  readonly isJson: boolean
  /** How many variants are serialized in turn. */
  readonly variants: number
}

/** A shape whose values `JSON.stringify` can write. */
export function shape(
  name: string,
  schema: object,
  make: (variant: number) => unknown,
  more: Partial<Pick<Shape, 'isJson' | 'variants'>> = {},
): Shape {
  return { name, schema, make, isJson: true, variants: 64, ...more }
}

/** A list of `length` values made from their index. */
export function listOf<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index))
}
