import { hush, isFunction } from '../functions.ts'

/** The ways in which streams end, the first that a stream has: a web stream's, then those of Node's and older ones. */
const ENDINGS = ['cancel', 'destroy', 'close', 'abort']

/** Ends a stream that will not be read any more. */
export function release(source: object): void {
  for (const name of ENDINGS) {
    const end: unknown = Reflect.get(source, name)
    if (!isFunction(end)) continue
    // A web stream that was read already cannot be cancelled, and need not be.
    new Promise((resolve) => resolve(end.call(source))).catch((error: unknown) => void hush(error))
    return
  }
}
