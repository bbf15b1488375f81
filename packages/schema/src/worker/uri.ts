/*
 * URI references by RFC 3986 section 5. The parser of the other builds does the same, but also checks and normalizes
 * much that no `$id` contains.
 */

/** The parts of a URI (RFC 3986 appendix B). */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

interface Uri {
  readonly scheme: string | undefined
  readonly authority: string | undefined
  readonly path: string
  readonly query: string | undefined
  readonly fragment: string | undefined
}

function parse(text: string): Uri {
  const [, scheme, authority, path = '', query, fragment] = PARTS.exec(text) ?? []
  return { scheme: scheme?.toLowerCase(), authority: authority?.toLowerCase(), path, query, fragment }
}

/** Resolves a reference against a base (section 5.2.2). */
export function resolve(base: string, reference: string): string {
  const from = parse(base)
  const to = parse(reference)
  const { fragment } = to
  if (to.scheme !== undefined) return write({ ...to, path: withoutDots(to.path) })
  const { scheme } = from
  if (to.authority !== undefined) return write({ ...to, scheme, path: withoutDots(to.path) })
  const { authority } = from
  if (to.path === '') return write({ ...from, query: to.query ?? from.query, fragment })
  const path = to.path.startsWith('/') ? to.path : merge(from, to.path)
  const isRelative = scheme === undefined && authority === undefined && !path.startsWith('/')
  return write({ scheme, authority, path: withoutDots(path, isRelative), query: to.query, fragment })
}

/** Section 5.2.3. */
function merge({ authority, path }: Uri, reference: string): string {
  if (authority !== undefined && path === '') return `/${reference}`
  return path.slice(0, path.lastIndexOf('/') + 1) + reference
}

/** Section 5.2.4. Above a base that is itself a relative path, `..` is kept. */
function withoutDots(path: string, isRelative: boolean = false): string {
  if (!path.includes('.')) return path
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    const last = kept.at(-1)
    if (segment === '..' && last !== undefined && last !== '' && last !== '..') kept.pop()
    else if (segment === '..' ? isRelative && last !== '' : segment !== '.') kept.push(segment)
  }
  // A path that ends in dots names a folder.
  const last = kept.at(-1)
  if (/(?:^|\/)\.\.?$/.test(path) && last !== '..' && (last !== '' || kept.length === 1)) kept.push('')
  return kept.join('/') || (isRelative ? './' : '')
}

/** Section 5.3. */
function write({ scheme, authority, path, query, fragment }: Uri): string {
  return [
    scheme === undefined ? '' : `${scheme}:`,
    authority === undefined ? '' : `//${authority}`,
    path,
    query === undefined ? '' : `?${query}`,
    fragment === undefined ? '' : `#${fragment}`,
  ].join('')
}
