const PARAMETER = /\{([^{}]+)\}/g

/** The name that a parameter of a path has in the app: names of the router are words. */
export function routeParameter(name: string): string {
  return name.replaceAll(/\W/g, '_')
}

/** Writes a path of a document as the URL of a route: `/pets/:id` for `/pets/{id}`. */
export function routeUrl(path: string): string {
  let url = ''
  let end = 0
  for (const { 0: place, 1: name = '', index } of path.matchAll(PARAMETER)) {
    const next = path[index + place.length] ?? '/'
    // Behind other text than this a name of the router needs a pattern to end.
    const pattern = '/-.'.includes(next) ? '' : `([^/${/[\]\\^-]/.test(next) ? `\\${next}` : next}]+)`
    url += `${literal(path.slice(end, index))}:${routeParameter(name)}${pattern}`
    end = index + place.length
  }
  return `${url}${literal(path.slice(end))}`
}

/** The names of the parameters of a path, in their order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name)
}

function literal(text: string): string {
  return text.replaceAll(':', '::')
}
