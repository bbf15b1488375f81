import type { emitWarning as replaced } from '../warnings.ts'

/** Writes a warning to the console: a worker has no process. */
export const emitWarning: typeof replaced = (message, code) => console.warn(`[${code}] ${message}`)
