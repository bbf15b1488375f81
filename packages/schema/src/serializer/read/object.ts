/** The object side of a conjunction. */
import { isSchemaObject } from '../../guards.ts'
import { childPlace, type SchemaPlace } from '../../resolve-ref.ts'
import type { Conjunction } from './conjunction.ts'
import { ANY, type Node, type ObjectNode, type PatternNode, type PropertyNode } from '../ir.ts'
import {
  declaredProperties,
  defaultText,
  entriesOf,
  hasKeyword,
  placesOfProperty,
  requiredNames,
  type Declaration,
} from './keywords.ts'
import { compilePattern } from './pattern.ts'
import type { SchemaReader } from './reader.ts'

/** Reads `properties`, `required`, `patternProperties` and `additionalProperties`. */
export function parseObject(reader: SchemaReader, conjunction: Conjunction): ObjectNode {
  const required = requiredNames(conjunction)
  const declared = declaredProperties(conjunction)
  const properties: PropertyNode[] = []
  const optional: PropertyNode[] = []
  for (const [name, declarations] of declared) {
    const property = parseProperty(reader, name, declarations, required.has(name))
    if (property?.isRequired === true) properties.push(property)
    else if (property !== undefined) optional.push(property)
  }
  for (const property of optional) properties.push(property)
  return {
    kind: 'object',
    exact: reader.isExact,
    properties,
    requiredOnly: [...required].filter((name) => !declared.has(name)),
    patterns: parsePatterns(reader, conjunction),
    additional: parseAdditional(reader, conjunction),
  }
}

/** A property whose schema is `false` is not written; when it is required nothing can be written. */
function parseProperty(
  reader: SchemaReader,
  name: string,
  declarations: readonly Declaration[],
  isRequired: boolean,
): PropertyNode | undefined {
  const [only, ...others] = declarations
  const scalar = others.length === 0 ? reader.readScalar(only?.schema) : undefined
  if (scalar !== undefined && only !== undefined && !hasDefault(only.schema)) {
    return { name, node: scalar, isRequired, defaultText: undefined }
  }
  const conjunction = reader.flattener.flatten(placesOfProperty(name, declarations))
  if (conjunction.isImpossible && !isRequired) return undefined
  return {
    name,
    node: reader.readConjunction(conjunction),
    isRequired,
    defaultText: defaultText(conjunction),
  }
}

function hasDefault(schema: unknown): boolean {
  return isSchemaObject(schema) && schema['default'] !== undefined
}

function parsePatterns(reader: SchemaReader, conjunction: Conjunction): PatternNode[] {
  return conjunction.members.flatMap((member) =>
    entriesOf(member, 'patternProperties').map(([source, place]): PatternNode => {
      const patterned = reader.flattener.flatten([place])
      return {
        pattern: compilePattern(source, place.pointer),
        node: patterned.isImpossible ? undefined : reader.readConjunction(patterned),
      }
    }),
  )
}

/** A member that says `false` closes the object; a strict object that declares nothing is open. */
function parseAdditional(reader: SchemaReader, conjunction: Conjunction): Node | undefined {
  const schemas: SchemaPlace[] = []
  for (const { schema, place } of conjunction.members) {
    const additional = schema['additionalProperties']
    if (additional === false) return undefined
    if (additional !== undefined) schemas.push(childPlace(place, ['additionalProperties']))
  }
  if (schemas.length > 0) {
    const additional = reader.flattener.flatten(schemas)
    return additional.isImpossible ? undefined : reader.readConjunction(additional)
  }
  const declares = hasKeyword(conjunction, 'properties') || hasKeyword(conjunction, 'patternProperties')
  return reader.isExact && !declares ? ANY : undefined
}
