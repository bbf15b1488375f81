const PARAMETER = /\{([^{}]+)\}/g

/** Returns the name of a path parameter in the app. The router only allows word characters. */
export function routeParameter(name: string): string {
  return name.replaceAll(/\W/g, '_')
}

/** Returns a path of a document as the URL of a route: `/pets/:id` for `/pets/{id}`. */
export function routeUrl(path: string): string {
  let url = ''
  let end = 0
  for (const { 0: place, 1: name = '', index } of path.matchAll(PARAMETER)) {
    const next = path[index + place.length] ?? '/'
    // Before any other text, a parameter of the router needs a pattern to end.
    const pattern = '/-.'.includes(next) ? '' : `([^/${/[\]\\^-]/.test(next) ? `\\${next}` : next}]+)`
    url += `${literal(path.slice(end, index))}:${routeParameter(name)}${pattern}`
    end = index + place.length
  }
  return `${url}${literal(path.slice(end))}`
}

export function parameterNames(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name)
}

function literal(text: string): string {
  return text.replaceAll(':', '::')
}
