import { invalid, isRecord, rule, RULES, assertRules } from './options.ts'
import type { HeaderSet } from './header-sets.ts'

function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

const date = rule('a Date, or a text such as 2026-11-30', (value) => !Number.isNaN(timeOf(value)))
const OPTIONS = {
  since: date,
  until: date,
  link: rule(
    'a URL',
    (value) => RULES.text.accepts(value) && /^[\u0021\u0023-\u003b\u003d\u003f-\u007e]+$/.test(String(value)),
  ),
}

/**
 * Returns the headers of a deprecated route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
 *
 * @param schema - the schema of the route; `deprecated: true` has no date, and so no headers
 * @returns `null` if the route is not deprecated
 * @throws WebOptionError for a date that is none, or an end before its beginning
 */
export function deprecationHeaders(schema: unknown): HeaderSet | null {
  const deprecated = isRecord(schema) ? schema['deprecated'] : undefined
  if (!isRecord(deprecated)) return null
  assertRules(deprecated, OPTIONS, 'schema.deprecated')
  const since = timeOf(deprecated['since'])
  if (Number.isNaN(since)) throw invalid('schema.deprecated.since', OPTIONS.since.wanted, deprecated['since'])
  const until = timeOf(deprecated['until'])
  if (until < since)
    throw invalid('schema.deprecated.until', "a date after 'since' (RFC 9745, 5)", deprecated['until'])
  const { link } = deprecated
  return {
    deprecation: `@${Math.floor(since / 1000)}`,
    ...(Number.isNaN(until) ? {} : { sunset: new Date(until).toUTCString() }),
    ...(typeof link === 'string' ? { link: `<${link}>; rel="deprecation"; type="text/html"` } : {}),
  }
}
