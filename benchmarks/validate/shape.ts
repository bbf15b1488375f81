/** One shape: a schema and a maker of fresh values for it, since coercion and defaults change what they check. */
export interface Shape {
  readonly name: string
  readonly part: 'params' | 'querystring' | 'body'
  readonly schema: object
  /** A fresh value as the framework's parser would give it. */
  readonly make: () => unknown
  /** Whether validation changes the value; if not, one value is used again and again. */
  readonly mutates: boolean
}
