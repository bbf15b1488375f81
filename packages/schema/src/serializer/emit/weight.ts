/** The size of a node. */
import type { Node } from '../ir.ts'

/** Weighs the nodes of one unit, each once. */
export class WeightTable {
  readonly #weights = new Map<Node, number>()

  /** How much code a node makes, roughly; decides what becomes a function of its own. */
  of(node: Node): number {
    const known = this.#weights.get(node)
    if (known !== undefined) return known
    const weight = this.#weigh(node)
    this.#weights.set(node, weight)
    return weight
  }

  #weigh(node: Node): number {
    if (node.kind === 'ref') return node.target.isRecursive ? 2 : this.of(node.target.node)
    let weight = 1
    for (const child of childrenOf(node)) weight += this.of(child)
    return weight
  }
}

const NONE: readonly Node[] = []

/** The nodes directly inside a node; what a reference leads to is not inside it. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'nullable':
    case 'enum':
      return [node.inner]
    case 'object':
      return [
        ...node.properties.map((entry) => entry.node),
        ...node.patterns.flatMap((entry) => entry.node ?? NONE),
        ...optional(node.additional),
      ]
    case 'array':
      return [...node.prefix, ...optional(node.rest)]
    case 'choose':
    case 'switch':
      return [...node.cases.map((entry) => entry.node), ...optional(node.otherwise)]
    case 'match':
      return node.candidates.map((entry) => entry.node)
    case 'condition':
      return [node.then, node.otherwise]
    default:
      return NONE
  }
}

function optional(node: Node | undefined): readonly Node[] {
  return node === undefined ? NONE : [node]
}
