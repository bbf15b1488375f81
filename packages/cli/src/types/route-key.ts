import type { InspectedRoute } from 'cloister/inspect'

/** The name of a parameter, up to its pattern. */
const NAME = /^:([^-(./:]+)/

/**
 * Returns the path of a route for the client: without the patterns of its parameters. `()` ends a name that text
 * follows immediately. Doubled colons are kept, and characters that would end the path of a URL are encoded.
 */
export function clientPath(url: string): string {
  let path = ''
  let at = 0
  while (at < url.length) {
    const rest = url.slice(at)
    const name = rest.startsWith('::') ? null : NAME.exec(rest)
    if (name === null) {
      const text = rest.startsWith('::') ? '::' : (rest[0] ?? '')
      path += TEXTS[text] ?? text
      at += text.length
      continue
    }
    at += name[0].length
    const end = patternEnd(url, at)
    const follows = url[end] ?? '/'
    path += `${name[0]}${end > at && !'/-.:'.includes(follows) ? '()' : ''}`
    at = end
  }
  return path.startsWith('/') ? path : `/${path}`
}

const TEXTS: Readonly<Record<string, string>> = { '%': '%25', '#': '%23', ' ': '%20', '\\': '%5C' }

function patternEnd(url: string, start: number): number {
  if (url[start] !== '(') return start
  let depth = 0
  for (let at = start; at < url.length; at++) {
    if (url[at] === '\\') at += 1
    else if (url[at] === '(') depth += 1
    else if (url[at] === ')' && --depth === 0) return at + 1
  }
  return url.length
}

export interface PathParameter {
  readonly name: string
  readonly optional: boolean
}

/** Returns the parameters of a path from {@link clientPath}. */
export function pathParameters(path: string): PathParameter[] {
  const found = path.matchAll(/::|:([^-(./?]+)(?:\(\))?(\?)?|\*/g)
  return [...found]
    .filter(([place]) => place !== '::')
    .map(([, name = '*', optional]) => ({ name, optional: optional !== undefined }))
}

/** Gives each route its key in the table, and sorts the routes. */
export function keyRoutes(routes: readonly InspectedRoute[]): [string, InspectedRoute][] {
  const named = routes.map(({ description }, index) => {
    const { method, url, constraints } = description
    const wanted = Object.entries(constraints).map(([name, value]) => ` ${name}=${value}`)
    return { path: clientPath(url), method, suffix: wanted.join(''), url, index }
  })
  const sorted = named.toSorted(
    (a, b) =>
      compare(a.path, b.path) ||
      compare(a.method, b.method) ||
      compare(a.suffix, b.suffix) ||
      compare(a.url, b.url),
  )
  const taken = new Set<string>()
  return sorted.flatMap(({ path, method, suffix, index }) => {
    const base = `${method} ${path}${suffix}`
    let key = base
    // Two patterns may have the same path without patterns.
    for (let count = 2; taken.has(key); count++) key = `${base} #${count}`
    taken.add(key)
    const route = routes[index]
    return route === undefined ? [] : [[key, route] satisfies [string, InspectedRoute]]
  })
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
