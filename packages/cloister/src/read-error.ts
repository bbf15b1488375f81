import { CloisterError, createError } from './errors.ts'
import { attempt, isArray, itemsOf, look, membersOf, textOf } from './foreign.ts'
import { hush } from './guards.ts'

/*
 * Reads a thrown value once. A callback, hook, handler, parser, stream or logger of the application may throw any
 * value. Hooks and error handlers get that value itself. Everything that the framework derives from it (status,
 * headers, payload, code, log line) comes from the record that `readError` returns. `readError` reads each member once,
 * with `look`, which never throws.
 *
 * A second read could throw, or return another status than the one that was sent. With one read, the code that handles
 * errors needs no `try`. If the value is a promise, its rejection is ignored because nothing else handles it.
 */

/** The most characters of a header line, and the most lines of a header. */
const MAX_LINE = 8192
const MAX_LINES = 100
const MAX_CODE = 256

/** The facts about a thrown value. */
export interface ReadError {
  /** true for Errors, including those of another realm */
  readonly isError: boolean
  /** true for errors of the catalogue */
  readonly isOwn: boolean
  readonly message: string
  readonly code: string | number | undefined
  /** `statusCode` or `status`, if it is an integer from 400 to 599 */
  readonly statusCode: number | undefined
  readonly headers: Readonly<Record<string, string | string[]>> | null
}

/** Reads a thrown value of any type, once. */
export function readError(thrown: unknown): ReadError {
  const code = look(thrown, 'code')
  return Object.freeze({
    isError: isError(thrown),
    isOwn: isOwnError(thrown),
    message: messageOf(thrown),
    code: typeof code === 'number' ? code : typeof code === 'string' ? textOf(code, MAX_CODE) : undefined,
    statusCode: ownStatus(thrown),
    headers: readHeaders(look(thrown, 'headers')),
  })
}

const FAILURE = /^[45]\d\d$/
const isFailure = (status: unknown): status is number =>
  typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599

/** Headers that describe one content, which the content of an error response replaces. */
export const CONTENT_FIELDS = ['content-type', 'content-length', 'content-encoding'] as const

const isContentField = (name: string): boolean => CONTENT_FIELDS.some((field) => field === name.toLowerCase())

/**
 * Returns the headers of an error, without those that aren't text or are too long, and without those of another
 * content: an HTTP client's error has the headers of the response that it got.
 */
function readHeaders(given: unknown): ReadError['headers'] {
  if (typeof given !== 'object' || given === null || isArray(given)) return null
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(membersOf(given))) {
    if (isContentField(name)) continue
    const lines = (isArray(value) ? itemsOf(value, MAX_LINES) : [value])
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
  const text = value === null || NO_TEXT.has(typeof value) ? undefined : textOf(value)
  return text === undefined || text === '[object Object]' || text.length > MAX_LINE ? null : text
}

/**
 * Returns whether a value is an Error, including one of another realm. Returns false for a value that can't be
 * inspected.
 */
export function isError(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false
  return attempt(
    () => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]',
    false,
  )
}

/** Returns whether a value is an error of the catalogue. */
export function isOwnError(value: unknown): boolean {
  return attempt(() => value instanceof CloisterError, false)
}

/** Returns the message of any thrown value, or its text if it has no message. */
export function messageOf(thrown: unknown): string {
  hush(thrown)
  const message = look(thrown, 'message')
  if (typeof message === 'string') return textOf(message) ?? ''
  const isOfError = isError(thrown)
  const text = isOfError ? (message === undefined ? undefined : textOf(message)) : textOf(thrown)
  return text ?? (isOfError ? 'an error that cannot be read' : 'a value that cannot be read')
}

/** Returns the status of a thrown value. The status of an Error may be a string, as in errors of HTTP clients. */
export function ownStatus(thrown: unknown): number | undefined {
  const isOfError = isError(thrown)
  for (const name of ['statusCode', 'status']) {
    const given = look(thrown, name)
    const status = isOfError && typeof given === 'string' && FAILURE.test(given) ? Number(given) : given
    if (isFailure(status)) return status
  }
  return undefined
}

/** Returns a thrown Error itself, or wraps any other value in a `NON_ERROR_THROWN` error as its `cause`. */
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
