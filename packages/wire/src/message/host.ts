/** unreserved, percent-encoded and sub-delims of RFC 3986, except the comma: proxies join two Host lines with it */
const NAME = /^(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*(?::(\d*))?$/i
const LITERAL = /^\[([^\]]*)\](?::(\d*))?$/
const FUTURE = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i

/** The highest valid port. */
export const MAX_PORT = 65_535

/**
 * Whether a text is a valid Host value: a registered name, an IPv4 address or an IP literal in brackets, with or
 * without a port (RFC 9110 section 7.2, RFC 3986 section 3.2.2). It may be empty: some targets have no authority.
 */
export function isHost(text: string): boolean {
  if (!text.startsWith('[')) return isPort(NAME.exec(text)?.[1], NAME.test(text))
  const match = LITERAL.exec(text)
  const address = match?.[1] ?? ''
  return isPort(match?.[2], isIPv6(address) || FUTURE.test(address))
}

function isPort(port: string | undefined, isRestValid: boolean): boolean {
  return isRestValid && (port === undefined || Number(port) <= MAX_PORT)
}

/** Whether a text is an IPv6 address. Zones (RFC 6874) mean nothing outside of one machine, so they are invalid. */
export function isIPv6(address: string): boolean {
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`)
}
