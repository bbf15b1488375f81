/** unreserved, percent-encoded and sub-delims of RFC 3986, but for the comma: proxies join two Host lines with it */
const NAME = /^(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*(?::(\d*))?$/i
const LITERAL = /^\[([^\]]*)\](?::(\d*))?$/
const FUTURE = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i
const HIGHEST_PORT = 65_535

/**
 * A `Host` is a registered name, an IPv4 address or an IP literal in brackets, with or without a port (RFC 9110
 * section 7.2, RFC 3986 section 3.2.2). It may be empty: some targets have no authority.
 */
export function isHost(text: string): boolean {
  if (!text.startsWith('[')) return isPort(NAME.exec(text)?.[1], NAME.test(text))
  const match = LITERAL.exec(text)
  const address = match?.[1] ?? ''
  return isPort(match?.[2], isIPv6(address) || FUTURE.test(address))
}

/** A host with a name, which a URL of http needs (RFC 9110 section 4.2.1). */
export function isNamedHost(text: string): boolean {
  return text !== '' && !text.startsWith(':') && isHost(text)
}

function isPort(port: string | undefined, isRestValid: boolean): boolean {
  return isRestValid && (port === undefined || Number(port) <= HIGHEST_PORT)
}

/** Zones (RFC 6874) mean nothing outside of one machine and are refused. */
export function isIPv6(address: string): boolean {
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`)
}

/** Four decimal numbers. One with a leading zero is octal to some readers, and decimal to others. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
/** The interface that a link-local address belongs to (RFC 4007 section 11). */
const ZONE = /%[\w.-]+$/
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]*)\])(?::\d{1,5})?$/

/** Whether a text is an IP address, without a port. */
export function isAddress(text: string): boolean {
  return text.includes(':') ? isIPv6(text.replace(ZONE, '')) : IPV4.test(text)
}

/**
 * Reads an address as proxies write it: alone, or with a port, where an address of IPv6 is in brackets.
 *
 * @returns the address alone; `null` for anything else, such as the `unknown` of a proxy that hides its client
 */
export function readAddress(text: string): string | null {
  const match = WITH_PORT.exec(text)
  const bracketed = match?.[2]
  if (bracketed !== undefined && !bracketed.includes(':')) return null
  const address = match?.[1] ?? bracketed ?? text
  return isAddress(address) ? address : null
}
