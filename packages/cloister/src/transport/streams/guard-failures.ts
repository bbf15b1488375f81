import type { Readable } from 'node:stream'

import { createError } from '../../errors.ts'
import { isFunction } from '../../functions.ts'
import { messageOf } from '../../read-error.ts'

/**
 * Lets a stream of the application fail with any value. Node reads the stack of what a stream is destroyed with; where
 * that throws (a revoked proxy, a getter), `destroy` throws within Node, and the stream never ends. Such a value becomes
 * an Error before Node sees it.
 */
export function guardFailures<Stream extends object>(stream: Stream): Stream {
  const { destroy, _destroy }: Partial<Pick<Readable, 'destroy' | '_destroy'>> = stream
  if (!isFunction(destroy) || !isFunction(_destroy)) return stream
  return Object.assign(stream, {
    destroy(this: Readable, error?: Error, ...rest: []) {
      return destroy.call(this, withStack(error), ...rest)
    },
    _destroy(this: Readable, error: Error | null, done: (error?: Error | null) => void) {
      _destroy.call(this, error, (failure?: Error | null) => done(withStack(failure)))
    },
  })
}

/** What a stream fails with, as something whose stack can be read. */
function withStack<Failure>(failure: Failure): Failure | Error {
  try {
    if (failure !== null && failure !== undefined) Reflect.get(Object(failure), 'stack')
    return failure
  } catch {
    return createError('NON_ERROR_THROWN', { what: messageOf(failure) }, { cause: failure })
  }
}
