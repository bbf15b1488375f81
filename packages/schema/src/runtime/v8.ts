/** The version of the JavaScript engine, which decides the faster back end. */

/** First major version of the engine whose `JSON.stringify` beats string building on objects and lists. */
export const FAST_NATIVE_V8 = 12

/** The major version of the running engine. */
export function v8Major(): number {
  return Number.parseInt(process.versions.v8, 10)
}
