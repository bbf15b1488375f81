import type { Expression } from '@cloister/schema'

import type { ConstraintValues } from './constraints.ts'
import type { Endpoint, Params, Route } from './endpoint.ts'
import type { Node, ParameterEdge } from './node.ts'
import type { PathOptions } from './parse-path.ts'
import { decodeQuickly, type TargetOptions } from './read-target.ts'

const HASH = 35
const PERCENT = 37
const SLASH = 47
const SEMICOLON = 59
const QUESTION_MARK = 63

/** A route that a target reaches. */
export class Match<Stored> {
  readonly stored: Stored
  readonly params: Params
  /** the raw query string */
  readonly query: string

  constructor(route: Route<Stored>, values: readonly string[], query: string) {
    this.stored = route.stored
    this.params = route.createParams(values)
    this.query = query
  }
}

/**
 * Follows targets down a tree, text before parameters before wildcards, and goes back at a dead end. Each node is
 * visited at most once: a segment with parameters always ends at the next slash. Only the values of parameters are
 * copied. If there is only one way, the walk does not return.
 *
 * One object is used for all targets: the router sets the fields before each.
 */
export class Walk<Stored> {
  /** the followed text: a target as received, or the decoded path */
  path = ''
  /** the path in its original case */
  original = ''
  /** `null` for a target as received, with its escapes, and its query after the path */
  query: string | null = null
  constraints: ConstraintValues | undefined = undefined
  /** a parameter was longer than allowed, so that its route did not match */
  hasLongParameter = false
  /** escapes may be those of a route's text, or invalid: only the decoded target decides */
  isUnclear = false
  readonly #maxLength: number
  /** the character that ends a path in addition to `?` and `#`: perhaps `;` */
  readonly #delimiter: number
  readonly #values: string[] = []

  constructor({ maxParamLength, useSemicolonDelimiter }: PathOptions & TargetOptions) {
    this.#maxLength = maxParamLength
    this.#delimiter = useSemicolonDelimiter ? SEMICOLON : QUESTION_MARK
  }

  /**
   * It is one function, because every request runs it.
   *
   * @param start - the index in the path after the prefix of the node
   * @param found - the number of values so far
   */
  from(first: Node<Endpoint<Stored>>, start: number, found: number): Match<Stored> | null {
    const { path, original, constraints } = this
    const delimiter = this.#delimiter
    let node = first
    let at = start
    let count = found
    ways: for (;;) {
      const { codes, parameters, wildcard } = node
      const code = at < path.length ? path.charCodeAt(at) : QUESTION_MARK
      if (code === QUESTION_MARK || code === HASH || code === delimiter) {
        const { endpoint } = node
        const route = constraints === undefined ? endpoint?.plain : endpoint?.pick(constraints)
        const query = this.query ?? (at < path.length ? path.slice(at + 1) : '')
        if (route != null) return new Match(route, this.#values, query)
      } else {
        let index = 0
        while (index < codes.length && codes[index] !== code) index++
        const child = index < codes.length ? node.children[index] : undefined
        if (child !== undefined && path.startsWith(child.prefix, at)) {
          if (parameters.length === 0 && wildcard === null) {
            node = child
            at += child.prefix.length
            continue
          }
          const match = this.from(child, at + child.prefix.length, count)
          if (match !== null || this.isUnclear) return match
        } else if ((child !== undefined || (code === PERCENT && codes.length > 0)) && this.#mayHide(at))
          return null
      }
      if (parameters.length > 0) {
        let end = at
        let hasEscapes = false
        for (; end < path.length; end++) {
          const next = path.charCodeAt(end)
          // Nearly all characters are letters, which have higher codes than those with a meaning.
          if (next > QUESTION_MARK) continue
          if (next === SLASH || next === QUESTION_MARK || next === HASH || next === delimiter) break
          if (next === PERCENT) hasEscapes = true
        }
        const segment = hasEscapes ? this.#decode(at, end) : original.slice(at, end)
        if (segment === null) return null
        const last = wildcard === null ? parameters[parameters.length - 1] : undefined
        for (const edge of parameters) {
          let next = count + 1
          if (edge.pattern !== null) next = this.#take(segment, edge, edge.pattern, count)
          else if (segment.length <= this.#maxLength) this.#values[count] = segment
          else next = this.#refuse()
          if (next === -1) continue
          if (edge === last) {
            node = edge.node
            at = end
            count = next
            continue ways
          }
          const match = this.from(edge.node, end, next)
          if (match !== null || this.isUnclear) return match
        }
      }
      return wildcard === null ? null : this.#takeRest(wildcard.pick(constraints), at, count)
    }
  }

  /** Whether escapes from here on may be those of a child's text. */
  #mayHide(start: number): boolean {
    this.isUnclear = this.query === null && this.path.includes('%', start)
    return this.isUnclear
  }

  /** Decodes a value; `null` if an escape is invalid. */
  #decode(start: number, end: number): string | null {
    const value = decodeQuickly(this.original.slice(start, end))
    this.isUnclear = value === null
    return value
  }

  #refuse(): -1 {
    this.hasLongParameter = true
    return -1
  }

  /** Returns the number of values including those of a segment; -1 if it does not match. */
  #take(segment: string, edge: ParameterEdge<Endpoint<Stored>>, pattern: Expression, count: number): number {
    const longest = this.#maxLength
    // A pattern gets at most the characters that its parameters may have.
    if (segment.length > edge.count * longest + edge.textLength) return this.#refuse()
    const found = pattern.exec(segment)
    if (found === null) return -1
    for (let i = 1; i < found.length; i++) {
      const value = found[i] ?? ''
      if (value.length > longest) return this.#refuse()
      this.#values[count + i - 1] = value
    }
    return count + found.length - 1
  }

  /** Stores the rest of the path as the value of a wildcard. */
  #takeRest(route: Route<Stored> | null, start: number, count: number): Match<Stored> | null {
    if (route === null) return null
    const { path } = this
    const delimiter = this.#delimiter
    // The first character is always part of the path.
    let end = Math.max(start, 1)
    let hasEscapes = path.charCodeAt(start) === PERCENT
    for (; end < path.length; end++) {
      const code = path.charCodeAt(end)
      if (code > QUESTION_MARK) continue
      if (code === QUESTION_MARK || code === HASH || code === delimiter) break
      if (code === PERCENT) hasEscapes = true
    }
    const value = hasEscapes ? this.#decode(start, end) : this.original.slice(start, end)
    if (value === null) return null
    this.#values[count] = value
    return new Match(route, this.#values, this.query ?? path.slice(end + 1))
  }
}
