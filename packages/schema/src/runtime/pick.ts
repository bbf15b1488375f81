/**
 * Which branch of a union a value belongs to when several accept it: the one that would leave out least of
 * it, and the first of equals. So a value that fits the second shape is not emptied by the first.
 */
import type { Node, ObjectNode } from '../serializer/ir.ts'

/** The index of the branch, or -1 when none accepts the value. */
export function pickBranch(
  value: unknown,
  tests: readonly ((value: unknown) => boolean)[],
  nodes: readonly Node[],
): number {
  let best = -1
  let leastLost = Infinity
  for (let i = 0; i < tests.length; i++) {
    if (tests[i]?.(value) !== true) continue
    const node = nodes[i]
    const lost = node === undefined ? 0 : countLost(node, value)
    if (lost === 0) return i
    if (lost < leastLost) {
      leastLost = lost
      best = i
    }
  }
  return best
}

/** How many properties of a value, at any depth, a node would not write. */
export function countLost(node: Node, value: unknown): number {
  switch (node.kind) {
    case 'nullable':
    case 'enum':
      return countLost(node.inner, value)
    case 'ref':
      return countLost(node.target.node, value)
    case 'object':
      return isRecord(value) ? countLostProperties(node, value) : 0
    case 'array':
      if (!Array.isArray(value)) return 0
      return value.reduce((sum: number, item: unknown, index) => {
        const inner = node.prefix[index] ?? node.rest
        return sum + (inner === undefined ? 1 : countLost(inner, item))
      }, 0)
    default:
      return 0
  }
}

function countLostProperties(node: ObjectNode, value: Readonly<Record<string, unknown>>): number {
  let lost = 0
  for (const key of Object.keys(value)) {
    const entry = value[key]
    if (entry === undefined || typeof entry === 'function' || typeof entry === 'symbol') continue
    const property = node.properties.find((candidate) => candidate.name === key)
    const pattern = node.patterns.find((candidate) => candidate.pattern.test(key))
    const inner = property?.node ?? (pattern === undefined ? node.additional : pattern.node)
    lost += inner === undefined ? 1 : countLost(inner, entry)
  }
  return lost
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}
