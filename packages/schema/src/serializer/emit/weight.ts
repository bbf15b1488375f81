/** The size of a node. */
import type { Node, ObjectNode } from '../ir.ts'
import { isScalar } from './scalars.ts'
import { remember } from '../../remember.ts'

/** Weighs the nodes of one unit, each once. */
export class WeightTable {
  readonly #weights = new Map<Node, number>()

  /** Estimates the code size of a node, which decides what becomes a function of its own. */
  of(node: Node): number {
    return remember(this.#weights, node, () => this.#weigh(node))
  }

  #weigh(node: Node): number {
    if (node.kind === 'ref') return node.target.isRecursive ? 2 : this.of(node.target.node)
    let weight = 1
    for (const child of childrenOf(node)) weight += isScalar(child) ? 1 : this.of(child)
    return weight
  }
}

const NONE: readonly Node[] = []

/** The nodes directly inside a node; the target of a reference is not inside it. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'nullable':
    case 'enum':
      return [node.inner]
    case 'object':
      return childrenOfObject(node)
    case 'array':
      return node.rest === undefined ? node.prefix : [...node.prefix, node.rest]
    case 'choose':
    case 'switch': {
      const children = node.cases.map((entry) => entry.node)
      return node.otherwise === undefined ? children : [...children, node.otherwise]
    }
    case 'match':
      return node.candidates.map((entry) => entry.node)
    case 'condition':
      return [node.then, node.otherwise]
    default:
      return NONE
  }
}

function childrenOfObject({ properties, patterns, additional }: ObjectNode): Node[] {
  const children: Node[] = []
  for (const { node } of properties) children.push(node)
  for (const { node } of patterns) if (node !== undefined) children.push(node)
  if (additional !== undefined) children.push(additional)
  return children
}
