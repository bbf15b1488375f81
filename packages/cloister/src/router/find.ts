import type { Expression } from '@cloister/schema'

import type { ConstraintValues } from './constraints.ts'
import type { Route } from './endpoint.ts'
import { Match } from './find-directly.ts'
import type { Node, ParameterEdge } from './node.ts'
import { decodeValue, type Target } from './read-target.ts'

/**
 * Searches the tree, text before parameters before wildcards, and goes back where a way ends. Each node is visited at
 * most once: a segment with parameters always ends at the next slash.
 */
export class Search<Stored> {
  /** some parameter was longer than allowed, so that its route did not match */
  hasLongParameter = false
  readonly #target: Target
  readonly #constraints: ConstraintValues | undefined
  readonly #maxLength: number
  readonly #values: string[] = []

  constructor(target: Target, constraints: ConstraintValues | undefined, maxLength: number) {
    this.#target = target
    this.#constraints = constraints
    this.#maxLength = maxLength
  }

  /**
   * @param at - the index in the path behind the prefix of the node
   * @param count - how many values have been found on the way
   */
  from(node: Node<Stored>, at: number, count: number): Match<Stored> | null {
    const { path } = this.#target
    if (at === path.length && node.endpoint !== null) {
      const route = node.endpoint.pick(this.#constraints)
      if (route !== null) return this.#match(route, count)
    }
    const child = node.children[node.codes.indexOf(path.charCodeAt(at))]
    if (child !== undefined && path.startsWith(child.prefix, at)) {
      const found = this.from(child, at + child.prefix.length, count)
      if (found !== null) return found
    }
    if (node.parameters.length > 0) {
      const found = this.#overParameters(node.parameters, at, count)
      if (found !== null) return found
    }
    return node.wildcard === null
      ? null
      : this.#overWildcard(node.wildcard.pick(this.#constraints), at, count)
  }

  #overParameters(edges: readonly ParameterEdge<Stored>[], at: number, count: number): Match<Stored> | null {
    const slash = this.#target.path.indexOf('/', at)
    const end = slash === -1 ? this.#target.path.length : slash
    const segment = this.#cut(at, end)
    for (const edge of edges) {
      const next =
        edge.pattern === null ? this.#takeOne(segment, count) : this.#take(segment, edge, edge.pattern, count)
      const found = next === -1 ? null : this.from(edge.node, end, next)
      if (found !== null) return found
    }
    return null
  }

  #overWildcard(route: Route<Stored> | null, at: number, count: number): Match<Stored> | null {
    if (route === null) return null
    this.#values[count] = this.#cut(at, this.#target.path.length)
    return this.#match(route, count + 1)
  }

  #cut(start: number, end: number): string {
    const { original, hasEscapes } = this.#target
    const value = original.slice(start, end)
    return hasEscapes ? decodeValue(value) : value
  }

  #takeOne(value: string, count: number): number {
    if (this.#isTooLong(value.length, this.#maxLength)) return -1
    this.#values[count] = value
    return count + 1
  }

  /** Returns how many values there are with those of a segment; -1 when it does not match. */
  #take(segment: string, edge: ParameterEdge<Stored>, pattern: Expression, count: number): number {
    // No pattern sees more than its parameters may hold.
    if (this.#isTooLong(segment.length, edge.count * this.#maxLength + edge.textLength)) return -1
    const found = pattern.exec(segment)
    if (found === null) return -1
    for (let i = 1; i < found.length; i++) {
      const value = found[i] ?? ''
      if (this.#isTooLong(value.length, this.#maxLength)) return -1
      this.#values[count + i - 1] = value
    }
    return count + found.length - 1
  }

  #isTooLong(length: number, limit: number): boolean {
    if (length > limit) this.hasLongParameter = true
    return length > limit
  }

  #match(route: Route<Stored>, count: number): Match<Stored> {
    return new Match(route, this.#values.slice(0, count), this.#target.query)
  }
}
