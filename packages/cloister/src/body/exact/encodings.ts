import { isUtf8 } from '../../bytes.ts'
import { createError, type CloisterError } from '../../errors.ts'
import { nameOf, type MediaType } from '../media-type.ts'
import { byOption, inexact } from './rules.ts'

const MAX_NAME_LENGTH = 40

// Each function returns the error of an input or `null`; `ExactInput.refuse` takes both.

/**
 * The error of a body whose bytes would be read in a coding that they do not have (RFC 9110 section 15.5.16), with the
 * header `Accept-Encoding` for the response.
 *
 * @param coding - the header `Content-Encoding`
 */
export function errorOfCoding(coding: string): CloisterError | null {
  if (/^[\s,]*(?:identity[\s,]*)*$/i.test(coding)) return null
  const error = createError('CTP_INVALID_ENCODING', { coding: coding.slice(0, MAX_NAME_LENGTH) })
  return byOption('unknownEncodings', Object.assign(error, { headers: { 'accept-encoding': 'identity' } }))
}

/** The error of a body of text in another charset than UTF-8. */
export function errorOfCharset(mediaType: MediaType): CloisterError | null {
  const charset = otherCharset(mediaType)
  if (charset === null) return null
  const details = { charset: charset.slice(0, MAX_NAME_LENGTH), mediaType: nameOf(mediaType) }
  return byOption('bodyText', createError('CTP_INVALID_CHARSET', details))
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
 * The error of bytes that are not UTF-8. Decoding replaces these, so only a text with a replacement needs a look at its
 * bytes.
 *
 * @param text - the decoded bytes
 * @param part - the name of the part for the message
 */
export function errorOfBytes(text: string, bytes: Uint8Array, part: string): CloisterError | null {
  return text.includes(REPLACEMENT) && !isUtf8(bytes) ? inexact('bodyText', part, '', NOT_UTF8) : null
}

const UNDECODABLE = 'has percent-escapes that are not valid UTF-8 (RFC 3986, 2.5)'

/** The error of a query or a form with escapes that are not those of UTF-8. */
export function errorOfEscapes(text: string, part: string): CloisterError | null {
  return text.includes('%') && !isDecodable(text) ? inexact('bodyText', part, '', UNDECODABLE) : null
}

function isDecodable(text: string): boolean {
  try {
    // Bundlers remove a call whose result is not used.
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
