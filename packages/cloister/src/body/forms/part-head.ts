import { otherCharset } from '../exact/encodings.ts'
import { parseMediaType } from '../media-type.ts'

/** The most bytes of the head of a part. */
export const MAX_HEAD = 16_384
/** The most header fields of a part. A part usually has two. */
export const MAX_FIELDS = 32

const MAX_SHOWN_LENGTH = 100
const FIELD = /^([!#$%&'*+\-.^_`|~\w]+):(.*)$/s
// A quoted text without an end goes on to the end of its line. Otherwise each quote in it would begin a search for an end.
/** the quoted value of another parameter than the name */
const OTHER_QUOTED = /(;\s*(?!name\b)[\w*]+\s*=\s*)"(?:[^"\\\r\n]|\\.?)*(?:"|(?=[\r\n])|$)/gi
const QUOTED = /"(?:[^"\\]|\\.?)*(?:"|$)/g
const NAME = /;\s*name\s*=\s*(?:"((?:[^"\\\r\n]|\\.?)*)(?:"|(?=[\r\n])|$)|([^\s;"]+))/i

/**
 * Returns why a part can't be read, or `null` (RFC 7578 section 4.2, RFC 5322 section 2.2).
 *
 * @param head - all from the boundary to the empty line, each line with its CRLF
 */
export function headProblem(head: string): string | null {
  if (/\r(?!\n)|(?<!\r)\n/.test(head)) return 'has a line that ends with LF or CR alone, not CRLF'
  if (!head.startsWith('\r\n')) return 'has other bytes behind its boundary'
  // A line that begins with a blank continues the one before.
  const lines = head
    .slice(2)
    .replace(/(?<!^)\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .slice(0, -1)
  if (lines.length > MAX_FIELDS) return `has more than ${MAX_FIELDS} header fields`
  const dispositions: string[] = []
  let types = 0
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? []
    if (name === undefined) {
      return /^[^\s:]+[ \t]+:/.test(line)
        ? 'has a blank before the colon of a header field'
        : 'has a line in its head that is no header field'
    }
    if (name.toLowerCase() === 'content-disposition') dispositions.push(value)
    if (name.toLowerCase() === 'content-type') types += 1
  }
  if (types > 1) return 'has more than one Content-Type'
  return dispositionProblem(dispositions)
}

function dispositionProblem(values: readonly string[]): string | null {
  const [value] = values
  if (value === undefined) return 'has no Content-Disposition'
  if (values.length > 1) return 'has more than one Content-Disposition'
  if (!/^[ \t]*form-data[ \t]*(?:;|$)/i.test(value)) return 'has another Content-Disposition than form-data'
  const extended = value.indexOf('*=')
  if (extended !== -1 && /%0[ad]/i.test(value.slice(extended))) return 'has a line end in its name'
  const names = value.replace(QUOTED, '""').match(/;\s*name\*?=/gi) ?? []
  if (names.length === 0) return 'has no name'
  return names.length > 1 ? 'has more than one name' : null
}

/** Returns the charset that a head names if it is not UTF-8; otherwise `null`. */
export function charsetIn(head: string): string | null {
  const [, type] = /^content-type:(.*)$/im.exec(head.replace(/\r\n(?=[ \t])/g, '')) ?? []
  return type === undefined ? null : otherCharset(parseMediaType(type.trim()))
}

/** Returns the name in a head, which need not be valid, for an error message. */
export function nameIn(head: string): string | null {
  const text = head.replace(OTHER_QUOTED, '$1')
  const [, quoted, token] = NAME.exec(text) ?? []
  return (quoted ?? token)?.slice(0, MAX_SHOWN_LENGTH) ?? null
}
