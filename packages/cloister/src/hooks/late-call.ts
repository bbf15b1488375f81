import { isFunction, isRecord } from '../functions.ts'

/** Describes a function and its call site: `the onRequest hook 'auth', added at app.js:12,`. */
export type Describe = () => string

/**
 * Logs an error of a function that had called `done` before: nothing waits for it any more, and it must not get lost.
 *
 * @param owners - the first one that has a logger writes the line: the request, or the instance
 */
export function warnOfLateError(owners: readonly unknown[], describe: Describe, err: unknown): void {
  for (const owner of owners) {
    const log = isRecord(owner) ? owner['log'] : undefined
    if (!isRecord(log) || !isFunction(log['warn'])) continue
    log['warn'](
      { err },
      `${describe()} failed after it had called 'done'; its error has no effect any more. Call 'done' once, and last`,
    )
    return
  }
}
