import type { Expression } from '@cloister/schema'

import type { ParameterPart, PathPart } from './parse-path.ts'

/** A node in the tree of paths: the possible continuations of the text before it. */
export class Node<End> {
  /** the text that leads here from the node above */
  prefix: string
  /** the first character of each child, and the children in the same order */
  readonly codes: number[] = []
  readonly children: Node<End>[] = []
  /** in the order in which they are tried: patterns before a parameter that takes a whole segment */
  readonly parameters: ParameterEdge<End>[] = []
  /** what is stored for paths that end in a wildcard here */
  wildcard: End | null = null
  /** what is stored for paths that end here */
  endpoint: End | null = null

  constructor(prefix: string) {
    this.prefix = prefix
  }

  /** Returns what is stored for a path below this node; makes what is missing. */
  endOf([part, ...rest]: readonly PathPart[], make: () => End): End {
    if (part === undefined) return (this.endpoint ??= make())
    if (part.kind === 'wildcard') return (this.wildcard ??= make())
    const next = part.kind === 'text' ? this.extendByText(part.text) : this.#extendByParameters(part)
    return next.endOf(rest, make)
  }

  extendByText(text: string): Node<End> {
    if (text === '') return this
    const index = this.codes.indexOf(text.charCodeAt(0))
    const child = this.children[index]
    if (child === undefined) {
      const added = new Node<End>(text)
      this.codes.push(text.charCodeAt(0))
      this.children.push(added)
      return added
    }
    const shared = sharedLength(text, child.prefix)
    if (shared === child.prefix.length) return child.extendByText(text.slice(shared))
    const upper = new Node<End>(child.prefix.slice(0, shared))
    child.prefix = child.prefix.slice(shared)
    upper.codes.push(child.prefix.charCodeAt(0))
    upper.children.push(child)
    this.children[index] = upper
    return upper.extendByText(text.slice(shared))
  }

  #extendByParameters(part: ParameterPart): Node<End> {
    const source = part.pattern?.source
    const existing = this.parameters.find(({ pattern }) => pattern?.source === source)
    if (existing !== undefined) {
      existing.take(part)
      return existing.node
    }
    const edge = new ParameterEdge<End>(part)
    this.parameters.push(edge)
    this.parameters.sort(byPrecedence)
    return edge.node
  }
}

/** The edge from a node for one segment with parameters. */
export class ParameterEdge<End> {
  readonly pattern: Expression | null
  readonly suffix: string
  readonly node: Node<End> = new Node('')
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
export function createTree<End>(): Node<End> {
  const root = new Node<End>('')
  root.extendByText('/')
  return root
}
