import type { v8Major as replaced } from '../runtime/v8.ts'

/** First major version of the engine whose `JSON.stringify` beats string building on objects and lists. */
export const FAST_NATIVE_V8 = 12

/** Workers run on an engine of this year and do not say its version. */
export const v8Major: typeof replaced = () => 14
