import { FieldError, problemOfField } from './field.ts'

/** A value that is not a valid status. */
export class StatusError extends Error {
  /** the code of all these errors */
  readonly code = 'WIRE_STATUS_INVALID'
  /** the value, as text */
  readonly given: string

  constructor(given: unknown) {
    const text = describe(given)
    super(`The status of a response is an integer from 200 to 999, not ${text}`)
    this.name = 'StatusError'
    this.given = text
  }
}

/** Describes a value of the application, which may be anything. */
function describe(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 100))
  return typeof given === 'object' && given !== null ? 'an object' : String(given)
}

/** Whether a value is a status: an integer with three digits (RFC 9110 section 15). */
export function isStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999
}

/**
 * Checks the status of a final response: an integer from 200 to 999.
 *
 * @throws StatusError
 */
export function checkStatus(status: unknown): void {
  if (!isStatus(status) || status < 200) throw new StatusError(status)
}

/**
 * Checks a reason phrase (RFC 9112 section 4); Node calls it `statusMessage`.
 *
 * @throws FieldError
 */
export function checkReason(reason: unknown): void {
  if (typeof reason !== 'string') throw new FieldError('statusMessage', 'it must be a text')
  const problem = problemOfField('statusMessage', reason)
  if (problem !== null) throw new FieldError('statusMessage', problem)
}
