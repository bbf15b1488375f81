/** Tests of objects. */
import { code, join, property, type Code } from '../../../codegen/code.ts'
import type { DependencyTest, ObjectTest } from '../../predicate-node.ts'
import type { PredicateContext, Tests } from './predicate.ts'

/** Rules of objects. */
export function objectTest(context: PredicateContext, node: ObjectTest): Tests {
  const { value, writer, local, nameOf } = context
  const { minProperties, maxProperties } = node
  const tests: Code[] = node.required.map((name) => has(context, name))
  const count = (): Code => code`${writer.use('propertyCount')}(${value})`
  if (minProperties !== undefined) tests.push(code`${count()} >= ${minProperties}`)
  if (maxProperties !== undefined) tests.push(code`${count()} <= ${maxProperties}`)
  for (const { name, value: predicate } of node.properties) {
    const matches = nameOf(predicate)
    const own = local()
    tests.push(code`((${own} = ${read(context, name)}) === undefined || ${matches}(${own}))`)
  }
  tests.push(...eachPropertyTests(context, node))
  for (const dependency of node.dependencies) tests.push(dependencyTest(context, dependency))
  if (tests.length === 0) return []
  return [code`(!${writer.use('isRecord')}(${value}) || (${join(tests, code` && `)}))`]
}

function dependencyTest(context: PredicateContext, { name, needs }: DependencyTest): Code {
  const consequence =
    'tests' in needs
      ? context.test(needs, context.value)
      : join([code`true`, ...needs.map((needed) => has(context, needed))], code` && `)
  return code`(!(${has(context, name)}) || (${consequence}))`
}

function read({ value, writer }: PredicateContext, name: string): Code {
  return code`(${writer.use('hasOwn')}(${value}, ${name}) ? ${property(value, name)} : undefined)`
}

function has(context: PredicateContext, name: string): Code {
  return code`${read(context, name)} !== undefined`
}

/** Tests that observe every property: of patterns, of those that are not declared, of names. */
function eachPropertyTests({ value, writer, nameOf, test }: PredicateContext, node: ObjectTest): Tests {
  const { properties, patterns, additional, names } = node
  const tests: Code[] = []
  const each = (): Code => writer.use('everyProperty')
  const matches = patterns.map(
    ({ pattern }) => code`${writer.bind({ kind: 'regexp', value: pattern }, 'pattern')}.test(key)`,
  )
  patterns.forEach((entry, index) => {
    const inner = nameOf(entry.value)
    tests.push(code`${each()}(${value}, (key, entry) => !${matches[index]} || ${inner}(entry))`)
  })
  if (additional !== undefined) {
    const items = properties.map(({ name }) => name)
    const isDeclared =
      items.length === 0 ? [] : [code`${writer.bind({ kind: 'set', items }, 'declared')}.has(key)`]
    const inner = test(additional, code`entry`)
    tests.push(
      code`${each()}(${value}, (key, entry) => ${join([...isDeclared, ...matches, inner], code` || `)})`,
    )
  }
  if (names !== undefined) tests.push(code`${each()}(${value}, (key) => ${test(names, code`key`)})`)
  return tests
}
