/** Fields with one value: the first line counts. All others are joined (Node's documentation of `message.headers`). */
const FIRST_ALONE: ReadonlySet<string> = new Set(
  (
    'age authorization content-length content-type etag expires from host if-modified-since ' +
    'if-unmodified-since last-modified location max-forwards proxy-authorization referer ' +
    'retry-after server user-agent'
  ).split(' '),
)

/** Joins the values of two lines with one name, as Node does for all fields but `set-cookie` (RFC 9110 section 5.3). */
export function joinTexts(name: string, before: string, value: string): string {
  if (FIRST_ALONE.has(name)) return before
  return `${before}${name === 'cookie' ? '; ' : ', '}${value}`
}
