/** Tests of arrays. */
import { areDistinct } from '../../../runtime/unique.ts'
import type { ArrayTest } from '../../predicate-node.ts'
import type { Test, TestOf } from './predicate.ts'

/** Rules of arrays. */
export function arrayTest(node: ArrayTest, testOf: TestOf): Test {
  const { minItems = 0, maxItems = Infinity, isUnique } = node
  const prefix = node.prefix.map(testOf)
  const rest = node.rest && testOf(node.rest)
  const contains = node.contains && testOf(node.contains)
  return (value) => {
    if (!Array.isArray(value)) return true
    const items: readonly unknown[] = value
    if (items.length < minItems || items.length > maxItems) return false
    if (!prefix.every((test, index) => items.length <= index || test(items[index]))) return false
    if (rest !== undefined && !items.every((item, index) => index < prefix.length || rest(item))) return false
    if (contains !== undefined && !hasEnough(items, contains, node)) return false
    return !isUnique || areDistinct(items)
  }
}

/** Whether as many items match as are asked for. */
function hasEnough(
  items: readonly unknown[],
  matches: Test,
  { minContains, maxContains }: ArrayTest,
): boolean {
  if (minContains === 1 && maxContains === undefined) return items.some((item) => matches(item))
  const count = items.filter((item) => matches(item)).length
  return count >= minContains && count <= (maxContains ?? Infinity)
}
