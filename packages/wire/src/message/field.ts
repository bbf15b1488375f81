/** Headers of a response by name. A list has several lines of one name. */
export type ResponseHeaders = Record<string, string | number | string[] | undefined>

/** A field name is a token (RFC 9110 section 5.1). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** Characters that no field value may have; each of the others is one byte (RFC 9110 section 5.5). */
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** Whether a text is a valid field name. */
export function isFieldName(name: string): boolean {
  return TOKEN.test(name)
}

/** Whether a text is a valid field value, or a valid reason phrase (RFC 9112 section 4). */
export function isFieldValue(value: string): boolean {
  return !NOT_IN_VALUE.test(value)
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/** Removes the blanks around a value (RFC 9110 section 5.6.3), in linear time: clients may send thousands of them. */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/**
 * Returns why a field is invalid. This is the only rule for fields, in final and interim heads and in trailers.
 *
 * @returns `null` for a valid one
 */
export function problemOfField(name: string, value: ResponseHeaders[string]): string | null {
  if (!TOKEN.test(name)) return 'its name must be a token of letters, digits and hyphens'
  if (value === undefined) return 'its value is undefined'
  if (!Array.isArray(value)) return problemOfLine(value)
  for (const line of value) {
    const problem = problemOfLine(line)
    if (problem !== null) return problem
  }
  return null
}

function problemOfLine(line: string | number): string | null {
  const text = String(line)
  const at = text.search(NOT_IN_VALUE)
  if (at === -1) return null
  const character = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))
  return `the character ${character} cannot stand in its value; encode it (in a URL with encodeURI)`
}

/** A field of a head or of trailers that is invalid. */
export class FieldError extends Error {
  /** the code of all these errors */
  readonly code = 'WIRE_FIELD_INVALID'
  /** the name of the field */
  readonly field: string
  /** why it is invalid */
  readonly reason: string

  constructor(field: string, reason: string) {
    super(`The header ${JSON.stringify(field)} cannot be written: ${reason}`)
    this.name = 'FieldError'
    this.field = field
    this.reason = reason
  }
}

/** @throws FieldError for the first invalid field */
export function checkFields(fields: Readonly<ResponseHeaders>): void {
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value === undefined) continue
    const problem = problemOfField(name, value)
    if (problem !== null) throw new FieldError(name, problem)
  }
}
