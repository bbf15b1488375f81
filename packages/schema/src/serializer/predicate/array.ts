/** Tests of arrays. */
import { code, join, type Code } from '../../codegen/code.ts'
import { childPlace } from '../../document/location.ts'
import type { PredicateSite, Tests } from './predicate.ts'
import { listOf } from '../read/source.ts'

/** Keywords of arrays; other values pass. */
export function arrayTests(site: PredicateSite): Tests {
  const { schema, place, value, use } = site
  const tests: Code[] = []
  const { minItems, maxItems } = schema
  if (typeof minItems === 'number') tests.push(code`${value}.length >= ${minItems}`)
  if (typeof maxItems === 'number') tests.push(code`${value}.length <= ${maxItems}`)
  tests.push(...itemTests(site))
  if (schema['contains'] !== undefined) {
    tests.push(code`${value}.some((item) => ${site.test(childPlace(place, ['contains']), code`item`)})`)
  }
  if (schema['uniqueItems'] === true) tests.push(code`${use('areDistinct')}(${value})`)
  return tests.length === 0 ? [] : [code`(!Array.isArray(${value}) || (${join(tests, code` && `)}))`]
}

function itemTests({ schema, place, value, test }: PredicateSite): Tests {
  const isTuple = Array.isArray(schema['items'])
  const keyword = isTuple ? 'items' : 'prefixItems'
  const length = listOf(schema[keyword]).length
  const tests: Code[] = listOf(schema[keyword]).map((_, index) => {
    const item = code`${value}[${index}]`
    return code`(${value}.length <= ${index} || ${test(childPlace(place, [keyword, index]), item)})`
  })
  const following = isTuple ? 'additionalItems' : 'items'
  if (schema[following] !== undefined) {
    const rest = childPlace(place, [following])
    tests.push(code`${value}.every((item, index) => index < ${length} || ${test(rest, code`item`)})`)
  }
  return tests
}
