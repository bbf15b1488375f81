import { CloisterError, createError } from './errors.ts'
import { isArray, itemsOf, look, membersOf, textOf } from './foreign.ts'
import { hush } from './guards.ts'

/*
 * One reading of what was thrown. A callback, a hook, a handler, a parser, a stream or a logger of the application may
 * fail with any value. Its hooks and error handlers get that value itself. Whatever the framework makes of it (status,
 * headers and payload of a response, its code, a line of the log) is made of the record that `readError` returns: each
 * member of the value is read once, with `look`, which cannot throw.
 *
 * A second read could throw, or return another status than the one that was sent; with one read the error handlers
 * need no `try`. The rejection of a thrown promise is dropped, because nothing else handles it.
 */

/** Characters of one line of a header, and lines of one. */
const MOST_LINE = 8192
const MOST_LINES = 100
const MOST_CODE = 256

/** What the framework knows of a thrown value. */
export interface ReadError {
  /** an Error, also one of another realm */
  readonly isError: boolean
  /** an error of the catalogue */
  readonly isOwn: boolean
  readonly message: string
  readonly code: string | number | undefined
  /** its `statusCode` or `status` where that is one of an error; such are the integers from 400 to 599 */
  readonly statusCode: number | undefined
  /** headers for the response */
  readonly headers: Readonly<Record<string, string | string[]>> | null
}

/** Reads a thrown value. It may be anything, and is read once. */
export function readError(thrown: unknown): ReadError {
  const code = look(thrown, 'code')
  return Object.freeze({
    isError: isError(thrown),
    isOwn: isOwnError(thrown),
    message: messageOf(thrown),
    code: typeof code === 'number' ? code : typeof code === 'string' ? textOf(code, MOST_CODE) : undefined,
    statusCode: ownStatus(thrown),
    headers: readHeaders(look(thrown, 'headers')),
  })
}

const FAILURE = /^[45]\d\d$/
const isFailure = (status: unknown): status is number =>
  typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599

/** The headers of an error; those that are no text, or too long for one, are left out. */
function readHeaders(given: unknown): ReadError['headers'] {
  if (typeof given !== 'object' || given === null || isArray(given)) return null
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(membersOf(given))) {
    const lines = (isArray(value) ? itemsOf(value, MOST_LINES) : [value])
      .map(lineOf)
      .filter((line) => line !== null)
    const [line] = lines
    if (isArray(value)) headers[name] = lines
    else if (line !== undefined) headers[name] = line
  }
  return headers
}

const NO_TEXT: ReadonlySet<string> = new Set(['undefined', 'function', 'symbol'])

function lineOf(value: unknown): string | null {
  const text = NO_TEXT.has(typeof value) ? undefined : textOf(value)
  return text === undefined || text.length > MOST_LINE ? null : text
}

/** Whether a value is an Error, also of another realm. A value that cannot be inspected is none. */
export function isError(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
  } catch {
    return false
  }
}

/** Whether a value is an error of the catalogue. */
export function isOwnError(value: unknown): boolean {
  try {
    return value instanceof CloisterError
  } catch {
    return false
  }
}

/** The message of a thrown value, which need not be an Error; the text of one without a message. */
export function messageOf(thrown: unknown): string {
  hush(thrown)
  const message = look(thrown, 'message')
  if (typeof message === 'string') return textOf(message) ?? ''
  const isOfError = isError(thrown)
  const text = isOfError ? (message === undefined ? undefined : textOf(message)) : textOf(thrown)
  return text ?? (isOfError ? 'an error that cannot be read' : 'a value that cannot be read')
}

/** The status that a thrown value has; that of an Error may be a text, as clients of other services have it. */
export function ownStatus(thrown: unknown): number | undefined {
  const isOfError = isError(thrown)
  for (const name of ['statusCode', 'status']) {
    const given = look(thrown, name)
    const status = isOfError && typeof given === 'string' && FAILURE.test(given) ? Number(given) : given
    if (isFailure(status)) return status
  }
  return undefined
}

/** Returns the thrown value if it is an Error, else a `NON_ERROR_THROWN` error with the value as `cause`. */
export function wrapThrown(thrown: unknown): Error {
  hush(thrown)
  if (isError(thrown)) return thrown
  return createError('NON_ERROR_THROWN', { what: describe(thrown) }, { cause: thrown })
}

function describe(thrown: unknown): string {
  if (thrown === null || thrown === undefined) return String(thrown)
  if (typeof thrown === 'function') return 'a function'
  if (typeof thrown !== 'object') return `${typeof thrown} ${textOf(thrown) ?? ''}`
  const message = look(thrown, 'message')
  return typeof message === 'string' ? `an object with the message '${textOf(message) ?? ''}'` : 'an object'
}
