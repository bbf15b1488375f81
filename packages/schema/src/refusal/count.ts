import { PASSED } from './frame.ts'
import type { CheckFactory } from './plan.ts'
import type { Value } from './value.ts'

type CountKeyword = 'maxItems' | 'minItems' | 'maxProperties' | 'minProperties'

/** The check of a keyword that limits how many items or properties there are. */
export function countCheck(
  keyword: CountKeyword,
  fits: (value: Value, limit: number) => boolean,
): CheckFactory {
  return (node) => {
    const limit = node.schema[keyword]
    if (typeof limit !== 'number') return undefined
    const rule = { keyword, node }
    return (value, mode, frame) => (fits(value, limit) ? PASSED : frame.fail(rule, { limit }, value, mode))
  }
}
