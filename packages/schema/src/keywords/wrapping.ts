import type { JsonType } from '../document/json-types.ts'
import type { Leaf } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'

/** What becomes of a scalar where lists in lists are wanted: a list with one item, in a list with one item, … */
export interface Wrapping {
  /** How many lists there are around the scalar. */
  readonly levels: number
  /** The schema of the scalar. */
  readonly node: SchemaNode
  readonly leaf: Leaf
}

const SCALARS: ReadonlySet<JsonType | undefined> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

/** How a schema takes scalars that coercion puts into lists; undefined where it takes none, or asks more of the lists. */
export function wrappingOf(outer: SchemaNode): Wrapping | undefined {
  if (outer.context.settings.coercion !== 'array') return undefined
  let node = outer
  let levels = 0
  for (let item = onlyItem(node); item !== undefined; item = onlyItem(node)) {
    node = item
    levels += 1
  }
  const { type } = node.plan
  if (levels === 0 || type?.types.every((one) => SCALARS.has(one)) !== true) return undefined
  return { levels, node, leaf: node.context.leafOf(node.location.schema) }
}

/** The schema of the item where a schema asks of a list with one item nothing but that it fits. */
function onlyItem({ plan }: SchemaNode): SchemaNode | undefined {
  const { type, general, groups } = plan
  const [group] = groups
  if (type?.only !== 'array' || general.length > 0 || groups.length !== 1 || group === undefined)
    return undefined
  const [part, ...others] = group.parts.filter(({ admitsOne }) => admitsOne !== true)
  return others.length === 0 ? part?.eachItem : undefined
}
