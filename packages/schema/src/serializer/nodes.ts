/** Questions about nodes that both readers of nodes have. */
import type { ArrayNode, BranchNode, Node, ObjectNode, ScalarNode } from './ir.ts'
import type { ShapeEntry } from '../runtime/pick.ts'
import { remember } from '../remember.ts'

const SCALARS: ReadonlySet<Node['kind']> = new Set(['null', 'boolean', 'number', 'integer', 'string'])
const BRANCHES: ReadonlySet<Node['kind']> = new Set(['choose', 'switch', 'match', 'condition'])

/** Whether a node is a scalar. */
export function isScalar(node: Node): node is ScalarNode {
  return SCALARS.has(node.kind)
}

/** Whether a node chooses one of several other nodes. */
export function isBranching(node: Node): node is BranchNode {
  return BRANCHES.has(node.kind)
}

/** The function that tests whether `JSON.stringify` can write the items of an array as they are; undefined: it never can. */
export function nativeTestOf({
  prefix,
  rest,
}: ArrayNode): 'areStrings' | 'areIntegers' | 'areNumbers' | undefined {
  if (prefix.length > 0) return undefined
  if (rest?.kind === 'string' && rest.format === 'plain') return 'areStrings'
  if (rest?.kind === 'integer') return 'areIntegers'
  return rest?.kind === 'number' ? 'areNumbers' : undefined
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

/** Why nothing may follow the items of a fixed beginning. */
export function tooLong(length: number): string {
  return length === 0 ? 'the array must be empty' : `Item at ${length} does not match schema definition.`
}

/** A recursive schema is written to this depth; the stack of a small process has room for it. */
export const MAX_DEPTH = 2500

/** The reason for which a deeper value is refused. */
export const TOO_DEEP: string = `the value is nested more than ${MAX_DEPTH} levels deep`

/** The properties that the branches of a union write, as data for `pickBranch`: the nodes as a list, and the indexes of the given ones. */
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
    return remember(indexes, node, () => listed.push(node) - 1)
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
