/*
 * The format `url` with the same results as the usual regular expression, in linear time. That expression allows any
 * characters before an `@`, which costs quadratic time on a long text full of colons. Here the text is cut at each
 * `@` first.
 */

const SCHEME = /^(?:https?|ftp):\/\//iu
const WHITESPACE = /\s/u
const IPV4 =
  /(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))/u
const NAME =
  /(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*\.[a-z\u{00a1}-\u{ffff}]{2,}/u
const HOST = new RegExp(`^(?:${IPV4.source}|${NAME.source})(?::\\d{2,5})?$`, 'iu')

/** Whether a text is an absolute `http`, `https` or `ftp` URL with a public host. */
export function isUrl(text: string): boolean {
  const scheme = SCHEME.exec(text)
  if (scheme === null) return false
  const rest = text.slice(scheme[0].length)
  const firstSpace = rest.search(WHITESPACE)
  const lastSpace = firstSpace === -1 ? -1 : lastWhitespace(rest)
  let start = 0
  for (;;) {
    const next = rest.indexOf('@', start)
    // User information is any text before an `@` that is not empty and has no white space.
    const emptyUser = start === 1
    if (!emptyUser && isHostAndPath(rest, start, next === -1 ? rest.length : next, lastSpace)) return true
    if (next === -1 || (firstSpace !== -1 && firstSpace < next)) return false
    start = next + 1
  }
}

/** Whether a host, with or without a port, goes up to `limit`, or up to a path that has no white space. */
function isHostAndPath(text: string, start: number, limit: number, lastSpace: number): boolean {
  const slash = text.slice(start, limit).indexOf('/')
  if (slash === -1) return limit === text.length && HOST.test(text.slice(start))
  return start + slash > lastSpace && HOST.test(text.slice(start, start + slash))
}

function lastWhitespace(text: string): number {
  for (let i = text.length - 1; i >= 0; i--) {
    if (WHITESPACE.test(text.charAt(i))) return i
  }
  return -1
}
