/** The members of the Standard Schema specification that the framework uses. */
export interface StandardSchema {
  /** The properties of the specification: its version, the name of the library, the validator. */
  readonly '~standard': {
    readonly version: number
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
  }
}

/** Whether a value is a non-null object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Whether a value is a JSON Schema in object form: an object and not an array. */
export function isSchemaObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list of nothing, which all share: most schemas have several. */
export const NOTHING: readonly never[] = Object.freeze([])

/** Returns a value itself if it is a list; otherwise an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING
}

/** A value that contains no other. */
export type Scalar = string | number | boolean | null

/** Whether a value is a string, a number, a boolean or null. */
export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** Whether a value is a scalar that JSON can contain. */
export function isJsonScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value)
}

/** Whether a value is a plain object: its prototype is `Object.prototype` or null. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isSchemaObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Sets an own property of any name, including `__proto__`. */
export function defineOwn(object: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Whether a value is a schema of a Standard Schema library (Zod, Valibot, ArkType, …). */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (!(isObject(value) || typeof value === 'function')) return false
  const standard: unknown = Reflect.get(value, '~standard')
  return isObject(standard) && typeof standard['validate'] === 'function'
}

const FLUENT = Symbol.for('fluent-schema-object')

/** Returns the JSON Schema of a fluent schema builder, from its `valueOf()`; returns any other value unchanged. */
export function unwrapFluent(value: unknown): unknown {
  if (!isObject(value)) return value
  const fluent: unknown = value['isFluentSchema'] || value['isFluentJSONSchema'] || Reflect.get(value, FLUENT)
  return fluent ? value.valueOf() : value
}

/** Whether a schema is an instance of another library's class, which goes to its compiler unchanged. */
export function isForeignSchema(value: unknown): boolean {
  if (isStandardSchema(value)) return true
  return isObject(value) ? !isPlainObject(value) && !Array.isArray(value) : typeof value === 'function'
}
