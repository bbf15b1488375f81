/** Questions about nodes that both readers of nodes have. */
import type { ArrayNode, BranchNode, Node, ObjectNode, ScalarNode } from './ir.ts'

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
