import type { SchemaNode } from '../walk/node.ts'
import type { Tag } from '../walk/part.ts'

/**
 * The property by whose text a branch of a union says which values are its own. Nothing that is looked at before it may
 * leave a value to a walk: a value with another text is refused.
 */
export function tagOf({ plan }: SchemaNode): Tag | undefined {
  const { type, general, groups, alone, isInPlace } = plan
  if (alone !== undefined) return alone.below?.[0] && tagOf(alone.below[0])
  const [group] = groups
  if (isInPlace || general.length > 0 || groups.length !== 1 || group === undefined) return undefined
  if (type !== undefined && type.only !== group.kind) return undefined
  const part = group.parts.find(({ onlyRefuses }) => onlyRefuses !== true)
  return part?.tag
}
