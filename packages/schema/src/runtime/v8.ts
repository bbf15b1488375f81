/** The version of the JavaScript engine, which decides which back end is faster. */

/** The first major version of V8 whose `JSON.stringify` is faster than string building on objects and lists. */
export const FAST_NATIVE_V8 = 12

/** Returns the major version of the running V8. */
export function v8Major(): number {
  return Number.parseInt(process.versions.v8, 10)
}
