import { isError, messageOf } from '../read-error.ts'
import { setImmediate } from '../platform.ts'

/** Hands the outcome of a promise to a callback; what the callback throws ends the process, as in any callback. */
export function callBack(
  outcome: Promise<unknown>,
  callback: (error: Error | null, value?: unknown) => void,
): void {
  const call = (error: Error | null, value: unknown): void => {
    try {
      callback(error, value)
    } catch (thrown) {
      setImmediate(() => {
        throw thrown
      })
    }
  }
  outcome.then(
    (value) => call(null, value),
    (error: unknown) => call(isError(error) ? error : new Error(messageOf(error), { cause: error }), null),
  )
}
