/**
 * Why a value could not be serialized, and where.
 *
 * Generated code throws a {@link Misfit} with the pointer it knows; each frame on the way up (array,
 * additional property, function) puts its own part in front; the entry turns it into the public error.
 */
import { isStackOverflow } from '../nesting.ts'
import { pointerToken, shortPointer } from '../document/pointer.ts'

/** A value that the schema has no text for. `pointer` says where it stands in the payload. */
export class SerializeError extends Error {
  override readonly name = 'SerializeError'
  /** Stable code of this kind of error. */
  readonly code = 'SERIALIZE_MISFIT'
  /** JSON pointer into the payload, the empty string is the payload itself; the middle of a very long one is `…`. */
  readonly pointer: string
  /** What is wrong there, without the place. */
  readonly reason: string

  /** @param details - the message, unless it is the reason and the place, and what was thrown */
  constructor(reason: string, pointer: string, details: SerializeErrorDetails = {}) {
    const short = shortPointer(pointer)
    const { message = `${reason} (at ${pointerName(short)})`, cause } = details
    super(message, cause === undefined ? undefined : { cause })
    this.pointer = short
    this.reason = reason
  }
}

/** What else is known of a {@link SerializeError}. */
export interface SerializeErrorDetails {
  readonly message?: string | undefined
  readonly cause?: unknown
}

/** The carrier of a {@link SerializeError} inside generated code. */
export class Misfit extends Error {
  /** Pointer relative to the frame that has caught it last. */
  pointer: string
  /** The message is a fixed sentence of its own, to which no place is added. */
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

/** Puts the place of a frame before the pointer of an error that passes through it. */
export function prefixPointer(error: unknown, prefix: string, key: string | number | undefined): unknown {
  if (error instanceof Misfit) {
    error.pointer = prefix + (key === undefined ? '' : `/${pointerToken(key)}`) + error.pointer
  }
  return error
}

/** What the caller of a serializer sees instead of whatever generated code has thrown. */
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
