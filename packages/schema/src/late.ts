/**
 * Whether a value that is needed at once is a promise or another thenable. Ignores its rejection, which would
 * otherwise end the process: the caller reports the promise itself.
 */
export function isLate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false
  drop(value)
  return typeof value.then === 'function'
}

/** A promise of an application may reject with another promise, or with a value that throws when it is read. */
function drop(value: unknown): void {
  try {
    if (value instanceof Promise) value.then(undefined, drop)
  } catch {
    // It is not a promise.
  }
}
