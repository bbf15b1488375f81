import type { Expression } from '@cloister/schema'
import { compileExpression } from '@cloister/schema/internal'

import { dependencies } from '../dependencies.ts'

/** A part of a route's path, in order. */
export type PathPart =
  /** literal text; `%` is `%25`, as in decoded paths */
  | { readonly kind: 'text'; readonly text: string }
  | ParameterPart
  /** the rest of the path */
  | { readonly kind: 'wildcard' }

/** All parameters of one path segment, up to the next slash. */
export interface ParameterPart {
  readonly kind: 'parameters'
  /** the number of parameters */
  readonly count: number
  /** matches the segment; `null` for one parameter that is the whole segment */
  readonly pattern: Expression | null
  /** the text after the last parameter, which decides the order of patterns */
  readonly suffix: string
  /** the number of characters that belong to no parameter */
  readonly textLength: number
  /** the segment without names and patterns; empty for one parameter that is the whole segment */
  readonly shape: string
  /** the text of the segment */
  readonly source: string
}

/** The path of a route, parsed once. */
export interface RoutePath {
  readonly parts: readonly PathPart[]
  /** the names of the parameters, in order; that of a wildcard is `*` */
  readonly names: readonly string[]
  /** equal for two paths whose parameters differ only in name or pattern */
  readonly shape: string
  /** equal for two paths that match the same requests */
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
 * Returns the paths that a path matches: two if its last parameter is optional.
 *
 * @throws an Error with the mistake in the path
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

  /** Consumes the match of an expression. */
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
 * @throws an Error with the mistake in the path
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

/** A wildcard alone and one after the first slash match the same requests. */
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

/** One parameter of a segment: its pattern, which may be empty, and the text after it. */
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
  // After a parameter without a pattern, such a parameter does not contain the text between the two.
  const between = last?.own === '' ? escaped(last.text) : null
  const free = between === null ? '(.*?)' : `(${between}|${without(between)}*)`
  return (own === '' ? free : own) + escaped(text)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/**
 * Returns an expression for one character at which a text does not begin. If it can be a class, it needs no lookahead.
 */
function without(text: string): string {
  const isCharacter = text.length === (text.startsWith('\\') ? 2 : 1)
  return isCharacter ? String.raw`[^${text}\n\r\u2028\u2029]` : `(?:(?!${text}).)`
}

/** Reads a pattern in its parentheses, without its own anchors, because it is anchored in its segment. */
function readPattern(reader: PathReader, { allowUnsafeRegex }: PathOptions): string {
  const source = reader.cut(closingIndex(reader.rest) + 1)
  if (source === '') throw new TypeError(`Invalid regexp expression in "${reader.path}"`)
  if (!allowUnsafeRegex && !dependencies.safeRegex()(new RegExp(source)))
    throw new Error(`The regex '${source}' is not safe!`)
  return source.replace(/^\(\^/, '(').replace(/\$\)$/, ')')
}

/** Returns the index of the parenthesis that closes the first one; -1 if none does. */
function closingIndex(text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/\\.?|[()]/gs)) {
    if (token === '(') depth += 1
    else if (token === ')' && --depth === 0) return index
  }
  return -1
}
