import { pathEnd, pathOfUrl, withoutDuplicates, type TargetOptions } from '../router/read-target.ts'

/** Returns the target that a mounted handler gets for that of a request; `null` if its prefix does not hold there. */
export type HandTarget = (target: string) => string | null

/**
 * Matches a path that a URL resolves or shortens: dot segments, backslashes, tabs and line ends (URL standard section
 * 4.4). A handler that reads the path from a URL would see one outside of its prefix, and bypass the hooks of other
 * contexts.
 */
const IS_RESOLVED = /[\\\t\n\r]|\/(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Creates the targets of a mounted handler: the path that the router matched, and after `?` the query that it found.
 * So a handler reads no path from what the router took as the query, as in `/prefix;/admin`.
 *
 * @param stripped - the prefix to take off; `null` to keep it
 */
export function handTarget(stripped: string | null, options: TargetOptions): HandTarget {
  const ahead = stripped === null ? null : segmentsOf(withoutDuplicates(stripped, options))
  return (target) => {
    const local = pathOfUrl(target)
    if (local === null) return null
    const end = pathEnd(local, options.useSemicolonDelimiter)
    const path = withoutDuplicates(local.slice(0, end), options)
    if (IS_RESOLVED.test(path)) return null
    const rest = ahead === null ? path : behind(ahead, path)
    return end === local.length ? rest : `${rest}?${local.slice(end + 1)}`
  }
}

/** Matches the segments of a prefix by number, because a request may encode them differently. */
function segmentsOf(prefix: string): RegExp {
  return new RegExp(`^(?:/[^/]*){${prefix.replace(/\/$/, '').split('/').length - 1}}`)
}

function behind(ahead: RegExp, path: string): string {
  const rest = path.replace(ahead, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}
