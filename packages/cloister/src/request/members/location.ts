import { createError } from '../../errors.ts'

const BEYOND_ASCII = /[^\p{ASCII}]+/gu
const LONE_SURROGATE = /\p{Surrogate}/gu

/**
 * Returns a URL as the `Location` header may carry it: what is not ASCII is percent-encoded, as browsers do it (RFC
 * 3986 section 2.5). Everything else stays as it was written, what is encoded already too.
 *
 * @throws `CLO_ERR_REP_INVALID_HEADER` when there is none
 */
export function encodeLocation(url: unknown): string {
  if (url === undefined || url === null) {
    const reason = 'reply.redirect was given no url; call it as redirect(url) or redirect(url, status)'
    throw createError('REP_INVALID_HEADER', { name: 'location', reason })
  }
  return String(url).replace(LONE_SURROGATE, '\ufffd').replace(BEYOND_ASCII, encodeURI)
}
