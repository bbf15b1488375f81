/** The contract of the Standard Schema specification, as far as the framework calls it. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: number
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
  }
}

/** A non-null object or array, readable by key. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** A JSON Schema in object form: an object that is no array. */
export function isSchemaObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value)
}

/** An object whose prototype is `Object.prototype` or null; anything else is an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isSchemaObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A value of a Standard Schema library (Zod, Valibot, ArkType, …), object or function. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (!(isObject(value) || typeof value === 'function')) return false
  const standard: unknown = Reflect.get(value, '~standard')
  return isObject(standard) && typeof standard['validate'] === 'function'
}

const FLUENT = Symbol.for('fluent-schema-object')

/** A schema builder of the fluent kind gives its JSON Schema through `valueOf()`; all else stays as it is. */
export function unwrapFluent(value: unknown): unknown {
  if (!isObject(value)) return value
  const fluent: unknown = value['isFluentSchema'] || value['isFluentJSONSchema'] || Reflect.get(value, FLUENT)
  return fluent ? value.valueOf() : value
}

/** A schema made by another library's classes: it is handed to its compiler untouched. */
export function isForeignSchema(value: unknown): boolean {
  if (isStandardSchema(value)) return true
  return isObject(value) ? !isPlainObject(value) && !Array.isArray(value) : typeof value === 'function'
}
