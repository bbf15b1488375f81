/** Tests of arrays. */
import { code, join, type Code } from '../../../codegen/code.ts'
import type { ArrayTest } from '../../predicate-node.ts'
import type { PredicateContext, Tests } from './predicate.ts'

/** Rules of arrays. */
export function arrayTest({ value, writer, test }: PredicateContext, node: ArrayTest): Tests {
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
  if (contains !== undefined) tests.push(code`${value}.some((item) => ${test(contains, code`item`)})`)
  if (node.isUnique) tests.push(code`${writer.use('areDistinct')}(${value})`)
  return tests.length === 0 ? [] : [code`(!Array.isArray(${value}) || (${join(tests, code` && `)}))`]
}
