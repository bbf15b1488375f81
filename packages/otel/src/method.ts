/** The methods of the semantic conventions. All others, which clients may choose freely, are one value. */
const KNOWN: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' '),
)

/** Returns the value of `http.request.method`. */
export function methodOf(method: string): string {
  return KNOWN.has(method) ? method : '_OTHER'
}

/** Returns the name of a span: the method alone without a route, and `HTTP` for an unknown method. */
export function spanNameOf(method: string, route: string | null): string {
  const name = KNOWN.has(method) ? method : 'HTTP'
  return route === null ? name : `${name} ${route}`
}
