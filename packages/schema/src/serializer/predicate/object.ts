/** Tests of objects. */
import { code, join, property, type Code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import { childPlace } from '../../document/location.ts'
import { compilePattern } from '../read/pattern.ts'
import type { PredicateSite, Tests } from './predicate.ts'
import { namesOf } from '../read/source.ts'

/** Keywords of objects; other values pass. */
export function objectTests(site: PredicateSite): Tests {
  const { schema, value, use } = site
  const tests: Code[] = namesOf(schema['required']).map((name) => has(site, name))
  const count = code`${use('propertyCount')}(${value})`
  if (typeof schema['minProperties'] === 'number') tests.push(code`${count} >= ${schema['minProperties']}`)
  if (typeof schema['maxProperties'] === 'number') tests.push(code`${count} <= ${schema['maxProperties']}`)
  tests.push(...propertyTests(site), ...otherTests(site), ...dependencyTests(site))
  if (tests.length === 0) return []
  return [code`(!${use('isRecord')}(${value}) || (${join(tests, code` && `)}))`]
}

function read({ value, use }: PredicateSite, name: string): Code {
  return code`(${use('hasOwn')}(${value}, ${name}) ? ${property(value, name)} : undefined)`
}

function has(site: PredicateSite, name: string): Code {
  return code`${read(site, name)} !== undefined`
}

function propertyTests(site: PredicateSite): Tests {
  const { schema, place, local, nameOf } = site
  const map = schema['properties']
  if (!isSchemaObject(map)) return []
  return Object.keys(map).map((name) => {
    const test = nameOf(childPlace(place, ['properties', name]))
    const value = local()
    return code`((${value} = ${read(site, name)}) === undefined || ${test}(${value}))`
  })
}

/** `patternProperties`, `additionalProperties` and `propertyNames`, which look at every property. */
function otherTests({ schema, place, value, bind, use, nameOf, test }: PredicateSite): Tests {
  const tests: Code[] = []
  const sources = isSchemaObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []
  const each = use('everyProperty')
  const matches = sources.map((source) => {
    const pattern = bind({ kind: 'regexp', value: compilePattern(source, place.pointer) }, 'pattern')
    return code`${pattern}.test(key)`
  })
  sources.forEach((source, index) => {
    const inner = nameOf(childPlace(place, ['patternProperties', source]))
    tests.push(code`${each}(${value}, (key, entry) => !${matches[index]} || ${inner}(entry))`)
  })
  if (schema['additionalProperties'] !== undefined) {
    const declared = isSchemaObject(schema['properties']) ? Object.keys(schema['properties']) : []
    const isDeclared =
      declared.length === 0 ? [] : [code`${bind({ kind: 'set', items: declared }, 'declared')}.has(key)`]
    const inner = test(childPlace(place, ['additionalProperties']), code`entry`)
    tests.push(
      code`${each}(${value}, (key, entry) => ${join([...isDeclared, ...matches, inner], code` || `)})`,
    )
  }
  if (schema['propertyNames'] !== undefined) {
    const inner = test(childPlace(place, ['propertyNames']), code`key`)
    tests.push(code`${each}(${value}, (key) => ${inner})`)
  }
  return tests
}

/** `dependencies` and the two keywords that have taken its place. */
function dependencyTests(site: PredicateSite): Tests {
  const { schema, place, value, test } = site
  return ['dependencies', 'dependentRequired', 'dependentSchemas'].flatMap((keyword) => {
    const map = schema[keyword]
    if (!isSchemaObject(map)) return []
    return Object.entries(map).map(([name, dependency]) => {
      const consequence = Array.isArray(dependency)
        ? join([code`true`, ...namesOf(dependency).map((needed) => has(site, needed))], code` && `)
        : test(childPlace(place, [keyword, name]), value)
      return code`(!(${has(site, name)}) || (${consequence}))`
    })
  })
}
