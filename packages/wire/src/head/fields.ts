import { joinTexts } from '../message/join-texts.ts'
import { OFFSETS, type HeadScanner } from './head-scanner.ts'

/** The headers of a request by lower-case name, joined as Node joins them; only `set-cookie` is a list. */
export type RequestHeaders = Record<string, string | string[] | undefined>

const MAX_NAMES = 500
const MAX_NAME_LENGTH = 64

/** Caches lower-case forms of header names; clients use few names, and each in one spelling. */
export class LowerNames {
  readonly #known = new Map<string, string>()

  /** how many names are cached; limited, since clients choose the names and must not fill the memory */
  get size(): number {
    return this.#known.size
  }

  of(name: string): string {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const lower = name.toLowerCase()
    if (name.length <= MAX_NAME_LENGTH && this.#known.size < MAX_NAMES) this.#known.set(name, lower)
    return lower
  }
}

/**
 * Joins the lines of a head (RFC 9110 section 5.3).
 *
 * @param scanned - the scanner that has just scanned it
 * @param text - the head as text
 * @param base - the offset of its first byte
 */
export function joinFields(
  scanned: HeadScanner,
  text: string,
  base: number,
  names: LowerNames,
): RequestHeaders {
  const headers: RequestHeaders = {}
  const { offsets } = scanned
  for (let i = 0, at = 0; i < scanned.fieldCount; i++, at += OFFSETS) {
    const name = names.of(text.slice((offsets[at] ?? 0) - base, (offsets[at + 1] ?? 0) - base))
    const value = text.slice((offsets[at + 2] ?? 0) - base, (offsets[at + 3] ?? 0) - base)
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (before === undefined) headers[name] = name === 'set-cookie' ? [value] : value
    else headers[name] = joinValues(name, before, value)
  }
  return headers
}

/**
 * Reads one field of a head, without its other lines: as `joinFields` does, a list with commas.
 *
 * @param name - the lower-case name of the field
 */
export function readField(
  scanned: HeadScanner,
  text: string,
  base: number,
  names: LowerNames,
  name: string,
): string | undefined {
  const { offsets } = scanned
  let found: string | undefined
  for (let i = 0, at = 0; i < scanned.fieldCount; i++, at += OFFSETS) {
    const start = (offsets[at] ?? 0) - base
    const end = (offsets[at + 1] ?? 0) - base
    if (end - start !== name.length) continue
    if (!text.startsWith(name, start) && names.of(text.slice(start, end)) !== name) continue
    const value = text.slice((offsets[at + 2] ?? 0) - base, (offsets[at + 3] ?? 0) - base)
    found = found === undefined ? value : joinTexts(name, found, value)
  }
  return found
}

function joinValues(name: string, before: string | string[], value: string): string | string[] {
  return Array.isArray(before) ? [...before, value] : joinTexts(name, before, value)
}

/** Returns names and values of the header lines, alternating, as they arrived. */
export function listFields(scanned: HeadScanner, text: string, base: number): string[] {
  const lines: string[] = []
  const { offsets } = scanned
  for (let i = 0, at = 0; i < scanned.fieldCount; i++, at += OFFSETS) {
    lines.push(text.slice((offsets[at] ?? 0) - base, (offsets[at + 1] ?? 0) - base))
    lines.push(text.slice((offsets[at + 2] ?? 0) - base, (offsets[at + 3] ?? 0) - base))
  }
  return lines
}
