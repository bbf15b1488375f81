/*
 * Values are walked by recursion, so deep nesting overflows the stack. That must be distinguished
 * apart from a recursion without end in the application's own code, which is no fault of the value.
 */

/** Less deep than anything that has filled a stack, deeper than anything that is written by hand. */
const DEEP = 100

/**
 * True when an error says that the call stack is full and it is the value that is to blame: it is nested so deeply
 * that a walk over it cannot get to its end.
 */
export function isNestingError(error: unknown, value: unknown): boolean {
  return isStackOverflow(error) && isNestedDeeply(value)
}

/** Whether an error says that the call stack is full. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}

/** Needs no recursion itself. */
function isNestedDeeply(value: unknown): boolean {
  const values: unknown[] = [value]
  const depths: number[] = [0]
  while (values.length > 0) {
    const current = values.pop()
    const depth = depths.pop() ?? 0
    if (typeof current !== 'object' || current === null) continue
    if (depth > DEEP) return true
    for (const entry of Object.values(current)) {
      values.push(entry)
      depths.push(depth + 1)
    }
  }
  return false
}
