/** An object that defines its own JSON. */

interface JsonSource {
  toJSON(): unknown
}

/** Whether an object has a `toJSON` method. */
export function hasToJson(value: object): value is JsonSource {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

/** Returns the result of an object's `toJSON`, or the value itself. */
export function callToJson(value: unknown): unknown {
  return typeof value === 'object' && value !== null && hasToJson(value) ? value.toJSON() : value
}
