/*
 * Deeply nested values overflow the stack, because walks recurse. That is a client error, unlike an infinite
 * recursion in application code, which is a bug.
 */

/** No stack overflows at this depth, and no handwritten value is nested this deeply. */
const DEEP = 100

/**
 * The maximum number of reference levels of a walk: more than Ajv can follow on the default stack. A union costs some
 * microseconds at each level, and its client as few as seven bytes.
 */
export const MAX_LEVELS = 5000

/** A value is nested more deeply than a walk can follow. */
export class NestingError extends Error {
  override readonly name = 'NestingError'

  constructor() {
    super(`the value is nested more than ${MAX_LEVELS} levels deep`)
  }
}

/** Whether the nesting of a value caused an error: it is too deep for a walk or for the stack. */
export function isNestingError(error: unknown, value: unknown): boolean {
  return error instanceof NestingError || (isStackOverflow(error) && isNestedDeeply(value))
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}

/** Uses a list of open values, because recursion could overflow again. */
function isNestedDeeply(value: unknown): boolean {
  const open: { readonly part: unknown; readonly depth: number }[] = [{ part: value, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, depth } = next
    if (typeof part !== 'object' || part === null) continue
    if (depth > DEEP) return true
    for (const entry of Object.values(part)) open.push({ part: entry, depth: depth + 1 })
  }
  return false
}
