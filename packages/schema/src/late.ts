/**
 * Whether a value that must be there at once is a promise, or awaited like one. What it rejects with is dropped, so that it
 * ends no process: the caller reports the promise itself.
 */
export function isLate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false
  drop(value)
  return typeof value.then === 'function'
}

/** A promise of an application may reject with another one, or with what cannot be looked at. */
function drop(value: unknown): void {
  try {
    if (value instanceof Promise) value.then(undefined, drop)
  } catch {
    // It is no promise.
  }
}
