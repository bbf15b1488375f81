// The grammar of HTTP/1.1 messages, from RFC 9110, 9112 and 3986 alone. Each rule has the name that it has there, and
// its section. Rules are regular expressions over latin-1 text: one character is one octet.

/** A rule of the grammar. */
export interface Rule {
  readonly name: string
  readonly section: string
  readonly source: string
}

const rule = (name: string, section: string, source: string): Rule => ({
  name,
  section,
  source: `(?:${source})`,
})

const digit = '[0-9]'
const hexdig = '[0-9A-Fa-f]'
const tchar = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]"
const unreserved = '[A-Za-z0-9\\-._~]'
const pctEncoded = `%${hexdig}${hexdig}`
const subDelims = "[!$&'()*+,;=]"
const decOctet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])'

const token = rule('token', 'RFC 9110, 5.6.2', `${tchar}+`)
const OWS = rule('OWS', 'RFC 9110, 5.6.3', '[ \\t]*')
const obsText = '[\\x80-\\xff]'
const fieldVchar = rule('field-vchar', 'RFC 9110, 5.5', `[\\x21-\\x7e]|${obsText}`)
const fieldContent = rule(
  'field-content',
  'RFC 9110, 5.5',
  `${fieldVchar.source}(?:[ \\t]*${fieldVchar.source})*`,
)
const fieldValue = rule('field-value', 'RFC 9110, 5.5', `(?:${fieldContent.source})?`)
const qdtext = `[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|${obsText}`
const quotedPair = `\\\\(?:[\\t \\x21-\\x7e]|${obsText})`
const quotedString = rule('quoted-string', 'RFC 9110, 5.6.4', `"(?:${qdtext}|${quotedPair})*"`)
const ipv4 = rule('IPv4address', 'RFC 3986, 3.2.2', `${decOctet}(?:\\.${decOctet}){3}`)
const regName = rule('reg-name', 'RFC 3986, 3.2.2', `(?:${unreserved}|${pctEncoded}|${subDelims})*`)
const h16 = `${hexdig}{1,4}`
const ls32 = `(?:${h16}:${h16}|${ipv4.source})`
const ipv6 = rule(
  'IPv6address',
  'RFC 3986, 3.2.2',
  [
    `(?:${h16}:){6}${ls32}`,
    `::(?:${h16}:){5}${ls32}`,
    `(?:${h16})?::(?:${h16}:){4}${ls32}`,
    `(?:(?:${h16}:){0,1}${h16})?::(?:${h16}:){3}${ls32}`,
    `(?:(?:${h16}:){0,2}${h16})?::(?:${h16}:){2}${ls32}`,
    `(?:(?:${h16}:){0,3}${h16})?::${h16}:${ls32}`,
    `(?:(?:${h16}:){0,4}${h16})?::${ls32}`,
    `(?:(?:${h16}:){0,5}${h16})?::${h16}`,
    `(?:(?:${h16}:){0,6}${h16})?::`,
  ].join('|'),
)
const ipvFuture = `[vV]${hexdig}+\\.(?:${unreserved}|${subDelims}|:)+`
const ipLiteral = rule('IP-literal', 'RFC 3986, 3.2.2', `\\[(?:${ipv6.source}|${ipvFuture})\\]`)
const chunkExt = rule(
  'chunk-ext',
  'RFC 9112, 7.1.1',
  `(?:;${token.source}(?:=(?:${token.source}|${quotedString.source}))?)*`,
)

/** The rules that the reader asks, in the order in which it meets them. */
export const GRAMMAR = {
  method: rule('method', 'RFC 9110, 9.1', token.source),
  /** Of what RFC 3986 allows in a path and a query, browsers send more: all visible ASCII but `#`. */
  originForm: rule('origin-form', 'RFC 9112, 3.2.1', '/[\\x21\\x22\\x24-\\x7e]*'),
  asteriskForm: rule('asterisk-form', 'RFC 9112, 3.2.4', '\\*'),
  httpVersion: rule('HTTP-version', 'RFC 9112, 2.3', `HTTP/${digit}\\.${digit}`),
  fieldLine: rule(
    'field-line',
    'RFC 9112, 5',
    `(${token.source}):${OWS.source}(${fieldValue.source})${OWS.source}`,
  ),
  host: rule(
    'Host',
    'RFC 9110, 7.2',
    `(?:${ipLiteral.source}|${ipv4.source}|${regName.source})(?::(${digit}*))?`,
  ),
  contentLength: rule('Content-Length', 'RFC 9110, 8.6', `${digit}+`),
  connection: rule(
    'Connection',
    'RFC 9110, 7.6.1',
    `${OWS.source}(?:,${OWS.source})*(?:${token.source}(?:${OWS.source},(?:${OWS.source}${token.source})?)*)?`,
  ),
  chunkSize: rule('chunk-size', 'RFC 9112, 7.1', `${hexdig}+`),
  chunkExt,
} as const satisfies Readonly<Record<string, Rule>>
