/**
 * Errors of serializers: the reason, and the pointer into the payload.
 *
 * Generated code throws a {@link Misfit} with a relative pointer. Each caller on the way up (array, additional
 * property, function) adds its own prefix, and the entry turns the result into the public error.
 */
import { isStackOverflow } from '../nesting.ts'
import { pointerToken, shortPointer } from '../document/pointer.ts'

/** Thrown for a value that the schema cannot serialize. `pointer` is its position in the payload. */
export class SerializeError extends Error {
  override readonly name = 'SerializeError'
  /** Stable code of this kind of error. */
  readonly code = 'SERIALIZE_MISFIT'
  /** JSON pointer into the payload; empty for the payload itself. The middle of a very long one is replaced by `…`. */
  readonly pointer: string
  /** The problem, without the pointer. */
  readonly reason: string

  /** @param details - the cause, and a message to use instead of the reason with the pointer */
  constructor(reason: string, pointer: string, details: SerializeErrorDetails = {}) {
    const short = shortPointer(pointer)
    const { message = `${reason} (at ${pointerName(short)})`, cause } = details
    super(message, cause === undefined ? undefined : { cause })
    this.pointer = short
    this.reason = reason
  }
}

/** The optional fields of a {@link SerializeError}. */
export interface SerializeErrorDetails {
  readonly message?: string | undefined
  readonly cause?: unknown
}

/** Carries a {@link SerializeError} inside generated code. */
export class Misfit extends Error {
  /** Pointer relative to the generated function that last caught the error. */
  pointer: string
  /** Whether the message is complete, without a pointer. */
  readonly isBare: boolean

  constructor(reason: string, pointer: string, isBare: boolean = false) {
    super(reason)
    this.pointer = pointer
    this.isBare = isBare
  }
}

function pointerName(pointer: string): string {
  return pointer === '' ? 'the root of the payload' : pointer
}

/** Prepends the position of a nested value to the pointer of an error. */
export function prefixPointer(error: unknown, prefix: string, key: string | number | undefined): unknown {
  if (error instanceof Misfit) {
    error.pointer = prefix + (key === undefined ? '' : `/${pointerToken(key)}`) + error.pointer
  }
  return error
}

/** Converts an error of generated code to the error for the caller of a serializer. */
export function publicError(error: unknown): unknown {
  if (error instanceof Misfit) {
    const { message, pointer, isBare } = error
    return new SerializeError(message, pointer, { message: isBare ? message : undefined })
  }
  if (isStackOverflow(error)) {
    return new SerializeError('the value is nested too deeply for the stack', '', { cause: error })
  }
  return error
}
