import { compileExpression, type Expression } from '@cloister/schema'

import { dependencies } from '../dependencies.ts'

/** A part of a route's path, in order. */
export type PathPart =
  /** text that a request must have as it is; a literal `%` is `%25`, as paths have it after decoding */
  | { readonly kind: 'text'; readonly text: string }
  | ParameterPart
  /** the rest of the path, whatever it is */
  | { readonly kind: 'wildcard' }

/** All parameters of one path segment, up to the next slash. */
export interface ParameterPart {
  readonly kind: 'parameters'
  /** how many there are */
  readonly count: number
  /** matches the segment; `null` for one parameter that takes all of it */
  readonly pattern: Expression | null
  /** the text after the last parameter, by which patterns at one place are tried in order */
  readonly suffix: string
  /** the number of characters that belong to no parameter */
  readonly textLength: number
  /** the segment without names and patterns; empty for one parameter that takes all of it */
  readonly shape: string
  /** as it was written */
  readonly source: string
}

/** The path of a route, parsed once. */
export interface RoutePath {
  readonly parts: readonly PathPart[]
  /** the names of the parameters, in order; that of a wildcard is `*` */
  readonly names: readonly string[]
  /** the same for two paths whose parameters differ in name or pattern alone */
  readonly shape: string
  /** the same for two paths that match the same requests */
  readonly key: string
}

/** How paths are read. */
export interface PathOptions {
  readonly caseSensitive: boolean
  readonly allowUnsafeRegex: boolean
  /** the most characters of a parameter */
  readonly maxParamLength: number
}

/** Characters after which the name of a parameter ends. */
const NAME_ENDS = '(-./'
/** An optional parameter, which must be the last one. */
const OPTIONAL = /(\/:[^/()]*)\?(\/?)$/

/**
 * Returns the paths that a path stands for: two when its last parameter is optional.
 *
 * @throws an Error that says what is wrong with the path
 */
export function expandOptional(path: string): readonly string[] {
  if (path === '' || (path[0] !== '/' && path[0] !== '*')) {
    throw new Error('The first character of a path should be `/` or `*`')
  }
  if (!/\/:[^/()]*\?/.test(path)) return [path]
  if (!OPTIONAL.test(path)) {
    throw new Error('Optional Parameter needs to be the last parameter of the path')
  }
  return [path.replace(OPTIONAL, '$1$2'), path.replace(OPTIONAL, '$2') || '/']
}

/**
 * Parses the path of a route: text, `:name`, `:name(pattern)`, several parameters in a segment, `*` at the end; `::` is
 * a colon.
 *
 * @throws an Error that says what is wrong with the path
 */
export function parsePath(path: string, options: PathOptions): RoutePath {
  const parts: PathPart[] = []
  const names: string[] = []
  let at = 0
  while (at < path.length) {
    if (path[at] === '*') {
      if (at !== path.length - 1) throw new Error('Wildcard must be the last character in the route')
      parts.push({ kind: 'wildcard' })
      names.push('*')
      break
    }
    if (path[at] === ':' && path[at + 1] !== ':') {
      const part = parseParameters(path, at, names, options)
      parts.push(part)
      at += part.source.length
    } else {
      const end = textEnd(path, at, '*')
      const text = literal(path.slice(at, end))
      parts.push({ kind: 'text', text: options.caseSensitive ? text : text.toLowerCase() })
      at = end
    }
  }
  const shape = parts.map(shapeOf).join('')
  return {
    parts,
    names,
    shape: rooted(options.caseSensitive ? shape : shape.toLowerCase()),
    key: rooted(parts.map(keyOf).join('')),
  }
}

/** A lone wildcard and one behind the first slash stand for the same requests. */
function rooted(text: string): string {
  return text === '*' ? '/*' : text
}

function shapeOf(part: PathPart): string {
  if (part.kind === 'parameters') return `:${part.shape}`
  return part.kind === 'wildcard' ? '*' : part.text.replaceAll(':', '::')
}

function keyOf(part: PathPart): string {
  return part.kind === 'parameters' ? `:${part.pattern?.source ?? ''}` : shapeOf(part)
}

/** Where a piece of text ends: at a parameter, at `stop`, or at the end of the path. */
function textEnd(path: string, start: number, stop: string): number {
  let at = start
  while (at < path.length && path[at] !== stop) {
    if (path[at] !== ':') at += 1
    else if (path[at + 1] === ':') at += 2
    else break
  }
  return at
}

function literal(source: string): string {
  return source.replaceAll('::', ':').replaceAll('%', '%25')
}

/** Parses a segment with parameters, such as `:hour(\\d+)h:minute(\\d+)m` or `:file.:extension`. */
function parseParameters(path: string, from: number, names: string[], options: PathOptions): ParameterPart {
  let at = from
  let count = 0
  let pattern = ''
  let isPattern = false
  let shape = ''
  let suffix = ''
  let textLength = 0
  // Text that a parameter without pattern must not take, when another one without pattern is before it.
  let between: string | null = null
  while (path[at] === ':') {
    const start = at + 1
    at = nameEnd(path, start)
    names.push(path.slice(start, at))
    count += 1
    isPattern ||= at < path.length && path[at] !== '/'
    if (path[at] === '(') {
      const end = patternEnd(path, at)
      pattern += readPattern(path.slice(at, end), options)
      between = null
      at = end
    } else {
      pattern += between === null ? '(.*?)' : `(${between}|${without(between)}*)`
      between = ''
    }
    const end = textEnd(path, at, '/')
    suffix = literal(path.slice(at, end))
    const escaped = suffix.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    if (between !== null) between = escaped
    pattern += escaped
    shape += `()${suffix}`
    textLength += suffix.length
    at = end
  }
  return {
    kind: 'parameters',
    count,
    pattern: isPattern
      ? compileExpression(`^${pattern}$`, '', count * options.maxParamLength + textLength)
      : null,
    suffix,
    textLength,
    shape: isPattern ? shape : '',
    source: path.slice(from, at),
  }
}

/** An expression of one character, before which a text does not begin. One that can be a class needs no lookahead. */
function without(escaped: string): string {
  const isCharacter = escaped.length === (escaped.startsWith('\\') ? 2 : 1)
  return isCharacter ? String.raw`[^${escaped}\n\r\u2028\u2029]` : `(?:(?!${escaped}).)`
}

function nameEnd(path: string, start: number): number {
  let at = start
  while (at < path.length && !NAME_ENDS.includes(path[at] ?? '')) at += 1
  return at
}

/** The index after the parenthesis that closes the one at `start`. */
function patternEnd(path: string, start: number): number {
  let depth = 0
  for (let at = start; at < path.length; at++) {
    if (path[at] === '\\') at += 1
    else if (path[at] === '(') depth += 1
    else if (path[at] === ')' && --depth === 0) return at + 1
  }
  throw new TypeError(`Invalid regexp expression in "${path}"`)
}

/** Returns a pattern without the anchors of its own: it is anchored in its segment. */
function readPattern(source: string, { allowUnsafeRegex }: PathOptions): string {
  if (!allowUnsafeRegex && !dependencies.safeRegex()(new RegExp(source)))
    throw new Error(`The regex '${source}' is not safe!`)
  return source.replace(/^\(\^/, '(').replace(/\$\)$/, ')')
}
