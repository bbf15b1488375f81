import type { JsonType } from '../../document/json-types.ts'
import type { CheckNode, TestNode } from './ir.ts'

/** What becomes of a scalar where lists in lists are wanted: a list with one item, in a list with one item, … */
export interface Wrapping {
  /** How many lists there are around the scalar. */
  readonly levels: number
  /** The checks of the scalar. */
  readonly node: CheckNode
}

const SCALARS: ReadonlySet<JsonType> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

/** How a node takes scalars that coercion puts into lists; undefined where it takes none, or asks more of the lists. */
export function wrappingOf(outer: CheckNode): Wrapping | undefined {
  let node = outer
  let levels = 0
  for (let item = onlyItem(node); item !== undefined; item = onlyItem(node)) {
    node = item
    levels += 1
  }
  const isScalar = node.type?.types.every((type) => SCALARS.has(type)) === true
  return levels > 0 && isScalar ? { levels, node } : undefined
}

/** The node of the item when a node asks of a list with one item nothing but that it fits. */
function onlyItem({ type, tests }: CheckNode): CheckNode | undefined {
  const isList = type?.types.length === 1 && type.types[0] === 'array'
  if (!isList || type.coercion?.effect !== 'replace') return undefined
  const others = tests.filter((test) => !admitsOne(test))
  const [only] = others
  return only?.kind === 'items' && only.start === 0 && others.length === 1 ? only.node : undefined
}

function admitsOne(test: TestNode): boolean {
  return test.kind === 'length' && (test.minimum ?? 0) <= 1 && (test.maximum ?? 1) >= 1
}
