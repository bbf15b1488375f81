import { readAbsoluteTarget } from '../request/admission.ts'

const SLASH = 47
/** Later characters have escapes of several bytes. */
const LAST_ASCII = 127

/** A parsed request target: its path, decoded as far as possible, and its query. */
export interface Target {
  /** the matched form: in lower case if case does not matter */
  readonly path: string
  /** the path in its original case, from which parameters are taken */
  readonly original: string
  /** the raw text after the path */
  readonly query: string
}

/** Options for parsing targets. */
export interface TargetOptions {
  readonly caseSensitive: boolean
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly useSemicolonDelimiter: boolean
}

/**
 * An escape that `decodeURI` decodes, or an invalid one. It does not match escapes of characters that have a meaning in
 * a URL.
 */
const DECODABLE = /%(?!2[346bcf]|3[abdf]|40)/i

/** Returns the parts of a request target; `null` if it cannot be decoded. */
export function readTarget(target: string, options: TargetOptions): Target | null {
  const local = target.charCodeAt(0) === SLASH ? target : pathOfUrl(target)
  if (local === null) return null
  const end = pathEnd(local, options.useSemicolonDelimiter)
  let path = local.slice(0, end)
  const query = local.slice(end + 1)
  if (DECODABLE.test(path)) {
    // A `%` stays escaped until its parameter is decoded.
    const decoded = decodeBy(decodeURI, path.includes('%25') ? path.replaceAll('%25', '%2525') : path)
    if (decoded === null) return null
    path = decoded
  }
  path = withoutIgnored(path, options)
  return { path: options.caseSensitive ? path : path.toLowerCase(), original: path, query }
}

/** Returns the end of the path of a target; the first character is always part of it. */
export function pathEnd(target: string, useSemicolonDelimiter: boolean): number {
  for (let at = 1; at < target.length; at++) {
    const code = target.charCodeAt(at)
    if (code === 63 || code === 35 || (code === 59 && useSemicolonDelimiter)) return at
  }
  return target.length
}

/** Decodes a value completely; `null` if an escape is invalid. */
export function decodeQuickly(value: string): string | null {
  let text = ''
  let from = 0
  for (let at = value.indexOf('%'); at !== -1; at = value.indexOf('%', from)) {
    const byte = digitAt(value, at + 1) * 16 + digitAt(value, at + 2)
    if (byte > LAST_ASCII || Number.isNaN(byte)) return decodeBy(decodeURIComponent, value)
    text += value.slice(from, at) + String.fromCharCode(byte)
    from = at + 3
  }
  return text + value.slice(from)
}

/**
 * @param decode - `decodeURI` leaves escapes of the characters that have a meaning in URLs: `%2F` is no slash (RFC 3986
 *   section 2.2)
 */
function decodeBy(decode: (text: string) => string, text: string): string | null {
  try {
    return decode(text)
  } catch {
    return null
  }
}

/** The value of a hexadecimal digit; `NaN` for anything else. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 48 && code <= 57) return code - 48
  // Upper and lower case differ in one bit.
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN
}

/** Returns path and query of a URL, which `rewriteUrl` may return; `null` for a malformed one. */
export function pathOfUrl(target: string): string | null {
  return /^https?:\/\//i.test(target) ? (readAbsoluteTarget(target)?.local ?? null) : target
}

/** Returns the path of a route or of a request without the slashes that are ignored. A slash alone stays. */
export function withoutIgnored(path: string, options: TargetOptions): string {
  const merged = withoutDuplicates(path, options)
  return options.ignoreTrailingSlash && merged.length > 1 && merged.endsWith('/')
    ? merged.slice(0, -1)
    : merged
}

/** Returns a path in which slashes in a row are one, if the options ignore the others. */
export function withoutDuplicates(path: string, { ignoreDuplicateSlashes }: TargetOptions): string {
  return ignoreDuplicateSlashes && path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
}
