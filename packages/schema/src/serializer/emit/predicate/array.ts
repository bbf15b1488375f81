/** Tests of arrays. */
import { code, join, type Code } from '../../../codegen/code.ts'
import type { ArrayTest, PredicateNode } from '../../predicate-node.ts'
import type { PredicateContext, Tests } from './predicate.ts'

/** Rules of arrays. */
export function arrayTest(context: PredicateContext, node: ArrayTest): Tests {
  const { value, writer, test } = context
  const { minItems, maxItems, prefix, rest, contains } = node
  const tests: Code[] = []
  if (minItems !== undefined) tests.push(code`${value}.length >= ${minItems}`)
  if (maxItems !== undefined) tests.push(code`${value}.length <= ${maxItems}`)
  prefix.forEach((item, index) => {
    tests.push(code`(${value}.length <= ${index} || ${test(item, code`${value}[${index}]`)})`)
  })
  if (rest !== undefined) {
    tests.push(code`${value}.every((item, index) => index < ${prefix.length} || ${test(rest, code`item`)})`)
  }
  if (contains !== undefined) tests.push(...containsTest(context, node, contains))
  if (node.isUnique) tests.push(code`${writer.use('areDistinct')}(${value})`)
  return tests.length === 0 ? [] : [code`(!Array.isArray(${value}) || (${join(tests, code` && `)}))`]
}

/** How many items match. */
function containsTest({ value, test }: PredicateContext, node: ArrayTest, item: PredicateNode): Code[] {
  const { minContains, maxContains } = node
  const matches = test(item, code`item`)
  if (maxContains === undefined && minContains === 1) return [code`${value}.some((item) => ${matches})`]
  const count = code`${value}.reduce((count, item) => (${matches}) ? count + 1 : count, 0)`
  const tests = minContains > 0 ? [code`${count} >= ${minContains}`] : []
  return maxContains === undefined ? tests : [...tests, code`${count} <= ${maxContains}`]
}
