import { isHost } from '@cloister/wire/message'
import { isIPv6 } from '@cloister/wire/message/internal'

/** Returns whether a host has a name, as http URLs require (RFC 9110 section 4.2.1). */
export function isNamedHost(text: string): boolean {
  return text !== '' && !text.startsWith(':') && isHost(text)
}

/** Four decimal numbers without leading zeros: some readers take those as octal, others as decimal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
/** The interface of a link-local address (RFC 4007 section 11). */
const ZONE = /%[\w.-]+$/
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]*)\])(?::\d{1,5})?$/

/** Returns whether a text is an IP address without a port. */
export function isAddress(text: string): boolean {
  return text.includes(':') ? isIPv6(text.replace(ZONE, '')) : IPV4.test(text)
}

/**
 * Reads an address in a forwarded header: alone, or with a port, in which case IPv6 is in brackets.
 *
 * @returns the address without the port; `null` for anything else, such as the `unknown` of a proxy that hides its
 * client
 */
export function readAddress(text: string): string | null {
  const match = WITH_PORT.exec(text)
  const bracketed = match?.[2]
  if (bracketed !== undefined && !bracketed.includes(':')) return null
  const address = match?.[1] ?? bracketed ?? text
  return isAddress(address) ? address : null
}
