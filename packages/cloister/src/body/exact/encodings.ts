import { isUtf8 } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import { nameOf, type MediaType } from '../media-type.ts'
import { byOption, inexact } from './rules.ts'

const LONGEST_NAME = 40

/**
 * Refuses a body whose bytes would be read in a coding that they do not have (RFC 9110 section 15.5.16).
 *
 * @param coding - the header `Content-Encoding`
 * @throws `CLO_ERR_CTP_INVALID_ENCODING`, with the header `Accept-Encoding` for the response
 */
export function refuseCoding(coding: string | undefined): void {
  if (coding === undefined || /^[\s,]*(?:identity[\s,]*)*$/i.test(coding)) return
  const error = createError('CTP_INVALID_ENCODING', { coding: coding.slice(0, LONGEST_NAME) })
  throw byOption('unknownEncodings', Object.assign(error, { headers: { 'accept-encoding': 'identity' } }))
}

/**
 * Refuses a body of text in another charset than UTF-8.
 *
 * @throws `CLO_ERR_CTP_INVALID_CHARSET`
 */
export function refuseCharset(mediaType: MediaType): void {
  const charset = otherCharset(mediaType)
  if (charset === null) return
  const details = { charset: charset.slice(0, LONGEST_NAME), mediaType: nameOf(mediaType) }
  throw byOption('bodyText', createError('CTP_INVALID_CHARSET', details))
}

/** Returns the charset of a media type if it is not UTF-8, or if several are named; otherwise `null`. */
export function otherCharset({ parameters, text }: MediaType): string | null {
  const charset = parameters.get('charset')
  if (charset === undefined) return null
  if ((text.match(/;[ \t]*charset=/gi)?.length ?? 0) > 1) return 'several'
  return /^utf-?8$/i.test(charset) ? null : charset
}

const NOT_UTF8 = 'is not valid UTF-8 (RFC 8259, 8.1)'
const REPLACEMENT = '\uFFFD'

/**
 * Refuses bytes that are not UTF-8. Decoding replaces these, so only a text with a replacement needs a look at its bytes.
 *
 * @param text - the decoded bytes
 * @param part - the name of the part for the message
 * @throws `CLO_ERR_INPUT_INEXACT`
 */
export function refuseInvalidUtf8(text: string, bytes: Uint8Array, part: string): void {
  if (text.includes(REPLACEMENT) && !isUtf8(bytes)) throw inexact('bodyText', part, '', NOT_UTF8)
}

/**
 * Refuses a query or a form with escapes that are not those of UTF-8.
 *
 * @throws `CLO_ERR_INPUT_INEXACT`
 */
export function refuseUndecodable(text: string, part: string): void {
  if (text.includes('%') && !isDecodable(text))
    throw inexact('bodyText', part, '', 'has percent-escapes that are not valid UTF-8 (RFC 3986, 2.5)')
}

function isDecodable(text: string): boolean {
  try {
    // Bundlers remove a call whose result is not used.
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
