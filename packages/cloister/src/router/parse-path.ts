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

/** Text outside of segments with parameters; `::` is a colon. */
const TEXT = /^(?:[^:*]|::)+/
/** A colon and the name of a parameter. */
const NAME = /^:[^(\-./]*/
/** Text between parameters and behind them. */
const TEXT_BESIDE = /^(?:[^:/]|::)*/

/** A path that is read piece by piece. */
class PathReader {
  readonly path: string
  rest: string

  constructor(path: string) {
    this.path = path
    this.rest = path
  }

  /** Takes what an expression matches. */
  take(piece: RegExp): string {
    return this.cut(piece.exec(this.rest)?.[0].length ?? 0)
  }

  cut(length: number): string {
    const piece = this.rest.slice(0, length)
    this.rest = this.rest.slice(length)
    return piece
  }
}

/**
 * Parses the path of a route: text, `:name`, `:name(pattern)`, several parameters in a segment, `*` at the end; `::` is
 * a colon.
 *
 * @throws an Error that says what is wrong with the path
 */
export function parsePath(path: string, options: PathOptions): RoutePath {
  const { caseSensitive } = options
  const parts: PathPart[] = []
  const names: string[] = []
  const reader = new PathReader(path)
  while (reader.rest !== '' && reader.rest !== '*') {
    const text = literal(reader.take(TEXT))
    if (text !== '') parts.push({ kind: 'text', text: caseSensitive ? text : text.toLowerCase() })
    else if (reader.rest.startsWith('*')) throw new Error('Wildcard must be the last character in the route')
    else parts.push(readParameters(reader, names, options))
  }
  if (reader.rest === '*') {
    parts.push({ kind: 'wildcard' })
    names.push('*')
  }
  const shape = parts.map(shapeOf).join('')
  return {
    parts,
    names,
    shape: rooted(caseSensitive ? shape : shape.toLowerCase()),
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

function literal(source: string): string {
  return source.replaceAll('::', ':').replaceAll('%', '%25')
}

/** One parameter of a segment: its pattern, which may be empty, and the text behind it. */
interface Parameter {
  readonly own: string
  readonly text: string
}

/** Reads a segment with parameters, such as `:hour(\\d+)h:minute(\\d+)m` or `:file.:extension`. */
function readParameters(reader: PathReader, names: string[], options: PathOptions): ParameterPart {
  const before = reader.rest
  const parameters: Parameter[] = []
  while (reader.rest.startsWith(':')) {
    names.push(reader.take(NAME).slice(1))
    const own = reader.rest.startsWith('(') ? readPattern(reader, options) : ''
    parameters.push({ own, text: literal(reader.take(TEXT_BESIDE)) })
  }
  const count = parameters.length
  const texts = parameters.map(({ text }) => text)
  const textLength = texts.join('').length
  const isPattern = textLength > 0 || parameters.some(({ own }) => own !== '')
  const longest = count * options.maxParamLength + textLength
  return {
    kind: 'parameters',
    count,
    pattern: isPattern ? compileExpression(`^${parameters.map(expressionOf).join('')}$`, '', longest) : null,
    suffix: texts.at(-1) ?? '',
    textLength,
    shape: isPattern ? texts.map((text) => `()${text}`).join('') : '',
    source: before.slice(0, before.length - reader.rest.length),
  }
}

function expressionOf({ own, text }: Parameter, index: number, all: readonly Parameter[]): string {
  const last = all[index - 1]
  // A parameter without a pattern does not take the text before it, when another one is before that.
  const between = last?.own === '' ? escaped(last.text) : null
  const free = between === null ? '(.*?)' : `(${between}|${without(between)}*)`
  return (own === '' ? free : own) + escaped(text)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** An expression of one character, before which a text does not begin. One that can be a class needs no lookahead. */
function without(text: string): string {
  const isCharacter = text.length === (text.startsWith('\\') ? 2 : 1)
  return isCharacter ? String.raw`[^${text}\n\r\u2028\u2029]` : `(?:(?!${text}).)`
}

/** Reads a pattern in its parentheses, without the anchors of its own: it is anchored in its segment. */
function readPattern(reader: PathReader, { allowUnsafeRegex }: PathOptions): string {
  const source = reader.cut(closingIndex(reader.rest) + 1)
  if (source === '') throw new TypeError(`Invalid regexp expression in "${reader.path}"`)
  if (!allowUnsafeRegex && !dependencies.safeRegex()(new RegExp(source)))
    throw new Error(`The regex '${source}' is not safe!`)
  return source.replace(/^\(\^/, '(').replace(/\$\)$/, ')')
}

/** The index of the parenthesis that closes the first one; -1 when none does. */
function closingIndex(text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/\\.?|[()]/gs)) {
    if (token === '(') depth += 1
    else if (token === ')' && --depth === 0) return index
  }
  return -1
}
