import { FieldError } from '@cloister/wire/message'
import { problemOfField } from '@cloister/wire/message/internal'

import type { Exchange, ResponseHeaders } from '../exchange/exchange.ts'

/** Header fields by their names in lower case. It has no prototype, because a name may equal a member of one. */
export type Fields = Readonly<Record<string, string>>

/** Fields of one response that decide or describe its content, and `Set-Cookie`, which keeps several values. */
const OF_RESPONSE: ReadonlySet<string> = new Set(
  (
    'connection content-encoding content-language content-length content-range content-type date keep-alive ' +
    'set-cookie trailer transfer-encoding upgrade'
  ).split(' '),
)

/**
 * Headers that are decided at boot: checked, and composed to one text. Those of a reply with the same name replace
 * them, except `Vary`, which gets the names of both.
 */
export class PresetHeaders {
  readonly fields: Fields
  /** the field lines, each with its end (RFC 9112 section 5) */
  readonly lines: string

  /** @throws FieldError for a field that is none, or that no route can decide */
  constructor(fields: Fields) {
    const own: Record<string, string> = {}
    let lines = ''
    for (const [given, value] of Object.entries(fields)) {
      const name = given.toLowerCase()
      const problem = OF_RESPONSE.has(name) ? 'each response decides it' : problemOfField(name, value)
      if (problem !== null) throw new FieldError(given, problem)
      own[name] = value
      lines += `${name}: ${value}\r\n`
    }
    this.fields = Object.assign({ __proto__: null }, own)
    this.lines = lines
  }

  /** Whether a reply has a header of its own with the name of one of these. */
  overlaps(headers: Readonly<ResponseHeaders>): boolean {
    for (const name in headers) if (this.fields[name] !== undefined) return true
    return false
  }

  /** Adds the fields that a reply has not. */
  fill(headers: ResponseHeaders): void {
    for (const name in this.fields)
      if (!Object.hasOwn(headers, name) || headers[name] === undefined) headers[name] = this.fields[name]
  }
}

/** The presets of a route: one set, or one for each value of a field of the request. */
export interface PresetChoice {
  readonly always: PresetHeaders
  /** the field that the others depend on, in lower case; `null` for none */
  readonly field: string | null
  readonly byValue: ReadonlyMap<string, PresetHeaders>
}

/** Returns the presets for the response to a request. */
export function choosePresets({ always, field, byValue }: PresetChoice, exchange: Exchange): PresetHeaders {
  const value = field === null ? undefined : exchange.header(field)
  return value === undefined ? always : (byValue.get(value) ?? always)
}

/** Merges two `Vary` fields (RFC 9110 section 12.5.5): each name once, whatever its case. `*` stays alone. */
export function mergeVary(own: unknown, preset: string): string {
  const merged = new Map<string, string>()
  const names = [own ?? [], preset].flat().flatMap((line) => String(line).split(','))
  for (const name of names.map((one) => one.trim())) {
    if (name === '*') return '*'
    if (name !== '' && !merged.has(name.toLowerCase())) merged.set(name.toLowerCase(), name)
  }
  return [...merged.values()].join(', ')
}
