export interface PathParameter {
  /** Its name in the route; `*` for a wildcard. */
  readonly name: string
  readonly documentName: string
  /** The regular expression that its value must match; `null` for any value. */
  readonly pattern: string | null
}

export interface PathTemplate {
  /** With parameters in braces, as in `/users/{id}`. */
  readonly text: string
  /** Equal for two paths that differ only in the names of their parameters. */
  readonly shape: string
  readonly parameters: readonly PathParameter[]
}

/** An optional parameter is always the last one. */
const OPTIONAL = /(\/:[^/()]*)\?(\/?)$/
const NAME = /^[^(\-./]+/
/** Characters that a template cannot contain as text: they would end the path, or begin a parameter. */
const RESERVED = /[{}?# ]/g

/** Returns the document's paths for the path of a route: two when its last parameter is optional. */
export function templatesOf(url: string): readonly PathTemplate[] {
  const paths = OPTIONAL.test(url)
    ? [url.replace(OPTIONAL, '$1$2'), url.replace(OPTIONAL, '$2') || '/']
    : [url]
  return paths.map((path) => templateOf(path.startsWith('/') ? path : `/${path}`))
}

function templateOf(path: string): PathTemplate {
  const parameters: PathParameter[] = []
  let text = ''
  let shape = ''
  let at = 0
  while (at < path.length) {
    const read = readPart(path, at, parameters)
    if (read.parameter !== null) parameters.push(read.parameter)
    text += read.parameter === null ? read.text : `{${read.parameter.documentName}}`
    shape += read.parameter === null ? read.text : '{}'
    at = read.end
  }
  return { text, shape, parameters }
}

/** A parameter or a piece of text, and where it ends. */
interface Part {
  readonly parameter: PathParameter | null
  readonly text: string
  readonly end: number
}

function readPart(path: string, at: number, before: readonly PathParameter[]): Part {
  if (path[at] === '*') return wildcard(path, before)
  if (path[at] !== ':') return literal(path, at)
  if (path[at + 1] === ':') return { parameter: null, text: ':', end: at + 2 }
  const [name = ''] = NAME.exec(path.slice(at + 1).split('/', 1)[0] ?? '') ?? []
  const nameEnd = at + 1 + name.length
  const end = path[nameEnd] === '(' ? patternEnd(path, nameEnd) : nameEnd
  const pattern = end === nameEnd ? null : anchored(path.slice(nameEnd + 1, end - 1))
  return { parameter: { name, documentName: unique(name, before), pattern }, text: '', end }
}

function literal(path: string, at: number): Part {
  const length = path.slice(at).search(/[:*]/)
  const end = length === -1 ? path.length : at + length
  const text = path.slice(at, end).replaceAll(RESERVED, (character) => encodeURIComponent(character))
  return { parameter: null, text, end }
}

function wildcard(path: string, before: readonly PathParameter[]): Part {
  const parameter = { name: '*', documentName: unique('wildcard', before), pattern: null }
  return { parameter, text: '', end: path.length }
}

function unique(name: string, before: readonly PathParameter[]): string {
  const taken = before.filter(({ documentName }) => documentName.replace(/_\d+$/, '') === name).length
  return taken === 0 ? name : `${name}_${taken + 1}`
}

/** Returns the index after the parenthesis that closes the one at `start`. */
function patternEnd(path: string, start: number): number {
  let depth = 0
  for (let at = start; at < path.length; at += 1) {
    if (path[at] === '\\') at += 1
    else if (path[at] === '(') depth += 1
    else if (path[at] === ')' && --depth === 0) return at + 1
  }
  return path.length
}

/** The router anchors a pattern in its segment, with or without anchors in it. */
function anchored(pattern: string): string {
  return `^(?:${pattern.replace(/^\^/, '').replace(/\$$/, '')})$`
}
