import type { ConstraintValues } from './constraints.ts'
import type { Params, Route } from './endpoint.ts'
import type { Node, ParameterEdge } from './node.ts'
import type { PathOptions } from './parse-path.ts'
import { decodeQuickly, type Target, type TargetOptions } from './read-target.ts'

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
 * Follows a target down the tree, text before parameters before wildcards, and goes back where a way ends. Each node is
 * visited at most once: a segment with parameters always ends at the next slash. Nothing is cut but the values of
 * parameters, and where only one way leads on, the walk does not come back.
 */
export class Walk<Stored> {
  /** some parameter was longer than allowed, so that its route did not match */
  hasLongParameter = false
  readonly #path: string
  /** `null` for a target that is followed as it came, with its escapes and its query */
  readonly #read: Target | null
  readonly #constraints: ConstraintValues | undefined
  readonly #options: PathOptions & TargetOptions
  /** escapes may hide the text of another way */
  #isUnclear = false
  /** where the values that are found are kept until they are those of a route */
  readonly #values: string[]
  /** the index behind the value that was cut last */
  #end = 0

  constructor(
    path: string,
    read: Target | null,
    constraints: ConstraintValues | undefined,
    options: PathOptions & TargetOptions,
    values: string[],
  ) {
    this.#path = path
    this.#read = read
    this.#constraints = constraints
    this.#options = options
    this.#values = values
  }

  /**
   * @param start - the index in the path behind the prefix of the node
   * @param found - how many values have been found on the way
   */
  from(first: Node<Stored>, start: number, found: number): Match<Stored> | null {
    const path = this.#path
    let node = first
    let at = start
    let count = found
    ways: for (;;) {
      const { parameters, wildcard } = node
      const code = at < path.length ? path.charCodeAt(at) : QUESTION_MARK
      if (this.#isEnd(code)) {
        const route = node.endpoint === null ? null : node.endpoint.pick(this.#constraints)
        if (route !== null) return this.#match(route, at)
      } else {
        const child = node.childFor(code)
        if (child !== undefined && path.startsWith(child.prefix, at)) {
          const end = at + child.prefix.length
          if (parameters.length === 0 && wildcard === null) {
            node = child
            at = end
            continue
          }
          const match = this.from(child, end, count)
          if (match !== null || this.#isUnclear) return match
        }
      }
      if (parameters.length > 0) {
        const segment = this.#cut(node, at, SLASH)
        if (segment === null) return null
        const end = this.#end
        const last = wildcard === null ? parameters.length - 1 : -1
        for (let way = 0; way < parameters.length; way++) {
          const edge = parameters[way]
          const next = edge === undefined ? -1 : this.#take(segment, edge, count)
          if (edge === undefined || next === -1) continue
          if (way === last) {
            node = edge.node
            at = end
            count = next
            continue ways
          }
          const match = this.from(edge.node, end, next)
          if (match !== null || this.#isUnclear) return match
        }
      }
      return wildcard === null ? null : this.#takeRest(node, wildcard.pick(this.#constraints), at, count)
    }
  }

  #isEnd(code: number): boolean {
    return (
      code === QUESTION_MARK || code === HASH || (code === SEMICOLON && this.#options.useSemicolonDelimiter)
    )
  }

  /** The value behind a node without its escapes; `null` where these may hide the text of another way. */
  #cut(node: Node<Stored>, start: number, stop: number): string | null {
    const path = this.#path
    const read = this.#read
    let hasEscapes = false
    let end = start
    for (; end < path.length; end++) {
      const code = path.charCodeAt(end)
      // Nearly all characters are letters, which come behind those that mean something.
      if (code > QUESTION_MARK) continue
      // The first character belongs to the path whatever it is.
      if (code === stop || (this.#isEnd(code) && end > 0)) break
      if (code === PERCENT) hasEscapes = true
    }
    this.#end = end
    const value = (read === null ? path : read.original).slice(start, end)
    if (!hasEscapes) return value
    const decoded = read === null && node.codes.length > 0 ? null : decodeQuickly(value)
    this.#isUnclear = decoded === null
    return decoded
  }

  /** Returns how many values there are with those of a segment; -1 when it does not match. */
  #take(segment: string, edge: ParameterEdge<Stored>, count: number): number {
    const { maxParamLength } = this.#options
    // No pattern sees more than its parameters may hold.
    if (this.#isTooLong(segment, edge.count * maxParamLength + edge.textLength)) return -1
    if (edge.pattern === null) {
      this.#values[count] = segment
      return count + 1
    }
    const found = edge.pattern.exec(segment)
    if (found === null) return -1
    for (let i = 1; i < found.length; i++) {
      const value = found[i] ?? ''
      if (this.#isTooLong(value, maxParamLength)) return -1
      this.#values[count + i - 1] = value
    }
    return count + found.length - 1
  }

  #isTooLong({ length }: string, limit: number): boolean {
    if (length > limit) this.hasLongParameter = true
    return length > limit
  }

  #takeRest(
    node: Node<Stored>,
    route: Route<Stored> | null,
    at: number,
    count: number,
  ): Match<Stored> | null {
    const value = route === null ? null : this.#cut(node, at, -1)
    if (route === null || value === null) return null
    this.#values[count] = value
    return this.#match(route, this.#end)
  }

  #match(route: Route<Stored>, end: number): Match<Stored> {
    const behind = end < this.#path.length ? this.#path.slice(end + 1) : ''
    return new Match(route, this.#values, this.#read === null ? behind : this.#read.query)
  }
}
