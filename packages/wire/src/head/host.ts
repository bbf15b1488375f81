import { COLON } from './octets.ts'

const PLAIN_CHARACTERS = /[\w.~-]/
const PLAIN: Uint8Array = Uint8Array.from({ length: 256 }, (_, octet) =>
  octet < 128 && PLAIN_CHARACTERS.test(String.fromCharCode(octet)) ? 1 : 0,
)

/** unreserved, percent-encoded and sub-delims of RFC 3986, but for the comma: proxies join two Host lines with it */
const NAME = /^(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*(?::(\d*))?$/i
const LITERAL = /^\[([^\]]*)\](?::(\d*))?$/
const FUTURE = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i
const HIGHEST_PORT = 65_535

/**
 * Whether octets are the value of a Host field: a registered name, an IPv4 address or an IP literal, with or without
 * a port (RFC 9110 section 7.2, RFC 3986 section 3.2.2). It may be empty.
 */
export function isHost(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  while (at < end && PLAIN[bytes[at] ?? 0] === 1) at++
  if (at === end) return true
  if (bytes[at] === COLON) return isPort(bytes, at + 1, end)
  return isUnusualHost(bytes.toString('latin1', start, end))
}

function isPort(bytes: Uint8Array, start: number, end: number): boolean {
  let port = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return false
    port = Math.min(port * 10 + digit, HIGHEST_PORT + 1)
  }
  return port <= HIGHEST_PORT
}

function isUnusualHost(text: string): boolean {
  const match = text.startsWith('[') ? LITERAL.exec(text) : NAME.exec(text)
  if (match === null) return false
  const port = (text.startsWith('[') ? match[2] : match[1]) ?? ''
  if (Number(port) > HIGHEST_PORT) return false
  return !text.startsWith('[') || isAddress(match[1] ?? '')
}

/** Zones (RFC 6874) mean nothing outside of one machine and are refused. */
function isAddress(text: string): boolean {
  return FUTURE.test(text) || (/^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`))
}
