import { trimBlanks } from '@cloister/wire/message/internal'

/**
 * A parsed media type. The same value selects the parser, the schema and the serializer (RFC 9110 section 8.3.1). Type,
 * subtype and parameter names are case-insensitive.
 */
export interface MediaType {
  /** `type/subtype` in lower case, or an empty string if the header is absent */
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
  /** the header as it was sent, without surrounding whitespace */
  readonly text: string
  /** false if the header is not a media type */
  readonly valid: boolean
}

const TOKEN = "[!#$%&'*+\\-.^_`|~\\w]+"
const ESSENCE = new RegExp(`^${TOKEN}/${TOKEN}$`)
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=([^\\s;"]+|"(?:[^"\\\\]|\\\\.)*"))?`, 'y')
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/** The media type of a request without a `Content-Type` header. */
export const NO_MEDIA_TYPE: MediaType = { essence: '', parameters: NO_PARAMETERS, text: '', valid: true }
const JSON_TYPE: MediaType = {
  essence: 'application/json',
  parameters: NO_PARAMETERS,
  text: 'application/json',
  valid: true,
}

export const JSON_CONTENT = 'application/json; charset=utf-8'

/** The media type of forms that may contain files. */
export const MULTIPART = 'multipart/form-data'

/** Parses the value of a `Content-Type` header. */
export function parseMediaType(header: string | undefined): MediaType {
  if (header === 'application/json') return JSON_TYPE
  if (header === undefined) return NO_MEDIA_TYPE
  const text = trimBlanks(header)
  const end = text.indexOf(';')
  const essence = trimBlanks(end === -1 ? text : text.slice(0, end)).toLowerCase()
  if (!ESSENCE.test(essence)) return { essence, parameters: NO_PARAMETERS, text, valid: false }
  if (end === -1) return { essence, parameters: NO_PARAMETERS, text, valid: true }
  return parseParameters(essence, text, end)
}

/** A type and a subtype have at most 127 characters each (RFC 6838 section 4.2). */
const MAX_NAME_LENGTH = 255

/**
 * Returns the name of a media type for error messages: its type and subtype if valid, and no other text from the
 * client.
 */
export function nameOf({ essence, valid }: MediaType): string {
  if (essence === '') return 'none'
  return valid && essence.length <= MAX_NAME_LENGTH ? essence : 'not a media type'
}

/** Returns the type and subtype of a header, whatever its parameters; `undefined` if it has none. */
export function typeIn({ essence }: MediaType): string | undefined {
  return ESSENCE.test(essence) ? essence : undefined
}

function parseParameters(essence: string, text: string, start: number): MediaType {
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = start
  while (PARAMETER.lastIndex < text.length) {
    const match = PARAMETER.exec(text)
    if (match === null) return { essence, parameters, text, valid: false }
    const [, name, value] = match
    if (name === undefined || value === undefined) continue
    parameters.set(name.toLowerCase(), value.startsWith('"') ? unquote(value) : value)
  }
  return { essence, parameters, text, valid: true }
}

function unquote(value: string): string {
  return value.slice(1, -1).replace(/\\(.)/g, '$1')
}
