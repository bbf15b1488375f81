/** The properties that the branches of a union write, as data for `pickBranch`. */
import type { ShapeEntry } from '../runtime/pick.ts'
import type { Node } from './ir.ts'

/** The nodes as a list, and the indexes of the given ones. */
export interface Shapes {
  readonly entries: readonly ShapeEntry[]
  readonly roots: readonly number[]
}

/** Lists the nodes and the nodes inside them; each once, so that recursion ends. */
export function shapesOf(nodes: readonly Node[]): Shapes {
  const indexes = new Map<Node, number>()
  const listed: Node[] = []
  const indexOf = (given: Node): number => {
    const node = written(given)
    const known = indexes.get(node)
    if (known !== undefined) return known
    listed.push(node)
    indexes.set(node, listed.length - 1)
    return listed.length - 1
  }
  const roots = nodes.map(indexOf)
  const entries: ShapeEntry[] = []
  for (let at = 0; at < listed.length; at++) {
    const node = listed[at]
    if (node !== undefined) entries.push(entryOf(node, indexOf))
  }
  return { entries, roots }
}

/** The node that decides which properties are written. */
function written(node: Node): Node {
  switch (node.kind) {
    case 'nullable':
    case 'enum':
      return written(node.inner)
    case 'ref':
      return written(node.target.node)
    case 'shared':
      return written(node.definition.node)
    default:
      return node
  }
}

function entryOf(node: Node, indexOf: (node: Node) => number): ShapeEntry {
  if (node.kind === 'array') {
    return { kind: 'array', prefix: node.prefix.map(indexOf), rest: indexOrNull(node.rest, indexOf) }
  }
  if (node.kind !== 'object') return { kind: 'whole' }
  return {
    kind: 'object',
    properties: node.properties.map((property) => [property.name, indexOf(property.node)]),
    patterns: node.patterns.map(({ pattern, node: inner }) => [
      pattern.source,
      pattern.flags,
      indexOrNull(inner, indexOf),
    ]),
    additional: indexOrNull(node.additional, indexOf),
  }
}

function indexOrNull(node: Node | undefined, indexOf: (node: Node) => number): number | null {
  return node === undefined ? null : indexOf(node)
}
