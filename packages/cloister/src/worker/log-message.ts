import { isError, messageOf } from '../read-error.ts'
import { isRecord } from '../functions.ts'

/** What a call of a log function writes. */
export interface LogMessage {
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string | undefined
}

const HOLE = /%[sdifoOj%]/g

/**
 * Reads the arguments of a log function: an object, an error or nothing, then a message with values for its holes.
 *
 * @param errorKey - the key of an error that is given in place of the object
 */
export function writeMessage(args: readonly unknown[], errorKey: string): LogMessage {
  const [first, ...rest] = args
  if (typeof first === 'string') return { fields: {}, message: fill(first, rest) }
  const [message, ...values] = rest
  const text = message === undefined ? undefined : fill(String(message), values)
  if (isError(first)) return { fields: { [errorKey]: first }, message: text ?? messageOf(first) }
  if (!isRecord(first)) return { fields: {}, message: text }
  const cause = first[errorKey]
  return { fields: first, message: text ?? (isError(cause) ? messageOf(cause) : undefined) }
}

/** Puts values into the holes of a message (`%s`, `%d`, `%o`, …); those without a hole are left out. */
function fill(text: string, values: readonly unknown[]): string {
  if (values.length === 0) return text
  let next = 0
  return text.replace(HOLE, (hole) => {
    if (hole === '%%') return '%'
    if (next === values.length) return hole
    const value = values[next++]
    if (hole === '%s') return String(value)
    if (hole === '%d' || hole === '%f') return String(Number(value))
    return hole === '%i' ? String(Math.trunc(Number(value))) : jsonOf(value)
  })
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return '[without a text in JSON]'
  }
}
