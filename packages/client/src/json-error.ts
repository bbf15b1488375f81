import type { ParseJson } from './parse-json.ts'

/** The most characters of an invalid text that an error contains. */
const SHOWN = 80

/** The error for a message of a socket, or an item of a body, that is no JSON. Earlier ones are valid. */
export class JsonError extends SyntaxError {
  override readonly name: string = 'JsonError'
  /** Names the error. */
  readonly code = 'CLO_ERR_CLIENT_JSON' as const

  constructor(what: string, text: string) {
    super(`${what} is no JSON: ${text.slice(0, SHOWN)}`)
  }
}

/**
 * Parses a message or an item.
 *
 * @param what - names it in the error, with its number
 * @throws {@link JsonError}
 */
export function parseJson(data: unknown, what: string, parse: ParseJson): unknown {
  const text = String(data)
  try {
    return parse(text, what)
  } catch (error) {
    throw error instanceof SyntaxError ? new JsonError(what, text) : error
  }
}
