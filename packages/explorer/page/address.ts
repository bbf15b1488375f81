import type { RouteDescription } from 'cloister'

/** The address of a route on the page, as in `#GET /users/:id`. */
export function hashOf({
  method,
  url,
  constraints,
}: Pick<RouteDescription, 'method' | 'url' | 'constraints'>): string {
  const wanted = Object.keys(constraints).length === 0 ? '' : ` ${JSON.stringify(constraints)}`
  return `#${encodeURI(`${method} ${url}${wanted}`)}`
}

/** Whether the page is at the address of a route. */
export function isAt(hash: string, route: RouteDescription): boolean {
  return hash === hashOf(route) || safeDecode(hash) === safeDecode(hashOf(route))
}

function safeDecode(hash: string): string {
  try {
    return decodeURI(hash)
  } catch {
    return hash
  }
}
