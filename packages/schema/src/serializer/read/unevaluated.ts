/** `unevaluatedProperties` and `unevaluatedItems` as conditions on a value. */
import { SerializerBuildError } from '../build-error.ts'
import type { ObjectTest, PredicateNode, TestNode } from '../predicate-node.ts'
import type { Conjunction, Flattener } from './conjunction.ts'
import { declaredProperties, entriesOf, hasKeyword } from './keywords.ts'
import { compilePattern } from './pattern.ts'
import type { TestedSchema } from './predicate.ts'
import { listOf } from './source.ts'

const ANYTHING: PredicateNode = { tests: [], allowsNull: false }

/** What is unevaluated, where `allOf` and references alone say what is evaluated. */
export function unevaluatedTests(flattener: Flattener, tested: TestedSchema): TestNode[] {
  const { schema, location } = tested
  const keywords = ['unevaluatedProperties', 'unevaluatedItems'].filter((name) => schema[name] !== undefined)
  if (keywords.length === 0) return []
  const conjunction = flattener.flatten([location])
  for (const keyword of keywords) {
    if (!isStatic(conjunction)) {
      throw new SerializerBuildError(
        `"${keyword}" beside a union or a condition cannot choose between branches of a response; give the branches a property with a constant in each, by which they are chosen`,
        location.pointer,
      )
    }
  }
  return [...propertyTests(conjunction, tested), ...itemTests(conjunction, tested)]
}

/** Whether it does not depend on the value which schemas apply to it. */
function isStatic({ unions, conditionals, members }: Conjunction): boolean {
  const isDependent = members.some(({ schema }) =>
    ['dependentSchemas', 'dependencies', 'if', 'contains'].some((keyword) => schema[keyword] !== undefined),
  )
  return unions.length === 0 && conditionals.length === 0 && !isDependent
}

function propertyTests(conjunction: Conjunction, { schema, read }: TestedSchema): ObjectTest[] {
  if (schema['unevaluatedProperties'] === undefined) return []
  if (hasKeyword(conjunction, 'additionalProperties')) return []
  const patterns = conjunction.members.flatMap((member) => entriesOf(member, 'patternProperties'))
  return [
    {
      kind: 'object',
      required: [],
      minProperties: undefined,
      maxProperties: undefined,
      properties: [...declaredProperties(conjunction).keys()].map((name) => ({ name, value: ANYTHING })),
      patterns: patterns.map(([source, { pointer }]) => ({
        pattern: compilePattern(source, pointer),
        value: ANYTHING,
      })),
      additional: read('unevaluatedProperties'),
      names: undefined,
      dependencies: [],
    },
  ]
}

function itemTests(conjunction: Conjunction, { schema, read }: TestedSchema): TestNode[] {
  if (schema['unevaluatedItems'] === undefined || hasKeyword(conjunction, 'items')) return []
  const length = Math.max(
    0,
    ...conjunction.members.map((member) => listOf(member.schema['prefixItems']).length),
  )
  return [
    {
      kind: 'array',
      minItems: undefined,
      maxItems: undefined,
      prefix: Array.from({ length }, () => ANYTHING),
      rest: read('unevaluatedItems'),
      contains: undefined,
      minContains: 1,
      maxContains: undefined,
      isUnique: false,
    },
  ]
}
