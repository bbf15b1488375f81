// RFC 9110, 11.6: credentials are `scheme SP token68`, and the case of the scheme is ignored; RFC 6750, 2.1 requires
// exactly `Bearer`. An option chooses between them. RFC 6750, 3.1: a request without credentials gets a bare
// challenge, an invalid token an error code.

/** The syntax of credentials in a request. */
export interface TokenSyntax {
  readonly bearerType: string
  readonly anyLetterCase: boolean
}

/** Returns the token in an `Authorization` field; undefined if the field is malformed. */
export function readToken(field: string, { bearerType, anyLetterCase }: TokenSyntax): string | undefined {
  const scheme = field.slice(0, bearerType.length)
  const matches = anyLetterCase ? scheme.toLowerCase() === bearerType.toLowerCase() : scheme === bearerType
  if (!matches || field[bearerType.length] !== ' ') return undefined
  const token = trimBlanks(field.slice(bearerType.length + 1))
  return token === '' ? undefined : token
}

/** Removes the blanks around a field value (RFC 9110, 5.6.3); any other white space is part of the token. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** Returns the value of `WWW-Authenticate` that asks for a token. */
export function formatChallenge(bearerType: string, realm: string): string {
  return `${bearerType} realm="${realm.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Returns the value of `WWW-Authenticate` that rejects the token. */
export function formatRefusal(challenge: string): string {
  return `${challenge}, error="invalid_token"`
}
