import type { ErrorObject } from 'ajv'

/**
 * How many characters the pointers of the errors of one value have together. A value that is nested in thousands of
 * levels of a union has errors at each level, and each names all levels around it: 70 KB would have 300 MB of errors.
 */
const MAX_POINTERS = 1_048_576

/** The errors up to that limit, and the last one, which is about the outermost schema. */
export function boundedErrors(errors: ErrorObject[]): ErrorObject[] {
  let left = MAX_POINTERS
  for (const [index, { instancePath }] of errors.entries()) {
    left -= instancePath.length
    if (left < 0) return [...errors.slice(0, index), ...errors.slice(Math.max(index, errors.length - 1))]
  }
  return errors
}
