import { isSchemaObject } from '../guards.ts'
import { FAILED, PASSED, type Check } from './frame.ts'
import type { SchemaNode } from './node.ts'
import type { CheckFactory } from './plan.ts'

/** The keywords that ask for more where a property is there. */
type Keyword = 'dependencies' | 'dependentRequired' | 'dependentSchemas'

/** The keyword `dependencies`: first what properties need, then the schemas that come with them. */
export const dependenciesCheck: CheckFactory = (node) => checkOf(node, 'dependencies')

/** The keyword `dependentRequired` of 2020-12. */
export const dependentRequiredCheck: CheckFactory = (node) => checkOf(node, 'dependentRequired')

/** The keyword `dependentSchemas` of 2020-12. */
export const dependentSchemasCheck: CheckFactory = (node) => checkOf(node, 'dependentSchemas')

function checkOf(node: SchemaNode, keyword: Keyword): Check | undefined {
  const dependencies = node.schema[keyword]
  if (!isSchemaObject(dependencies)) return undefined
  const entries = Object.entries(dependencies).filter(([property]) => property !== '__proto__')
  const checks = [
    ...entries.flatMap(([property, needed]) =>
      Array.isArray(needed) && needed.length > 0
        ? needCheck(node, keyword, property, needed.map(String))
        : [],
    ),
    ...entries.flatMap(([property, schema]) =>
      Array.isArray(schema) ? [] : (schemaCheck(node, keyword, property) ?? []),
    ),
  ]
  if (checks.length === 0) return undefined
  return (value, mode, frame) => {
    const data = value.object
    let fits = true
    for (const { property, check } of checks) {
      if (data[property] === undefined || check(value, mode, frame) !== FAILED) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

/** What is checked when a property is there. */
interface Dependency {
  readonly property: string
  readonly check: Check
}

/** Ajv overlooks the empty name, unless all errors are wanted. */
function needCheck(
  node: SchemaNode,
  keyword: Keyword,
  property: string,
  names: readonly string[],
): Dependency {
  const rule = { keyword: keyword === 'dependencies' ? keyword : 'dependentRequired', node } as const
  const depsCount = names.length
  const deps = names.join(', ')
  const check: Check = (value, mode, frame) => {
    const data = value.object
    let fits = true
    for (const missingProperty of names) {
      if (data[missingProperty] !== undefined || (missingProperty === '' && !mode.isThorough)) continue
      frame.fail(rule, { property, missingProperty, depsCount, deps }, value, mode)
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
  return { property, check }
}

function schemaCheck(node: SchemaNode, keyword: Keyword, property: string): Dependency | undefined {
  const below = node.below(keyword, property)
  if (below === undefined) return undefined
  return { property, check: (value, mode, frame) => (below.apply(value, mode, frame) ? PASSED : FAILED) }
}
