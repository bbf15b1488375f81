import type { Expression } from '@cloister/schema'

import type { Endpoint } from './endpoint.ts'
import type { ParameterPart, PathPart } from './parse-path.ts'

/** A node in the tree of paths: the possible continuations of the text before it. */
export class Node<Stored> {
  /** the text that leads here from the node above */
  prefix: string
  /** the first character of each child, and the children in the same order */
  readonly codes: number[] = []
  readonly children: Node<Stored>[] = []
  /** in the order in which they are tried: patterns before a parameter that takes a whole segment */
  readonly parameters: ParameterEdge<Stored>[] = []
  /** the routes with a wildcard here */
  wildcard: Endpoint<Stored> | null = null
  /** the routes that end here */
  endpoint: Endpoint<Stored> | null = null

  constructor(prefix: string) {
    this.prefix = prefix
  }

  /** Returns the node after a part of a path; creates missing ones. */
  extend(part: Exclude<PathPart, { kind: 'wildcard' }>): Node<Stored> {
    return part.kind === 'text' ? this.#extendByText(part.text) : this.#extendByParameters(part)
  }

  #extendByText(text: string): Node<Stored> {
    if (text === '') return this
    const index = this.codes.indexOf(text.charCodeAt(0))
    const child = this.children[index]
    if (child === undefined) {
      const added = new Node<Stored>(text)
      this.codes.push(text.charCodeAt(0))
      this.children.push(added)
      return added
    }
    const shared = sharedLength(text, child.prefix)
    if (shared === child.prefix.length) return child.#extendByText(text.slice(shared))
    const upper = new Node<Stored>(child.prefix.slice(0, shared))
    child.prefix = child.prefix.slice(shared)
    upper.codes.push(child.prefix.charCodeAt(0))
    upper.children.push(child)
    this.children[index] = upper
    return upper.#extendByText(text.slice(shared))
  }

  #extendByParameters(part: ParameterPart): Node<Stored> {
    const source = part.pattern?.source
    const existing = this.parameters.find(({ pattern }) => pattern?.source === source)
    if (existing !== undefined) {
      existing.take(part)
      return existing.node
    }
    const edge = new ParameterEdge<Stored>(part)
    this.parameters.push(edge)
    this.parameters.sort(byPrecedence)
    return edge.node
  }
}

/** The edge from a node for one segment with parameters. */
export class ParameterEdge<Stored> {
  readonly pattern: Expression | null
  readonly suffix: string
  readonly node: Node<Stored> = new Node('')
  /** the text of the segment in each route that has it */
  readonly sources: Set<string> = new Set()
  /** limits for the text that is matched against the pattern: parameters, and other characters */
  count = 0
  textLength = 0

  constructor(part: ParameterPart) {
    this.pattern = part.pattern
    this.suffix = part.suffix
    this.take(part)
  }

  /** Adds the segment of another route that matches the same. */
  take(part: ParameterPart): void {
    this.sources.add(part.source)
    this.count = Math.max(this.count, part.count)
    this.textLength = Math.max(this.textLength, part.textLength)
  }
}

/**
 * Sorts patterns before parameters that take a whole segment; of two patterns, the one with the longer text at its end
 * comes first.
 */
function byPrecedence(a: ParameterEdge<unknown>, b: ParameterEdge<unknown>): number {
  if (a.pattern === null) return 1
  if (b.pattern === null) return -1
  if (a.suffix === '') return 1
  if (b.suffix === '') return -1
  if (b.suffix.endsWith(a.suffix)) return 1
  return a.suffix.endsWith(b.suffix) ? -1 : 0
}

function sharedLength(a: string, b: string): number {
  let length = 1
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

/** Returns the node before all paths. The node after the first slash is always its first child. */
export function createTree<Stored>(): Node<Stored> {
  const root = new Node<Stored>('')
  root.extend({ kind: 'text', text: '/' })
  return root
}
