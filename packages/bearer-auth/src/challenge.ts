// RFC 9110, 11.6: credentials are `scheme SP token68`; the scheme is compared without letter case there,
// while RFC 6750, 2.1 writes `Bearer` as it stands. Which of the two holds is an option.
// RFC 6750, 3.1: a request that brought no credentials gets a bare challenge, a wrong token an error code.

/** How the credentials of a request are written. */
export interface TokenSyntax {
  readonly bearerType: string
  readonly anyLetterCase: boolean
}

/** Takes the token out of an `Authorization` field; undefined when the field is malformed. */
export function readToken(field: string, { bearerType, anyLetterCase }: TokenSyntax): string | undefined {
  const scheme = field.slice(0, bearerType.length)
  const matches = anyLetterCase ? scheme.toLowerCase() === bearerType.toLowerCase() : scheme === bearerType
  if (!matches || field[bearerType.length] !== ' ') return undefined
  const token = trimBlanks(field.slice(bearerType.length + 1))
  return token === '' ? undefined : token
}

/** Without the blanks that a field may have around it (RFC 9110, 5.6.3); any other space is part of the token. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** The value of `WWW-Authenticate` that asks for a token. */
export function formatChallenge(bearerType: string, realm: string): string {
  return `${bearerType} realm="${realm.replaceAll(/["\\]/g, '\\$&')}"`
}

/** The value of `WWW-Authenticate` that refuses the token that was sent. */
export function formatRefusal(challenge: string): string {
  return `${challenge}, error="invalid_token"`
}
