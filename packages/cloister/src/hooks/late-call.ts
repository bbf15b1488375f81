import { hush, isFunction, isLate, isRecord } from '../functions.ts'
import { warn } from '../logging/warnings.ts'
import { messageOf, wrapThrown } from '../read-error.ts'

/** Describes a function and its call site: `the onRequest hook 'auth', added at app.js:12,`. */
export type Describe = () => string

/**
 * Logs an error of a function that had called `done` before: nothing waits for it any more, and it must not get lost.
 *
 * @param owners - the first one that has a logger writes the line: the request, or the instance
 */
export function warnOfLateError(owners: readonly unknown[], describe: Describe, thrown: unknown): void {
  hush(thrown)
  const line = `${describe()} failed after it had called 'done'; its error has no effect any more. Call 'done' once, and last`
  try {
    for (const owner of owners) {
      const log = isRecord(owner) ? owner['log'] : undefined
      if (!isRecord(log) || !isFunction(log['warn'])) continue
      // What a logger rejects with is lost with the line.
      isLate(log['warn']({ err: thrown ?? wrapThrown(thrown) }, line))
      return
    }
  } catch (failure) {
    warn('LOG_LOST', { reason: messageOf(failure) })
  }
}
