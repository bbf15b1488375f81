import type { v8Major as v8MajorReplaced } from '../runtime/v8.ts'
import type { emitWarning as emitWarningReplaced } from '../warnings.ts'

/** The first major version of V8 whose `JSON.stringify` is faster than string building on objects and lists. */
export const FAST_NATIVE_V8 = 12

/** Workers run on a recent V8, but do not expose its version. */
export const v8Major: typeof v8MajorReplaced = () => 14

/** Writes a warning to the console, since a worker has no process. */
export const emitWarning: typeof emitWarningReplaced = (message, code) => console.warn(`[${code}] ${message}`)
