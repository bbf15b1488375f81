import type { v8Major as v8MajorReplaced } from '../runtime/v8.ts'
import type { emitWarning as emitWarningReplaced } from '../warnings.ts'

/** First major version of the engine whose `JSON.stringify` beats string building on objects and lists. */
export const FAST_NATIVE_V8 = 12

/** Workers run on an engine of this year and do not say its version. */
export const v8Major: typeof v8MajorReplaced = () => 14

/** Writes a warning to the console: a worker has no process. */
export const emitWarning: typeof emitWarningReplaced = (message, code) => console.warn(`[${code}] ${message}`)
