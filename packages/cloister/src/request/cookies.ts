import { inexact } from '../body/exact/rules.ts'
import { setOwn } from '../copy-values.ts'
import { isRecord, recordOf } from '../guards.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { kExchange } from '../symbols.ts'
import type { RequestState } from './state.ts'

/** The most pairs and characters of one field that are read; browsers keep fewer (RFC 6265bis section 6.1). */
const MAX_PAIRS = 150
const MAX_CHARACTERS = 16_384

const SENT_TWICE = 'is sent twice; another host of the domain may have set one of them (RFC 6265, 8.6)'

/**
 * Returns the function that reads the cookies of a request for its schema. A hook that has set `request.cookies` before,
 * such as that of a cookie plugin, has read them: its values are validated.
 *
 * @param schema - only the names in its `properties` are read; a schema without them reads all names
 */
export function cookieReader(
  schema: unknown,
  { duplicateNames }: Pick<AppOptions, 'duplicateNames'>,
): (request: RequestState) => unknown {
  const { properties } = recordOf(schema)
  const names = isRecord(properties) ? new Set(Object.keys(properties)) : null
  const isStrict = duplicateNames === 'refuse'
  return (request) => {
    const set: unknown = 'cookies' in request ? request.cookies : undefined
    const pairs = isRecord(set)
      ? Object.entries(set)
      : pairsOf(request[kExchange].header('cookie') ?? '', names)
    const cookies: Record<string, unknown> = {}
    for (const [name, value] of pairs) {
      if (names?.has(name) === false) continue
      if (!Object.hasOwn(cookies, name)) setOwn(cookies, name, value)
      else if (isStrict) throw inexact('duplicateNames', 'cookies', `/${name}`, SENT_TWICE)
    }
    return cookies
  }
}

/**
 * Splits a `Cookie` field (RFC 6265 section 5.4). Values may be in quotes, and percent-encoded in UTF-8; other values
 * stay as they are. Pairs without a name are no cookies of the route.
 *
 * @param names - the names to read; `null` for all
 */
export function pairsOf(
  field: string,
  names: ReadonlySet<string> | null = null,
): [name: string, value: string][] {
  const pairs: [string, string][] = []
  const text = field.slice(0, MAX_CHARACTERS)
  for (let start = 0, read = 0; start < text.length && read < MAX_PAIRS; read++) {
    const semicolon = text.indexOf(';', start)
    const end = semicolon === -1 ? text.length : semicolon
    const equals = text.indexOf('=', start)
    const name = equals === -1 || equals > end ? '' : text.slice(start, equals).trim()
    if (name !== '' && names?.has(name) !== false)
      pairs.push([name, decoded(unquoted(text.slice(equals + 1, end).trim()))])
    start = end + 1
  }
  return pairs
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

function decoded(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
