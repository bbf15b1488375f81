/** `unevaluatedProperties` and `unevaluatedItems` in predicates, where `allOf` and references alone say what is evaluated. */
import { namedPart } from '../../keywords/additional-properties.ts'
import { ItemsPart } from '../../keywords/items.ts'
import { Child } from '../../walk/child.ts'
import { matching, Undeclared } from '../../walk/declared.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { ListData, ObjectData, Part } from '../../walk/part.ts'
import { SerializerBuildError, compilePattern, listOf } from './source.ts'
import type { Conjunction, Flattener } from './conjunction.ts'
import { declaredProperties, entriesOf, hasKeyword } from './keywords.ts'

/** The conjunction of a schema whose keyword is read. */
function conjunctionAt(flattener: Flattener, { location }: SchemaNode, keyword: string): Conjunction {
  const conjunction = flattener.flatten([location])
  if (isStatic(conjunction)) return conjunction
  throw new SerializerBuildError(
    `"${keyword}" beside a union or a condition cannot choose between branches of a response; give the branches a property with a constant in each, by which they are chosen`,
    location.pointer,
  )
}

/** Whether it does not depend on the value which schemas apply to it. */
function isStatic({ unions, conditionals, members }: Conjunction): boolean {
  const isDependent = members.some(({ schema }) =>
    ['dependentSchemas', 'dependencies', 'if', 'contains'].some((keyword) => schema[keyword] !== undefined),
  )
  return unions.length === 0 && conditionals.length === 0 && !isDependent
}

/** Reads `unevaluatedProperties`. */
export function unevaluatedProperties(flattener: Flattener, node: SchemaNode): Part<ObjectData> | undefined {
  const keyword = 'unevaluatedProperties'
  const conjunction = conjunctionAt(flattener, node, keyword)
  if (hasKeyword(conjunction, 'additionalProperties')) return undefined
  const patterns = conjunction.members.flatMap((member) =>
    entriesOf(member, 'patternProperties').map(([source, { pointer }]) =>
      matching(compilePattern(source, pointer)),
    ),
  )
  const names = new Undeclared([...declaredProperties(conjunction).keys()], patterns)
  return namedPart(node, names, keyword)
}

/** Reads `unevaluatedItems`. */
export function unevaluatedItems(flattener: Flattener, node: SchemaNode): Part<ListData> | undefined {
  const keyword = 'unevaluatedItems'
  const conjunction = conjunctionAt(flattener, node, keyword)
  if (hasKeyword(conjunction, 'items')) return undefined
  const lengths = conjunction.members.map((member) => listOf(member.schema['prefixItems']).length)
  return new ItemsPart(new Child(node, keyword), Math.max(0, ...lengths))
}
