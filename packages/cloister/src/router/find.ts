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
 * Follows targets down a tree, text before parameters before wildcards, and goes back where a way ends. Each node is
 * visited at most once: a segment with parameters always ends at the next slash. Nothing is cut but the values of
 * parameters, and where only one way leads on, the walk does not come back.
 *
 * One object serves many targets, one after the other: the router sets the fields before each.
 */
export class Walk<Stored> {
  /** what is followed: a target as it came, or the path of one that was read */
  path = ''
  /** the path in its own case */
  original = ''
  /** `null` for a target as it came: it has its escapes still, and its query behind the path */
  query: string | null = null
  constraints: ConstraintValues | undefined = undefined
  /** some parameter was longer than allowed, so that its route did not match */
  hasLongParameter = false
  /** escapes may hide the text of a route, or are none: only a target that was read decides */
  isUnclear = false
  readonly #maxLength: number
  /** what ends a path beside `?` and `#`: perhaps `;` */
  readonly #delimiter: number
  readonly #values: string[] = []

  constructor({ maxParamLength, useSemicolonDelimiter }: PathOptions & TargetOptions) {
    this.#maxLength = maxParamLength
    this.#delimiter = useSemicolonDelimiter ? SEMICOLON : QUESTION_MARK
  }

  /**
   * It is one function, since every request runs it.
   *
   * @param start - the index in the path behind the prefix of the node
   * @param found - how many values have been found on the way
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
          // Nearly all characters are letters, which come behind those that mean something.
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

  /** Whether escapes from here on may be the text of a child. */
  #mayHide(start: number): boolean {
    this.isUnclear = this.query === null && this.path.includes('%', start)
    return this.isUnclear
  }

  /** A value without its escapes; `null` where they are none. */
  #decode(start: number, end: number): string | null {
    const value = decodeQuickly(this.original.slice(start, end))
    this.isUnclear = value === null
    return value
  }

  #refuse(): -1 {
    this.hasLongParameter = true
    return -1
  }

  /** Returns how many values there are with those of a segment; -1 when it does not match. */
  #take(segment: string, edge: ParameterEdge<Endpoint<Stored>>, pattern: Expression, count: number): number {
    const longest = this.#maxLength
    // No pattern sees more than its parameters may hold.
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

  /** The rest of the path is the value of a wildcard. */
  #takeRest(route: Route<Stored> | null, start: number, count: number): Match<Stored> | null {
    if (route === null) return null
    const { path } = this
    const delimiter = this.#delimiter
    // The first character belongs to the path whatever it is.
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
